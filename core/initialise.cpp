#include "core/initialise.h"
