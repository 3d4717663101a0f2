#include "app/figure/compose/range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analysis/non_finite.h"

namespace lab::figure {
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

// The finite numbers, from the lowest to the highest.
std::vector<float> sorted_finite(const attention::MatrixView& values) {
  std::vector<float> finite;
  for (attention::Index i = 0; i < values.rows(); ++i)
    for (attention::Index j = 0; j < values.cols(); ++j)
      if (std::isfinite(values(i, j))) finite.push_back(values(i, j));
  std::ranges::sort(finite);
  return finite;
}

// Precondition: there is a number.
float percentile(const std::vector<float>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return static_cast<float>(
      std::lerp(double{sorted[below]}, double{sorted[above]}, rank - std::floor(rank)));
}

}  // namespace

Palette default_palette(attention::Stage stage) {
  return holds_weights(stage) ? Palette::kBlues : Palette::kRedBlue;
}

Range automatic_range(attention::Stage stage, const attention::MatrixView& values) {
  const float largest = largest_finite(values);
  if (!holds_weights(stage)) return largest == 0 ? Range{-1, 1} : Range{-largest, largest};
  if (largest > 0 && largest < kSmallWeights) return {0, largest};
  return {0, stage == attention::Stage::kWeights ? 1.0f : std::max(1.0f, largest)};
}

Range robust_range(attention::Stage stage, const attention::MatrixView& values) {
  constexpr double kLeftOut = 0.02;
  const std::vector<float> sorted = sorted_finite(values);
  if (sorted.empty()) return automatic_range(stage, values);
  const float low = percentile(sorted, kLeftOut), high = percentile(sorted, 1 - kLeftOut);
  const float end = holds_weights(stage) ? high : std::max(std::abs(low), std::abs(high));
  if (!(end > 0)) return automatic_range(stage, values);
  return {holds_weights(stage) ? 0 : -end, end};
}

Range weights_difference_range(const attention::MatrixView& values) {
  const float largest = largest_finite(values);
  const float end = largest > 0 && largest < kSmallWeights ? largest : 1;
  return {-end, end};
}

Range centred(Range range, float centre) {
  const float reach = std::max(std::abs(range.lo - centre), std::abs(range.hi - centre));
  return {centre - reach, centre + reach, range.spread, centre};
}

Range united(Range a, Range b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.spread, a.zero};
}

}  // namespace lab::figure
