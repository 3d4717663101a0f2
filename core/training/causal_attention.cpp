#include "core/training/causal_attention.h"

#include "core/gradient/adjoints.h"

namespace attention::training {
namespace {

using Stride = Eigen::OuterStride<>;
using Rows = Eigen::Map<const Matrix, 0, Stride>;
using RowSlots = Eigen::Map<Matrix, 0, Stride>;

Rows rows_of(const HeadRows& head, const float* first) {
  return {first, head.n, head.d_k, Stride(head.stride)};
}

RowSlots slots_of(const HeadRows& head, float* first) {
  return {first, head.n, head.d_k, Stride(head.stride)};
}

}  // namespace

void attend_causally(const HeadRows& head, float factor, MatrixSlot weights, MatrixSlot output) {
  weights.noalias() = factor * (rows_of(head, head.Q) * rows_of(head, head.K).transpose());
  for (Index i = 0; i < head.n; ++i) {
    auto seen = weights.row(i).head(i + 1).array();
    seen = (seen - seen.maxCoeff()).exp();
    seen /= seen.sum();
    weights.row(i).tail(head.n - i - 1).setZero();
  }
  output.noalias() = weights * rows_of(head, head.V);
}

void attend_causally_adjoint(const HeadRows& head, float factor, const MatrixView& weights,
                             const MatrixView& d_output, const HeadRowSlots& d) {
  Matrix d_weights = d_output * rows_of(head, head.V).transpose();
  slots_of(head, d.V).noalias() = weights.transpose() * d_output;
  Matrix d_scores = Matrix::Zero(head.n, head.n);
  softmax_rows_adjoint(weights, d_weights, d_scores);
  d_scores *= factor;
  slots_of(head, d.Q).noalias() = d_scores * rows_of(head, head.K);
  slots_of(head, d.K).noalias() = d_scores.transpose() * rows_of(head, head.Q);
}

}  // namespace attention::training
