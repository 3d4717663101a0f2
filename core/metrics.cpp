#include "core/metrics.h"

#include <cmath>

namespace attention {
namespace {

double information(double weight) { return weight == 0.0 ? 0.0 : -weight * std::log(weight); }

// A number beats a NaN.
bool stronger(float a, float b) { return a > b || (std::isnan(b) && !std::isnan(a)); }

}  // namespace

double mean_entropy(const MatrixView& weights) {
  if (weights.rows() == 0) return 0.0;
  double sum = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) sum += information(weights(i, j));
  }
  return sum / static_cast<double>(weights.rows());
}

Pair strongest_pair(const MatrixView& weights, bool skip_diagonal) {
  if (weights.size() == 0) return {};
  const bool skip = skip_diagonal && weights.cols() > 1;
  const Index first = skip ? 1 : 0;
  Pair best{0, first, weights(0, first)};
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      if ((!skip || i != j) && stronger(weights(i, j), best.weight)) best = {i, j, weights(i, j)};
    }
  }
  return best;
}

double diagonal_weight(const MatrixView& weights) {
  if (weights.size() == 0) return 0.0;
  return weights.diagonal().cast<double>().sum() / static_cast<double>(weights.rows());
}

double output_shift_without_head(const Problem& problem, const Trace& trace, Index head) {
  const Matrix& head_output = *stage_matrix(problem, trace, Stage::kHeadOutput, head);
  const Index d_v = head_output.cols();
  const Matrix part = head_output * problem.parameters.W_O->middleRows(head * d_v, d_v);
  return part.cast<double>().norm();
}

}  // namespace attention
