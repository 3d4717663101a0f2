#include "core/training/causal_attention.h"

#include <array>
#include <limits>

#include "core/numerics/kernels.h"
#include "core/training/simd_block.h"

namespace attention::training {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
// Smaller exponentials count as 0, as in softmax_rows().
constexpr float kSmallestWeight = std::numeric_limits<float>::min();
// Rows of a block on the diagonal.
constexpr Index kBlockRows = 8;

using BlockMap = Eigen::Map<SimdBlock>;
using ConstBlockMap = Eigen::Map<const SimdBlock>;

// Lanes up to the diagonal of row `row`.
Index simd_columns_up_to(Index row) { return row / kSimdWidth * kSimdWidth + kSimdWidth; }

// Softmax of a row of scores in place; `mask` is added to them, see CausalAttention.
void softmax_below(Index row, const float* mask, float* scores) {
  const Index end = simd_columns_up_to(row);
  SimdBlock most = SimdBlock::Constant(kMinusInfinity), sum = SimdBlock::Zero();
  for (Index j = 0; j < end; j += kSimdWidth) {
    const SimdBlock masked = ConstBlockMap(scores + j) + ConstBlockMap(mask + j);
    BlockMap(scores + j) = masked;
    most = most.max(masked);
  }
  const float largest = most.maxCoeff();
  for (Index j = 0; j < end; j += kSimdWidth) {
    SimdBlock power = (ConstBlockMap(scores + j) - largest).exp();
    power = (power < kSmallestWeight).select(0.0f, power);
    sum += power;
    BlockMap(scores + j) = power;
  }
  const float factor = 1 / sum.sum();
  for (Index j = 0; j < end; j += kSimdWidth) BlockMap(scores + j) *= factor;
}

// factor · weight · (d − Σ weight · d) of a row, in place of d.
void softmax_adjoint_below(Index row, const float* weights, float factor, float* d) {
  const Index end = simd_columns_up_to(row);
  SimdBlock sum = SimdBlock::Zero();
  for (Index j = 0; j < end; j += kSimdWidth)
    sum += ConstBlockMap(weights + j) * ConstBlockMap(d + j);
  const float mean = sum.sum();
  for (Index j = 0; j < end; j += kSimdWidth)
    BlockMap(d + j) = factor * ConstBlockMap(weights + j) * (ConstBlockMap(d + j) - mean);
}

// `kRows` rows of left · rows from `row` on, the 16 columns of `columns`, in registers. The left
// operand has the numbers left(row, k).
template <int kRows, typename Left, typename Columns>
void multiply_tile_of(const Left& left, Index row, Index first_k, Index end_k,
                      const ConstBlock& rows, const Columns& columns, const Block& result) {
  std::array<SimdBlock, kRows> sums;
  sums.fill(SimdBlock::Zero());
  for (Index k = first_k; k < end_k; ++k) {
    const SimdBlock factors = columns.load(rows.data + k * rows.stride);
    for (int r = 0; r < kRows; ++r) sums[r] += left(row + r, k) * factors;
  }
  for (int r = 0; r < kRows; ++r) columns.store(sums[r], result.data + (row + r) * result.stride);
}

// The same for `count` rows, at most kBlockRows.
template <typename Left>
void multiply_block(const Left& left, Index row, Index count, Index first_k, Index end_k,
                    const ConstBlock& rows, const Block& result) {
  for_simd_blocks(rows.cols, [&](auto columns) {
    if (count == kBlockRows)
      return multiply_tile_of<kBlockRows>(left, row, first_k, end_k, rows, columns, result);
    for (Index i = 0; i < count; ++i)
      multiply_tile_of<1>(left, row + i, first_k, end_k, rows, columns, result);
  });
}

// weights · rows: [n × n] · [n × d_k], for weights that are 0 above the diagonal.
void multiply_triangle(const MatrixView& weights, const ConstBlock& rows, const Block& result) {
  const auto left = [data = weights.data(), width = weights.cols()](Index row, Index k) {
    return data[row * width + k];
  };
  for (Index first = 0; first < rows.rows; first += kBlockRows) {
    const Index count = std::min(kBlockRows, rows.rows - first);
    multiply_block(left, first, count, 0, first + count, rows, result);
  }
}

// weightsᵀ · rows, likewise.
void multiply_triangle_transposed(const MatrixView& weights, const ConstBlock& rows,
                                  const Block& result) {
  const auto left = [data = weights.data(), width = weights.cols()](Index row, Index k) {
    return data[k * width + row];
  };
  for (Index first = 0; first < rows.rows; first += kBlockRows) {
    const Index count = std::min(kBlockRows, rows.rows - first);
    multiply_block(left, first, count, first, rows.rows, rows, result);
  }
}

}  // namespace

void CausalAttention::prepare(const HeadRows& head) {
  const Index width = padded_to_simd(head.n);
  if (mask_.rows() != head.n) {
    mask_.setConstant(head.n, width, kMinusInfinity);
    for (Index i = 0; i < head.n; ++i) mask_.row(i).head(i + 1).setZero();
    d_scores_.setZero(head.n, width);
  }
  if (transposed_.rows() != head.d_k || transposed_.cols() != width)
    transposed_.setZero(head.d_k, width);
}

// Squares of 16 rows and columns at a time, which Eigen transposes in registers.
void CausalAttention::transpose(const HeadRows& head, const float* rows, float factor) {
  Eigen::Matrix<float, kSimdWidth, kSimdWidth, Eigen::RowMajor> square;
  for (Index first = 0; first < head.n; first += kSimdWidth) {
    const Index count = std::min(kSimdWidth, head.n - first);
    for_simd_blocks(head.d_k, [&](auto block) {
      square.setZero();
      for (Index i = 0; i < count; ++i)
        square.row(i) = factor * block.load(rows + (first + i) * head.stride).transpose().matrix();
      square.transposeInPlace();
      const Index columns = std::min(kSimdWidth, head.d_k - block.first);
      for (Index k = 0; k < columns; ++k)
        transposed_.block(block.first + k, first, 1, kSimdWidth) = square.row(k);
    });
  }
}

// rows [n × d_k] · transposed_, up to the lanes of the diagonal.
void CausalAttention::multiply_below(const ConstBlock& rows, MatrixSlot result) const {
  const auto left = [&rows](Index row, Index k) { return rows.data[row * rows.stride + k]; };
  const Block to = slot_of(result);
  for (Index first = 0; first < rows.rows; first += kBlockRows) {
    const Index count = std::min(kBlockRows, rows.rows - first);
    const Index columns = simd_columns_up_to(first + count - 1);
    multiply_block(left, first, count, 0, rows.cols,
                   {transposed_.data(), rows.cols, columns, transposed_.cols()}, to);
  }
}

void CausalAttention::forward(const HeadRows& head, float factor, MatrixSlot weights,
                              MatrixSlot output) {
  prepare(head);
  transpose(head, head.K, factor);
  multiply_below({head.Q, head.n, head.d_k, head.stride}, weights);
  for (Index i = 0; i < head.n; ++i)
    softmax_below(i, mask_.data() + i * mask_.cols(), weights.data() + i * weights.cols());
  multiply_triangle(weights, {head.V, head.n, head.d_k, head.stride}, slot_of(output));
}

void CausalAttention::backward(const HeadRows& head, float factor, const MatrixView& weights,
                               const MatrixView& d_output, const HeadRowSlots& d) {
  const auto slot = [&](float* first) { return Block{first, head.n, head.d_k, head.stride}; };
  prepare(head);
  transpose(head, head.V, 1);
  multiply_below(block_of(d_output), d_scores_);
  multiply_triangle_transposed(weights, block_of(d_output), slot(d.V));
  for (Index i = 0; i < head.n; ++i)
    softmax_adjoint_below(i, weights.data() + i * weights.cols(), factor,
                          d_scores_.data() + i * d_scores_.cols());
  multiply_triangle(d_scores_, {head.K, head.n, head.d_k, head.stride}, slot(d.Q));
  multiply_triangle_transposed(d_scores_, {head.Q, head.n, head.d_k, head.stride}, slot(d.K));
}

}  // namespace attention::training
