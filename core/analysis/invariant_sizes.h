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

/// The magnitude of each stage's numbers and of the terms they are computed from, over all heads:
/// rounding errors grow with it, even where a sum cancels out. These are bounds, not estimates,
/// except that the length of the sums, with which rounding errors grow slowly, is ignored.
class StageSizes {
 public:
  /// The sizes for `problem`, whose trace is `reference`.
  StageSizes(const Problem& problem, const ReferenceTrace& reference);

  /// The size of `stage`. For layer_norm, that of its input.
  double of(Stage stage) const { return sizes_.at(static_cast<size_t>(stage)); }
  /// The largest score, or term of a score, among pairs with nonzero weight, but at least 1: a
  /// score that is off by ε times this changes its weight by up to the same fraction.
  double attended() const { return attended_; }
  /// The size of row `row` (from 0) of `stage` in `head`: of(stage), except that rows that are
  /// normalised have their own.
  double of_row(Stage stage, Index head, Index row) const;

 private:
  // For row `row` (from 0) of layer_norm: the error caused by a relative error ε of its input,
  // divided by ε. With x off by δ, the mean is off by at most δ and the deviation σ = √(variance +
  // epsilon) too, so (x − mean) / σ by (2 + |x − mean| / σ) δ / σ.
  double of_normalised_row(Index row) const;
  // The same for a row of normed_Q, normed_K or normed_V, whose root mean square ρ is off by at
  // most δ, so x / ρ by (1 + |x| / ρ) δ / ρ.
  double of_normed_row(Stage stage, Index head, Index row) const;
  double largest_normed_row(Stage stage) const;
  void set(Stage stage, double terms);
  double largest_number(Stage stage) const;
  void add_inputs();
  void add_projections();
  void add_scores();
  void add_position_scores();
  void add_attended();
  void add_outputs();
  void add_others();

  const Problem& problem_;
  const ReferenceTrace& reference_;
  std::array<double, kAllStages.size()> sizes_{};
  double attended_ = 1;
};

}  // namespace attention
