#pragma once

#include <string>

#include "core/matrix.h"

namespace attention {

/// A shape as text: "3 × 8".
inline std::string shape_text(Index rows, Index cols) {
  return std::to_string(rows) + " × " + std::to_string(cols);
}

}  // namespace attention
