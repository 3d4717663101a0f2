#pragma once

#include "core/matrix.h"

namespace lab::lessons {

/// True when every finite number of `values` is an integer.
bool is_whole(const attention::Matrix& values);

}  // namespace lab::lessons
