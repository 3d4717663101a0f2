#include "core/analysis/invariants.h"

#include <limits>

#include "core/analysis/invariant_sizes.h"
#include "core/config.h"
#include "core/layer/stages.h"

namespace attention {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// The allowed error of a float32 result, relative to the size of its tensor.
constexpr double kRelative = 1e-5;

// The larger of both, NaN when either is.
double worse(double a, double b) { return std::isnan(a) || a > b ? a : b; }

// |a − b|, and 0 between equal infinities.
double difference(double a, double b) { return a == b ? 0.0 : std::abs(a - b); }

Index heads_of(const Trace& trace, Stage stage) {
  return is_per_head(stage) ? std::ssize(trace.heads) : 1;
}

bool nothing_to_attend(const MatrixD& masked_scores, Index row) {
  return (masked_scores.row(row).array() == kMinusInfinity).all();
}

bool has_overridden_weight(const Problem& problem, Index head, Index row) {
  return std::ranges::any_of(problem.overrides, [&](const Override& o) {
    return o.stage == Stage::kWeights && o.head == head && o.row == row;
  });
}

// NaN in scores or weights, which makes the rest of its row NaN.
bool is_nan_of_row(const Override& o) { return std::isnan(o.value) && has_key_columns(o.stage); }

// Whether an override puts NaN into this row of scores or weights, so that what is computed from it
// up to `stage` is NaN too. Looks at all overrides: ask only where there is NaN.
bool is_given_nan(const Problem& problem, Stage stage, Index head, Index row) {
  return std::ranges::any_of(problem.overrides, [&](const Override& o) {
    return o.row == row && o.stage <= stage && (o.head == head || !is_per_head(stage)) &&
           is_nan_of_row(o);
  });
}

Invariant rows_sum_to_one(const Problem& problem, const Trace& trace,
                          const ReferenceTrace& reference) {
  Invariant result{problem.config.sink ? "each row of weights and its sink's share sum to 1"
                                       : "each row of weights sums to 1, or is 0 with nothing to "
                                         "attend to",
                   0, 0};
  int skipped = 0;
  for (Index h = 0; h < std::ssize(trace.heads); ++h) {
    const Matrix& weights = *stage_matrix(problem, trace, Stage::kWeights, h);
    const MatrixD& scores = stage_matrix(reference, Stage::kMaskedScores, h);
    result.tolerance = 1e-6 * std::sqrt(static_cast<double>(weights.cols()));
    const Eigen::VectorXd shares =
        sink_shares(*stage_matrix(problem, trace, Stage::kMaskedScores, h), sink_of(problem, h));
    for (Index i = 0; i < weights.rows(); ++i) {
      const bool given_nan =
          weights.row(i).hasNaN() && is_given_nan(problem, Stage::kWeights, h, i);
      if (given_nan || has_overridden_weight(problem, h, i)) {
        ++skipped;
        continue;
      }
      const double expected = nothing_to_attend(scores, i) ? 0.0 : 1.0 - shares(i);
      const double sum = weights.row(i).cast<double>().sum();
      result.error = worse(difference(sum, expected), result.error);
    }
  }
  if (skipped == 1) result.name += "; 1 row with an override is left out";
  if (skipped > 1)
    result.name += "; " + std::to_string(skipped) + " rows with overrides are left out";
  return result;
}

// The largest magnitude in `stage`, one with a column for each key, among the cells for which
// `must_be_zero(head, row, col)`. The rule is called only for cells that are not 0.
template <typename Rule>
double largest_where_zero(const Problem& problem, const Trace& trace, Stage stage,
                          Rule must_be_zero) {
  double largest = 0;
  for (Index h = 0; h < std::ssize(trace.heads); ++h) {
    const Matrix& weights = *stage_matrix(problem, trace, stage, h);
    for (Index i = 0; i < weights.rows(); ++i) {
      for (Index j = 0; j < weights.cols(); ++j) {
        if (weights(i, j) == 0.0f || !must_be_zero(h, i, j)) continue;
        if (std::isnan(weights(i, j)) && is_given_nan(problem, stage, h, i)) continue;
        largest = worse(std::abs(weights(i, j)), largest);
      }
    }
  }
  return largest;
}

Invariant masked_are_zero(const Problem& problem, const Trace& trace) {
  const auto must_be_zero = [&](Index head, Index row, Index col) {
    return !problem.may_attend(row, col) &&
           !is_overridden(problem, Stage::kMaskedScores, head, row, col) &&
           !is_overridden(problem, Stage::kWeights, head, row, col);
  };
  return {"masked weights are exactly 0",
          largest_where_zero(problem, trace, Stage::kWeights, must_be_zero), 0};
}

Invariant dropped_are_zero(const Problem& problem, const Trace& trace) {
  const auto must_be_zero = [&](Index head, Index row, Index col) {
    return is_dropped(problem.config, head, row, col) &&
           !is_overridden(problem, Stage::kDroppedWeights, head, row, col);
  };
  return {"dropped weights are exactly 0",
          largest_where_zero(problem, trace, Stage::kDroppedWeights, must_be_zero), 0};
}

Index heads_sharing(const Config& config, Stage stage) {
  return is_per_kv_head(stage) ? heads_per_kv_head(config) : 1;
}

Invariant overrides_hold(const Problem& problem, const Trace& trace) {
  Invariant result{"overridden cells hold what was put there", 0, 0};
  for (const Override& o : problem.overrides) {
    const Index end = o.head + heads_sharing(problem.config, o.stage);
    for (Index head = o.head; head < end; ++head) {
      const float found = (*stage_matrix(problem, trace, o.stage, head))(o.row, o.col);
      if (std::isnan(found) && std::isnan(o.value)) continue;
      result.error = worse(difference(found, o.value), result.error);
    }
  }
  return result;
}

// The output minus b_O and the heads' parts, and the largest magnitude among the output, the parts
// and the products they are summed from.
struct Rest {
  MatrixD rest;
  double largest = 0;
};

Rest output_without_parts(const Problem& problem, const Trace& trace) {
  const MatrixD W_O = problem.parameters.W_O->cast<double>();
  const MatrixD concat = trace.concat->cast<double>();
  const Matrix& b_O = *problem.parameters.b_O;
  const Index d_v = problem.config.d_v;
  Rest result{trace.output->cast<double>(), magnitude(*trace.output)};
  if (problem.config.biases && b_O.size() > 0) {
    result.rest.rowwise() -= b_O.row(0).cast<double>();
    result.largest = std::max(result.largest, magnitude(b_O));
  }
  result.largest = std::max(result.largest, magnitude(concat) * magnitude(W_O));
  for (Index h = 0; h < std::ssize(trace.heads); ++h) {
    const MatrixD contribution = concat.middleCols(h * d_v, d_v) * W_O.middleRows(h * d_v, d_v);
    result.largest = std::max(result.largest, magnitude(contribution));
    result.rest -= contribution;
  }
  return result;
}

Invariant parts_add_up(const Problem& problem, const Trace& trace) {
  Invariant result{"the heads' parts through W_O add up to output − b_O", 0, kRelative};
  Rest left = output_without_parts(problem, trace);
  for (const Override& o : problem.overrides) {
    if (o.stage == Stage::kOutput) left.rest(o.row, o.col) = 0;
    if (is_nan_of_row(o)) left.rest.row(o.row).setZero();
  }
  for (const double value : left.rest.reshaped()) {
    result.error = worse(std::abs(value), result.error);
  }
  if (left.largest > 0) result.error /= left.largest;
  return result;
}

// Whether a cell that is not overridden may be −∞: in masked scores because of a mask or a bias,
// and between an overridden score and the masked scores.
bool may_be_minus_infinity(const Problem& problem, Stage stage, Index head, Index row, Index col) {
  if (!has_key_columns(stage) || holds_weights(stage)) return false;
  for (auto at = std::optional(stage); at; at = stage_info(*at).repeats) {
    for (const auto& [before, reach] : stage_info(*at).operands)
      if (reach == Reach::kCell && is_overridden(problem, before, head, row, col)) return true;
  }
  if (stage != Stage::kMaskedScores) return false;
  return !problem.may_attend(row, col) ||
         (!problem.bias.empty() && (*problem.bias)(row, col) == kMinusInfinity) ||
         (!problem.head_bias.empty() &&
          (*problem.head_bias[static_cast<size_t>(head)])(row, col) == kMinusInfinity);
}

bool acceptable(const Problem& problem, float value, Stage stage, Index head, Index row,
                Index col) {
  if (std::isfinite(value) || is_overridden(problem, stage, head, row, col)) return true;
  if (std::isnan(value)) return is_given_nan(problem, stage, head, row);
  return value == kMinusInfinity && may_be_minus_infinity(problem, stage, head, row, col);
}

// Adds to `error` the number of cells that are not finite but should be; NaN when one is NaN.
void count_unacceptable(const Problem& problem, const Matrix& matrix, Stage stage, Index head,
                        double& error) {
  if (matrix.allFinite()) return;
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (acceptable(problem, matrix(i, j), stage, head, i, j)) continue;
      error += std::isnan(matrix(i, j)) ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    }
  }
}

Invariant finite_stages(const Problem& problem, const Trace& trace) {
  Invariant result{"every value is a finite number, or −∞ where masked", 0, 0};
  for (const Stage stage : kAllStages) {
    if (!is_active(problem, stage)) continue;
    for (Index h = 0; h < heads_of(trace, stage); ++h) {
      count_unacceptable(problem, *stage_matrix(problem, trace, stage, h), stage, h, result.error);
    }
  }
  return result;
}

// Of the cells of a row; those that are NaN in both agree if `nan_agrees`.
double largest_difference(const Matrix& a, const MatrixD& b, Index row, bool nan_agrees) {
  double largest = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    if (nan_agrees && std::isnan(a(row, j)) && std::isnan(b(row, j))) continue;
    largest = worse(difference(a(row, j), b(row, j)), largest);
  }
  return largest;
}

// The largest difference over all heads, relative to the size of its row.
double disagreement(const Problem& problem, const Trace& trace, const ReferenceTrace& reference,
                    const StageSizes& sizes, Stage stage) {
  double largest = 0;
  for (Index h = 0; h < heads_of(trace, stage); ++h) {
    const Matrix& found = *stage_matrix(problem, trace, stage, h);
    const MatrixD& expected = stage_matrix(reference, stage, h);
    for (Index i = 0; i < found.rows(); ++i) {
      const double size = sizes.of_row(stage, h, i);
      const bool given_nan = found.row(i).hasNaN() && is_given_nan(problem, stage, h, i);
      const double error = largest_difference(found, expected, i, given_nan);
      largest = worse(size > 0 ? error / size : error, largest);
    }
  }
  return largest;
}

// From the weights on, where errors of the scores are amplified.
bool comes_of_weights(Stage stage) {
  return holds_weights(stage) || stage_info(stage).section == StageSection::kOutput;
}

void add_agreements(std::vector<Invariant>& all, const Problem& problem, const Trace& trace,
                    const ReferenceTrace& reference) {
  const StageSizes sizes(problem, reference);
  for (const Stage stage : kAllStages) {
    if (is_input(stage) || !is_active(problem, stage)) continue;
    all.push_back({std::string(stage_name(stage)) + " agrees with the double-precision reference",
                   disagreement(problem, trace, reference, sizes, stage), kRelative});
    if (comes_of_weights(stage)) all.back().tolerance *= sizes.attended();
  }
}

}  // namespace

std::vector<Invariant> check_invariants(const Problem& problem, const Trace& trace) {
  const ReferenceTrace reference = reference_trace(problem);
  std::vector<Invariant> all = {rows_sum_to_one(problem, trace, reference),
                                masked_are_zero(problem, trace),
                                dropped_are_zero(problem, trace),
                                overrides_hold(problem, trace),
                                parts_add_up(problem, trace),
                                finite_stages(problem, trace)};
  add_agreements(all, problem, trace, reference);
  return all;
}

}  // namespace attention
