#include "core/explain.h"
