#pragma once

#include <limits>

namespace attention {

/// Numbers that no formula gives on purpose.
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace attention
