#include "core/invariants.h"
