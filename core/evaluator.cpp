#include "core/evaluator.h"
