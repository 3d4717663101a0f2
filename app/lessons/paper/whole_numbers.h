#pragma once

#include "core/matrix.h"

namespace lab::lessons {

/// True when every finite number of `values` is an integer.
bool is_whole(const attention::Matrix& values);

/// The fewest decimals, at most `most`, with which every finite number of `values` is written
/// exactly; `most` if there are none.
int decimals_of(const attention::Matrix& values, int most);

}  // namespace lab::lessons
