#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/reference.h"

namespace attention {

/// Largest finite magnitude in a matrix of floats or doubles; 0 when there is none.
template <typename M>
double magnitude(const M& matrix) {
  double largest = 0;
  for (Index i = 0; i < matrix.size(); ++i) {
    const double value = std::abs(static_cast<double>(matrix.data()[i]));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

/// How large the numbers are that each stage is computed from and of, over all heads: rounding
/// errors grow with these, also where a sum cancels out. Bounds, not estimates, but for the length
/// of the sums, which rounding errors follow slowly.
class StageSizes {
 public:
  /// The sizes for `problem`, of which `reference` is the trace.
  StageSizes(const Problem& problem, const ReferenceTrace& reference);

  /// The size of `stage`. For layer_norm that of the numbers that are normalised.
  double of(Stage stage) const { return sizes_.at(static_cast<size_t>(stage)); }
  /// The largest score, and number that was added up to it, among pairs that have any weight, or 1
  /// if that is larger: a score that is off by the share ε of it changes its weight by up to ε
  /// times as much.
  double attended() const { return attended_; }
  /// For row `row` (from 0) of layer_norm: what an error of the share ε of its input grows to,
  /// divided by ε. With x off by δ, the mean is off by at most δ and the deviation
  /// σ = √(variance + epsilon) too, so (x − mean) / σ by (2 + |x − mean| / σ) δ / σ.
  double of_normalised_row(Index row) const;

 private:
  void set(Stage stage, double terms);
  void add_inputs();
  void add_projections();
  void add_scores();
  void add_attended();
  void add_outputs();
  void add_others();

  const Problem& problem_;
  const ReferenceTrace& reference_;
  std::array<double, kAllStages.size()> sizes_{};
  double attended_ = 1;
};

}  // namespace attention
