#include "core/problem.h"
