#pragma once

#include "core/tests/special_values.h"

namespace lab {

using attention::kInfinity;
using attention::kNaN;

}  // namespace lab
