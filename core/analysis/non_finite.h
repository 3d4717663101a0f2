#pragma once

#include <vector>

#include "core/layer/trace.h"

namespace attention {

/// How many cells of one stage hold no finite number, over all heads.
struct NonFiniteCount {
  Stage stage = Stage::kX;
  Index nan = 0;                ///< cells that are NaN
  Index positive_infinity = 0;  ///< cells that are +∞
  Index negative_infinity = 0;  ///< cells that are −∞; in masked_scores that is how a mask works

  /// All of them together.
  Index total() const { return nan + positive_infinity + negative_infinity; }
  bool operator==(const NonFiniteCount&) const = default;
};

/// True when every number is finite.
bool all_finite(const MatrixView& values);

/// The counts of every stage that is a step of its own in `problem` (is_active), the embeddings
/// among them, in the order of the formula; stages without such cells are there with zeros.
/// Matrices that heads share are counted once. `trace` must be that of `problem`.
std::vector<NonFiniteCount> count_non_finite(const Problem& problem, const Trace& trace);

}  // namespace attention
