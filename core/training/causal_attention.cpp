#include "core/training/causal_attention.h"

#include <limits>

#include "core/numerics/kernels.h"
#include "core/training/lanes.h"

namespace attention::training {
namespace {

// Smaller exponentials count as 0, as in softmax_rows().
constexpr float kSmallestWeight = std::numeric_limits<float>::min();

ConstBlock head_block(const HeadRows& head, const float* first) {
  return {first, head.n, head.d_k, head.stride};
}

Block head_slot(const HeadRows& head, float* first) {
  return {first, head.n, head.d_k, head.stride};
}

// The first n columns of rows of whole lanes.
ConstBlock square_block(const float* first, Index n) { return {first, n, n, whole_lanes(n)}; }

// Softmax of the first `seen` numbers of a row in place; the others up to `width` become 0.
void softmax_of_first(float* row, Index seen, Index width) {
  constexpr float kBelowAll = -std::numeric_limits<float>::infinity();
  Lanes most = Lanes::Constant(kBelowAll), sum = Lanes::Zero();
  for_lanes(seen, [&](auto lanes) { most = most.max(lanes.load(row, kBelowAll)); });
  const float largest = most.maxCoeff();
  for_lanes(seen, [&](auto lanes) {
    Lanes power = (lanes.load(row, kBelowAll) - largest).exp();
    power = (power < kSmallestWeight).select(0.0f, power);
    power = lanes.filled(power, 0);
    sum += power;
    lanes.store(power, row);
  });
  const float factor = 1 / sum.sum();
  for_lanes(seen, [&](auto lanes) { lanes.store(lanes.load(row) * factor, row); });
  std::fill(row + seen, row + width, 0.0f);
}

// factor · weight · (d − Σ weight · d) of the first `seen` numbers of a row, in place of d; the
// others become 0.
void softmax_adjoint_of_first(const float* weights, float factor, Index seen, Index width,
                              float* d) {
  Lanes sum = Lanes::Zero();
  for_lanes(seen, [&](auto lanes) { sum += lanes.load(weights) * lanes.load(d); });
  const float mean = sum.sum();
  for_lanes(seen, [&](auto lanes) {
    lanes.store(factor * lanes.load(weights) * (lanes.load(d) - mean), d);
  });
  std::fill(d + seen, d + width, 0.0f);
}

}  // namespace

void CausalAttention::transpose(const HeadRows& head, const float* rows, float factor) {
  const Index width = whole_lanes(head.n);
  if (transposed_.rows() != head.d_k || transposed_.cols() != width)
    transposed_.setZero(head.d_k, width);
  for (Index i = 0; i < head.n; ++i)
    for (Index k = 0; k < head.d_k; ++k)
      transposed_.data()[k * width + i] = factor * rows[i * head.stride + k];
}

void CausalAttention::forward(const HeadRows& head, float factor, MatrixSlot weights,
                              MatrixSlot output) {
  transpose(head, head.K, factor);
  kernels().multiply(head_block(head, head.Q), block_of(transposed_), nullptr, slot_of(weights));
  for (Index i = 0; i < head.n; ++i)
    softmax_of_first(weights.data() + i * weights.cols(), i + 1, weights.cols());
  kernels().multiply(square_block(weights.data(), head.n), head_block(head, head.V), nullptr,
                     slot_of(output));
}

void CausalAttention::backward(const HeadRows& head, float factor, const MatrixView& weights,
                               const MatrixView& d_output, const HeadRowSlots& d) {
  const Index width = weights.cols();
  transpose(head, head.V, 1);
  d_scores_.resize(head.n, width);
  kernels().multiply(block_of(d_output), block_of(transposed_), nullptr, slot_of(d_scores_));
  kernels().multiply_left_transposed(square_block(weights.data(), head.n), block_of(d_output),
                                     head_slot(head, d.V));
  for (Index i = 0; i < head.n; ++i)
    softmax_adjoint_of_first(weights.data() + i * width, factor, i + 1, width,
                             d_scores_.data() + i * width);
  const ConstBlock d_scores = square_block(d_scores_.data(), head.n);
  kernels().multiply(d_scores, head_block(head, head.K), nullptr, head_slot(head, d.Q));
  kernels().multiply_left_transposed(d_scores, head_block(head, head.Q), head_slot(head, d.K));
}

}  // namespace attention::training
