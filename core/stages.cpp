#include "core/stages.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/shape_text.h"

namespace attention {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Eigen's vectorised exp does not fall below about 4e-39, not even for −∞. Whatever is smaller
// than a normal float is set to 0.
constexpr float kSmallestExponential = std::numeric_limits<float>::min();

void require(bool fits, const char* stage, const char* a_name, const MatrixView& a,
             const char* b_name, const MatrixView& b) {
  if (fits) return;
  throw std::invalid_argument(std::string(stage) + ": " + a_name + " is " +
                              shape_text(a.rows(), a.cols()) + " and " + b_name + " is " +
                              shape_text(b.rows(), b.cols()) + ", which do not fit");
}

bool same_shape(const MatrixView& a, const MatrixView& b) {
  return a.rows() == b.rows() && a.cols() == b.cols();
}

// Softmax of one row, in place.
void softmax(Eigen::Ref<RowVector> row) {
  const float maximum = row.maxCoeff<Eigen::PropagateNaN>();
  if (maximum == -kInfinity) {
    row.setZero();
  } else if (!(maximum < kInfinity)) {
    row.setConstant(kNaN);
  } else {
    row.array() -= maximum;
    row = row.array().exp();
    for (float& value : row) value = value < kSmallestExponential ? 0.0f : value;
    row /= row.sum();
  }
}

}  // namespace

Matrix project(const MatrixView& input, const MatrixView& W, const MatrixView& b) {
  require(input.cols() == W.rows(), "projection", "the input", input, "W", W);
  require(b.size() == 0 || (b.rows() == 1 && b.cols() == W.cols()), "projection", "W", W, "b", b);
  Matrix result(input.rows(), W.cols());
  result.noalias() = input * W;
  if (b.size() > 0) result.rowwise() += b.row(0);
  return result;
}

Matrix attention_scores(const MatrixView& Q, const MatrixView& K) {
  require(Q.cols() == K.cols(), "scores", "Q", Q, "K", K);
  Matrix result(Q.rows(), K.rows());
  result.noalias() = Q * K.transpose();
  return result;
}

Matrix scale_scores(const MatrixView& scores, float factor) { return scores * factor; }

Matrix mask_scores(const MatrixView& scaled, const Problem& problem) {
  const Matrix &allowed = *problem.allowed, &bias = *problem.bias;
  require(problem.allowed.empty() || same_shape(scaled, allowed), "masked_scores", "scaled_scores",
          scaled, "the mask", allowed);
  require(problem.bias.empty() || same_shape(scaled, bias), "masked_scores", "scaled_scores",
          scaled, "bias", bias);
  Matrix result = scaled;
  if (!problem.bias.empty()) result += bias;
  if (!problem.allowed.empty()) {
    result = (allowed.array() == 0.0f).select(-kInfinity, result);
  }
  if (problem.config.mask == MaskKind::kCausal) {
    for (Index i = 0; i + 1 < result.cols() && i < result.rows(); ++i) {
      result.row(i).tail(result.cols() - i - 1).setConstant(-kInfinity);
    }
  }
  return result;
}

Matrix softmax_rows(const MatrixView& scores) {
  Matrix result = scores;
  if (result.cols() == 0) return result;
  for (Index i = 0; i < result.rows(); ++i) softmax(result.row(i));
  return result;
}

Matrix mix_values(const MatrixView& weights, const MatrixView& V) {
  require(weights.cols() == V.rows(), "head_output", "weights", weights, "V", V);
  Matrix result(weights.rows(), V.cols());
  result.noalias() = weights * V;
  return result;
}

Matrix concat_heads(std::span<const HeadTrace> heads) {
  if (heads.empty()) return {};
  const Matrix& first = *heads[0].head_output;
  Matrix result(first.rows(), std::ssize(heads) * first.cols());
  for (size_t h = 0; h < heads.size(); ++h) {
    const Matrix& part = *heads[h].head_output;
    require(same_shape(first, part), "concat", "the first head_output", first, "another", part);
    result.middleCols(static_cast<Index>(h) * first.cols(), first.cols()) = part;
  }
  return result;
}

}  // namespace attention
