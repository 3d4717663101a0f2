#include "app/figure/range.h"

#include <algorithm>
#include <cmath>

namespace lab {

Palette default_palette(attention::Stage stage) {
  const bool weights =
      stage == attention::Stage::kWeights || stage == attention::Stage::kDroppedWeights;
  return weights ? Palette::kBlues : Palette::kRedBlue;
}

Range automatic_range(attention::Stage stage, const attention::MatrixView& values) {
  if (stage == attention::Stage::kWeights) return {0, 1};
  const bool weights = stage == attention::Stage::kDroppedWeights;
  float largest = weights ? 1 : 0;
  for (attention::Index i = 0; i < values.rows(); ++i)
    for (attention::Index j = 0; j < values.cols(); ++j)
      if (std::isfinite(values(i, j))) largest = std::max(largest, std::abs(values(i, j)));
  if (largest == 0) return {-1, 1};
  return {weights ? 0 : -largest, largest};
}

Range united(Range a, Range b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

}  // namespace lab
