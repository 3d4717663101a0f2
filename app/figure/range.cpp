#include "app/figure/range.h"

#include <algorithm>
#include <cmath>

#include "core/non_finite.h"

namespace lab {
namespace {

// The largest magnitude of the numbers that are finite; 0 when none is.
float largest_finite(const attention::MatrixView& values) {
  if (values.size() == 0) return 0;
  if (attention::all_finite(values)) return values.array().abs().maxCoeff();
  float largest = 0;
  for (attention::Index i = 0; i < values.rows(); ++i)
    for (attention::Index j = 0; j < values.cols(); ++j)
      if (std::isfinite(values(i, j))) largest = std::max(largest, std::abs(values(i, j)));
  return largest;
}

}  // namespace

Palette default_palette(attention::Stage stage) {
  const bool weights =
      stage == attention::Stage::kWeights || stage == attention::Stage::kDroppedWeights;
  return weights ? Palette::kBlues : Palette::kRedBlue;
}

Range automatic_range(attention::Stage stage, const attention::MatrixView& values) {
  if (stage == attention::Stage::kWeights) return {0, 1};
  const bool weights = stage == attention::Stage::kDroppedWeights;
  const float largest = std::max(weights ? 1.0f : 0.0f, largest_finite(values));
  if (largest == 0) return {-1, 1};
  return {weights ? 0 : -largest, largest};
}

Range united(Range a, Range b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

}  // namespace lab
