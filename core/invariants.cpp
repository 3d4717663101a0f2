#include "core/invariants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/reference.h"

namespace attention {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The share of its tensor's size that a float32 result may be off.
constexpr double kRelative = 1e-5;

// The larger of both, NaN when either is.
double worse(double a, double b) { return std::isnan(a) || a > b ? a : b; }

// |a − b|, and 0 between equal infinities.
double difference(double a, double b) { return a == b ? 0.0 : std::abs(a - b); }

// Largest finite magnitude; 0 when there is none.
template <typename M>
double magnitude(const M& matrix) {
  double largest = 0;
  for (Index i = 0; i < matrix.size(); ++i) {
    const double value = std::abs(static_cast<double>(matrix.data()[i]));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

double largest_difference(const Matrix& a, const MatrixD& b) {
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) {
    largest = worse(difference(a.data()[i], b.data()[i]), largest);
  }
  return largest;
}

bool nothing_to_attend(const MatrixD& masked_scores, Index row) {
  return (masked_scores.row(row).array() == -kInfinity).all();
}

Invariant rows_sum_to_one(const Trace& trace, const ReferenceTrace& reference) {
  Invariant result{"each row of weights sums to 1, or is 0 with nothing to attend to", 0, 0};
  for (size_t h = 0; h < trace.heads.size(); ++h) {
    const Matrix& weights = *trace.heads[h].weights;
    result.tolerance = 1e-6 * std::sqrt(static_cast<double>(weights.cols()));
    for (Index i = 0; i < weights.rows(); ++i) {
      const double wanted = nothing_to_attend(reference.heads[h].masked_scores, i) ? 0.0 : 1.0;
      const double sum = weights.row(i).cast<double>().sum();
      result.error = worse(difference(sum, wanted), result.error);
    }
  }
  return result;
}

Invariant masked_are_zero(const Problem& problem, const Trace& trace) {
  Invariant result{"masked weights are exactly 0", 0, 0};
  for (const HeadTrace& head : trace.heads) {
    for (Index i = 0; i < head.weights->rows(); ++i) {
      for (Index j = 0; j < head.weights->cols(); ++j) {
        if (problem.may_attend(i, j)) continue;
        result.error = worse(std::abs((*head.weights)(i, j)), result.error);
      }
    }
  }
  return result;
}

// Relative to the largest magnitude among the output and the parts that are added up to it.
Invariant parts_add_up(const Problem& problem, const Trace& trace) {
  Invariant result{"the heads' parts through W_O add up to output − b_O", 0, kRelative};
  const MatrixD W_O = problem.parameters.W_O->cast<double>();
  MatrixD rest = trace.output->cast<double>();
  double largest = magnitude(rest);
  if (!problem.parameters.b_O.empty()) {
    rest.rowwise() -= problem.parameters.b_O->row(0).cast<double>();
  }
  for (size_t h = 0; h < trace.heads.size(); ++h) {
    const Matrix& head_output = *trace.heads[h].head_output;
    const Index d_v = head_output.cols();
    const MatrixD part =
        head_output.cast<double>() * W_O.middleRows(static_cast<Index>(h) * d_v, d_v);
    largest = std::max({largest, magnitude(part), magnitude(head_output) * magnitude(W_O)});
    rest -= part;
  }
  for (const double value : rest.reshaped()) result.error = worse(std::abs(value), result.error);
  if (largest > 0) result.error /= largest;
  return result;
}

// −∞ may stand in masked scores where a mask or a bias put it.
bool acceptable(float value, const Problem& problem, Stage stage, Index row, Index col) {
  if (std::isfinite(value)) return true;
  if (stage != Stage::kMaskedScores || value != -std::numeric_limits<float>::infinity()) {
    return false;
  }
  return !problem.may_attend(row, col) ||
         (!problem.bias.empty() && (*problem.bias)(row, col) == value);
}

// Adds to `error` the number of cells that are no numbers; NaN when one is NaN.
void count_unacceptable(const Problem& problem, const Matrix& matrix, Stage stage, double& error) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (acceptable(matrix(i, j), problem, stage, i, j)) continue;
      error += std::isnan(matrix(i, j)) ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    }
  }
}

Index heads_of(const Trace& trace, Stage stage) {
  return is_per_head(stage) ? std::ssize(trace.heads) : 1;
}

Invariant all_finite(const Problem& problem, const Trace& trace) {
  Invariant result{"every value is a finite number, or −∞ where masked", 0, 0};
  for (const Stage stage : kAllStages) {
    for (Index h = 0; h < heads_of(trace, stage); ++h) {
      count_unacceptable(problem, *stage_matrix(problem, trace, stage, h), stage, result.error);
    }
  }
  return result;
}

// How large the numbers are that each stage is summed from, over all heads. Rounding errors grow
// with these, also where a sum cancels out.
struct Sizes {
  double Q = 0, K = 0, V = 0, scores = 0, scaled = 0, masked = 0, output = 0;
  double attended = 0;  // the scores of pairs that have any weight
};

double product_size(const SharedMatrix& input, const SharedMatrix& W, const SharedMatrix& b) {
  return std::max(magnitude(*input) * magnitude(*W), magnitude(*b));
}

double attended_size(const ReferenceHead& head) {
  double largest = 0;
  for (Index i = 0; i < head.weights.size(); ++i) {
    if (!(head.weights.data()[i] > 0)) continue;
    largest = std::max(largest, std::abs(head.masked_scores.data()[i]));
  }
  return largest;
}

void include_head(Sizes& sizes, const Problem& problem, const HeadParameters& W,
                  const ReferenceHead& head) {
  sizes.Q = std::max({sizes.Q, magnitude(head.Q), product_size(problem.X, W.W_Q, W.b_Q)});
  const SharedMatrix& kv = problem.kv_input();
  sizes.K = std::max({sizes.K, magnitude(head.K), product_size(kv, W.W_K, W.b_K)});
  sizes.V = std::max({sizes.V, magnitude(head.V), product_size(kv, W.W_V, W.b_V)});
  sizes.scores = std::max({sizes.scores, magnitude(head.scores), sizes.Q * sizes.K});
  sizes.scaled = sizes.scores * score_factor(problem.config);
  sizes.masked = std::max({sizes.masked, sizes.scaled, magnitude(head.masked_scores)});
  sizes.attended = std::max({sizes.attended, sizes.scaled, attended_size(head)});
}

Sizes sizes_of(const Problem& problem, const ReferenceTrace& reference) {
  Sizes sizes;
  for (size_t h = 0; h < reference.heads.size(); ++h) {
    include_head(sizes, problem, problem.parameters.heads[h], reference.heads[h]);
  }
  const Parameters& parameters = problem.parameters;
  sizes.output = std::max({magnitude(reference.output), magnitude(*parameters.b_O),
                           sizes.V * magnitude(*parameters.W_O)});
  return sizes;
}

// The largest difference over all heads, as a share of `size`.
Invariant agreement(const Problem& problem, const Trace& trace, const ReferenceTrace& reference,
                    Stage stage, double size) {
  Invariant result{std::string(stage_name(stage)) + " agrees with the double-precision reference",
                   0, kRelative};
  for (Index h = 0; h < heads_of(trace, stage); ++h) {
    const Matrix& found = *stage_matrix(problem, trace, stage, h);
    const MatrixD& wanted = stage_matrix(reference, stage, h);
    result.error = worse(largest_difference(found, wanted), result.error);
  }
  if (size > 0) result.error /= size;
  return result;
}

// From the weights on the tolerance grows with the scores: a score that is off by δ changes its
// weight by up to the share δ, and the rounding of a large score is large.
void add_agreements(std::vector<Invariant>& all, const Problem& problem, const Trace& trace,
                    const ReferenceTrace& reference) {
  const Sizes sizes = sizes_of(problem, reference);
  const std::pair<Stage, double> stages[] = {{Stage::kQ, sizes.Q},
                                             {Stage::kK, sizes.K},
                                             {Stage::kV, sizes.V},
                                             {Stage::kScores, sizes.scores},
                                             {Stage::kScaledScores, sizes.scaled},
                                             {Stage::kMaskedScores, sizes.masked},
                                             {Stage::kWeights, 1.0},
                                             {Stage::kHeadOutput, sizes.V},
                                             {Stage::kConcat, sizes.V},
                                             {Stage::kOutput, sizes.output}};
  for (const auto& [stage, size] : stages) {
    all.push_back(agreement(problem, trace, reference, stage, size));
    if (stage >= Stage::kWeights) all.back().tolerance *= std::max(1.0, sizes.attended);
  }
}

}  // namespace

std::vector<Invariant> check_invariants(const Problem& problem, const Trace& trace) {
  const ReferenceTrace reference = reference_trace(problem);
  std::vector<Invariant> all = {rows_sum_to_one(trace, reference), masked_are_zero(problem, trace),
                                parts_add_up(problem, trace), all_finite(problem, trace)};
  add_agreements(all, problem, trace, reference);
  return all;
}

}  // namespace attention
