#include "core/stages.h"
