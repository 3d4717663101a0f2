#pragma once

#include <vector>

#include "core/layer/trace.h"

namespace attention {

/// The number of cells of one stage that are not finite, over all heads.
struct NonFiniteCount {
  Stage stage = Stage::kX;
  Index nan = 0;                ///< cells that are NaN
  Index positive_infinity = 0;  ///< cells that are +∞
  Index negative_infinity = 0;  ///< cells that are −∞, as masks make them in masked_scores

  /// The sum of the three.
  Index total() const { return nan + positive_infinity + negative_infinity; }
  bool operator==(const NonFiniteCount&) const = default;
};

/// True when every number is finite.
bool all_finite(const MatrixView& values);

/// The counts of every active stage of `problem` (is_active), including the embeddings, in the
/// order of the formula; stages without such cells are included with zeros. Matrices that heads
/// share are counted once. `trace` must be that of `problem`.
std::vector<NonFiniteCount> count_non_finite(const Problem& problem, const Trace& trace);

}  // namespace attention
