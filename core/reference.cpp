#include "core/reference.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace attention {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// input W + b; the bias may be empty.
template <typename Input>
MatrixD project(const Input& input, const Matrix& W, const Matrix& b) {
  MatrixD result(input.rows(), W.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      double sum = b.size() > 0 ? b(0, j) : 0.0;
      for (Index d = 0; d < W.rows(); ++d) sum += static_cast<double>(input(i, d)) * W(d, j);
      result(i, j) = sum;
    }
  }
  return result;
}

MatrixD score(const MatrixD& Q, const MatrixD& K) {
  MatrixD result(Q.rows(), K.rows());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      double sum = 0;
      for (Index d = 0; d < Q.cols(); ++d) sum += Q(i, d) * K(j, d);
      result(i, j) = sum;
    }
  }
  return result;
}

MatrixD scaled(const MatrixD& scores, const Config& config) {
  const double root = config.scale ? std::sqrt(static_cast<double>(config.d_k)) : 1.0;
  MatrixD result = scores;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] /= root * config.temperature;
  return result;
}

MatrixD masked(const MatrixD& scaled_scores, const Problem& problem) {
  MatrixD result = scaled_scores;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      if (!problem.bias.empty()) result(i, j) += (*problem.bias)(i, j);
      if (!problem.may_attend(i, j)) result(i, j) = -kInfinity;
    }
  }
  return result;
}

// A row of −∞ alone gets weights 0. NaN and +∞ spread over their row as NaN by themselves:
// neither x − ∞ nor ∞ / ∞ is a number.
void softmax_row(const MatrixD& scores, Index i, MatrixD& weights) {
  double maximum = -kInfinity;
  for (Index j = 0; j < scores.cols(); ++j) maximum = std::fmax(maximum, scores(i, j));
  const bool nothing = (scores.row(i).array() == -kInfinity).all();
  double denominator = 0;
  for (Index j = 0; j < scores.cols(); ++j) {
    weights(i, j) = nothing ? 0.0 : std::exp(scores(i, j) - maximum);
    denominator += weights(i, j);
  }
  for (Index j = 0; j < scores.cols() && !nothing; ++j) weights(i, j) /= denominator;
}

MatrixD softmax(const MatrixD& scores) {
  MatrixD weights(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) softmax_row(scores, i, weights);
  return weights;
}

MatrixD mix(const MatrixD& weights, const MatrixD& V) {
  MatrixD result(weights.rows(), V.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index d = 0; d < result.cols(); ++d) {
      double sum = 0;
      for (Index j = 0; j < V.rows(); ++j) sum += weights(i, j) * V(j, d);
      result(i, d) = sum;
    }
  }
  return result;
}

ReferenceHead reference_head(const Problem& problem, const HeadParameters& parameters) {
  ReferenceHead head;
  head.Q = project(*problem.X, *parameters.W_Q, *parameters.b_Q);
  head.K = project(*problem.kv_input(), *parameters.W_K, *parameters.b_K);
  head.V = project(*problem.kv_input(), *parameters.W_V, *parameters.b_V);
  head.scores = score(head.Q, head.K);
  head.scaled_scores = scaled(head.scores, problem.config);
  head.masked_scores = masked(head.scaled_scores, problem);
  head.weights = softmax(head.masked_scores);
  head.head_output = mix(head.weights, head.V);
  return head;
}

MatrixD concat(const std::vector<ReferenceHead>& heads, Index seq_len, Index d_v) {
  MatrixD result(seq_len, std::ssize(heads) * d_v);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index c = 0; c < result.cols(); ++c) {
      result(i, c) = heads[static_cast<size_t>(c / d_v)].head_output(i, c % d_v);
    }
  }
  return result;
}

const MatrixD& matrix_of(const ReferenceHead& head, Stage stage) {
  switch (stage) {
    case Stage::kQ:
      return head.Q;
    case Stage::kK:
      return head.K;
    case Stage::kV:
      return head.V;
    case Stage::kScores:
      return head.scores;
    case Stage::kScaledScores:
      return head.scaled_scores;
    case Stage::kMaskedScores:
      return head.masked_scores;
    case Stage::kWeights:
      return head.weights;
    default:
      return head.head_output;
  }
}

}  // namespace

ReferenceTrace reference_trace(const Problem& problem) {
  validate(problem);
  ReferenceTrace trace;
  for (const HeadParameters& parameters : problem.parameters.heads) {
    trace.heads.push_back(reference_head(problem, parameters));
  }
  trace.concat = concat(trace.heads, problem.seq_len(), problem.config.d_v);
  trace.output = project(trace.concat, *problem.parameters.W_O, *problem.parameters.b_O);
  return trace;
}

const MatrixD& stage_matrix(const ReferenceTrace& trace, Stage stage, Index head) {
  if (stage == Stage::kX) throw std::out_of_range("X is an input, there is no reference for it");
  if (stage == Stage::kConcat) return trace.concat;
  if (stage == Stage::kOutput) return trace.output;
  if (head < 0 || head >= std::ssize(trace.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(trace.heads.size()));
  }
  return matrix_of(trace.heads[static_cast<size_t>(head)], stage);
}

}  // namespace attention
