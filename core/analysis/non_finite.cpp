#include "core/analysis/non_finite.h"

#include <cmath>

namespace attention {
namespace {

void count(NonFiniteCount& counts, const Matrix& matrix) {
  if (all_finite(matrix)) return;
  for (const float value : matrix.reshaped()) {
    if (std::isnan(value)) ++counts.nan;
    if (std::isinf(value)) ++(value > 0 ? counts.positive_infinity : counts.negative_infinity);
  }
}

// The number of consecutive heads that share one matrix of `stage`; all of them for stages without
// heads.
Index heads_of_one_matrix(const Config& config, Stage stage) {
  if (!is_per_head(stage)) return config.n_heads;
  return is_per_kv_head(stage) ? heads_per_kv_head(config) : 1;
}

}  // namespace

// 0 times a finite number is 0, and 0 times any other is NaN, which the sum keeps. Testing each
// number takes ten times as long.
bool all_finite(const MatrixView& values) { return (values.array() * 0.0f).sum() == 0.0f; }

std::vector<NonFiniteCount> count_non_finite(const Problem& problem, const Trace& trace) {
  std::vector<NonFiniteCount> all;
  for (const Stage stage : kAllStages) {
    if (!is_active(problem, stage)) continue;
    NonFiniteCount counts{stage};
    const Index step = heads_of_one_matrix(problem.config, stage);
    for (Index head = 0; head < problem.config.n_heads; head += step) {
      count(counts, *stage_matrix(problem, trace, stage, head));
    }
    all.push_back(counts);
  }
  return all;
}

}  // namespace attention
