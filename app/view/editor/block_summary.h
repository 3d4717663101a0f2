#pragma once

#include <array>

#include "core/matrix.h"

namespace lab::view {

/// Statistics of a block of numbers. Numbers that are not finite are counted and left out.
struct BlockSummary {
  static constexpr std::size_t kBars = 16;

  attention::Index count = 0;  ///< of all cells
  attention::Index finite = 0;
  double mean = 0;
  double deviation = 0;  ///< root of the mean square distance from the mean (divided by `finite`)
  float lowest = 0, highest = 0;
  /// The number of finite values in each of kBars equal intervals from lowest to highest.
  std::array<attention::Index, kBars> histogram{};
};

/// The statistics of `block`, which may be empty.
BlockSummary summarise(const attention::MatrixView& block);

}  // namespace lab::view
