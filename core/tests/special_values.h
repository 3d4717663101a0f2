#pragma once

#include <limits>

namespace attention {

/// Values that no formula should produce by design.
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace attention
