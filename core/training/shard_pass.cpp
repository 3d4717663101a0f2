#include "core/training/shard_pass.h"

#include <cmath>

#include "core/gradient/network_adjoints.h"
#include "core/layer/stages.h"
#include "core/network/positions.h"
#include "core/network/row_functions.h"
#include "core/numerics/kernels.h"
#include "core/training/simd_block.h"

namespace attention::training {
namespace {

using ParameterRow = Eigen::Map<Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor>>;
using ConstParameterRow =
    Eigen::Map<const Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor>>;

ConstBlock block_at(const float* numbers, const Shape& shape) {
  return {numbers, shape.rows, shape.cols, shape.cols};
}

Block slot_at(float* numbers, const Shape& shape) {
  return {numbers, shape.rows, shape.cols, shape.cols};
}

float mean_of(const float* row, Index d) {
  SimdBlock sum = SimdBlock::Zero();
  for_simd_blocks(d, [&](auto block) { sum += block.load(row); });
  return sum.sum() / static_cast<float>(d);
}

}  // namespace

ShardPass::ShardPass(const ParameterLayout& layout)
    : layout_(layout),
      blocks_(layout.blocks.size()),
      losses_(layout.length),
      gradient_(layout.count) {
  if (layout.position_type == TrainedPositions::kRotary)
    rotary_ = network::rotary_table({RotaryPairs::kHalves, rotary_frequencies(layout.d_k), 1},
                                    layout.length);
}

void ShardPass::run(const RowVector& parameters, std::span<const Example> examples, float weight) {
  parameters_ = parameters.data();
  sequences_ = std::ssize(examples);
  losses_ = LossSums(layout_.length);
  embed(examples);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    forward(layout_.blocks[i], blocks_[i]);
    if (layout_.d_mlp > 0) forward_mlp(layout_.blocks[i], blocks_[i]);
  }
  read_out(examples, weight);
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (layout_.d_mlp > 0) backward_mlp(layout_.blocks[i], blocks_[i]);
    backward(layout_.blocks[i], blocks_[i]);
  }
  backward_embedding(examples);
}

void ShardPass::embed(std::span<const Example> examples) {
  const Index length = layout_.length, d = layout_.d_model;
  stream_.resize(sequences_ * length, d);
  for (Index s = 0; s < sequences_; ++s) {
    for (Index i = 0; i < length; ++i) {
      const Index id = examples[static_cast<std::size_t>(s)].ids[static_cast<std::size_t>(i)];
      auto row = stream_.row(s * length + i);
      row = ConstParameterRow(at(layout_.tokens) + id * d, d);
      if (layout_.positions.size() > 0) row += ConstParameterRow(at(layout_.positions) + i * d, d);
    }
  }
}

void ShardPass::backward_embedding(std::span<const Example> examples) {
  const Index length = layout_.length, d = layout_.d_model;
  ParameterRow(gradient_at(layout_.tokens), layout_.tokens.size()).setZero();
  ParameterRow(gradient_at(layout_.positions), layout_.positions.size()).setZero();
  for (Index s = 0; s < sequences_; ++s) {
    for (Index i = 0; i < length; ++i) {
      const Index id = examples[static_cast<std::size_t>(s)].ids[static_cast<std::size_t>(i)];
      const auto row = stream_.row(s * length + i);
      ParameterRow(gradient_at(layout_.tokens) + id * d, d) += row;
      if (layout_.positions.size() > 0)
        ParameterRow(gradient_at(layout_.positions) + i * d, d) += row;
    }
  }
}

void ShardPass::forward(const BlockRanges& ranges, BlockRows& block) {
  block.attention_norm.forward(stream_, at(ranges.attention_norm.weight),
                               at(ranges.attention_norm.bias));
  project(block.attention_norm.rows, ranges.projections, block.projected);
  rotate_all(false, block.projected);
  attend(block);
  add_projected(block.concat, ranges.output);
}

void ShardPass::backward(const BlockRanges& ranges, BlockRows& block) {
  project_backward(block.concat, ranges.output, stream_, d_concat_);
  attend_backward(block);
  rotate_all(true, d_projected_);
  project_backward(block.attention_norm.rows, ranges.projections, d_projected_, d_rows_);
  block.attention_norm.backward(d_rows_, at(ranges.attention_norm.weight), stream_,
                                gradient_at(ranges.attention_norm.weight),
                                gradient_at(ranges.attention_norm.bias));
}

void ShardPass::forward_mlp(const BlockRanges& ranges, BlockRows& block) {
  block.mlp_norm.forward(stream_, at(ranges.mlp_norm.weight), at(ranges.mlp_norm.bias));
  project(block.mlp_norm.rows, ranges.up, block.up);
  block.active = block.up;
  network::activate(network::Activation::kGeluTanh, block.active);
  add_projected(block.active, ranges.down);
}

void ShardPass::backward_mlp(const BlockRanges& ranges, BlockRows& block) {
  project_backward(block.active, ranges.down, stream_, d_inner_);
  d_inner_ = network::activation_adjoint(network::Activation::kGeluTanh, block.up, d_inner_);
  project_backward(block.mlp_norm.rows, ranges.up, d_inner_, d_rows_);
  block.mlp_norm.backward(d_rows_, at(ranges.mlp_norm.weight), stream_,
                          gradient_at(ranges.mlp_norm.weight), gradient_at(ranges.mlp_norm.bias));
}

// Through the final norm to the logits and back, so that the stream then holds its gradient.
void ShardPass::read_out(std::span<const Example> examples, float weight) {
  const NormRanges& norm = layout_.final_norm;
  final_.forward(stream_, at(norm.weight), at(norm.bias));
  logits_.resize(stream_.rows(), layout_.vocabulary);
  kernels().multiply(block_of(final_.rows), block_at(at(layout_.read_out), layout_.read_out.shape),
                     nullptr, slot_of(logits_));
  for (Index s = 0; s < sequences_; ++s)
    cross_entropy(examples[static_cast<std::size_t>(s)], weight,
                  logits_.middleRows(s * layout_.length, layout_.length), losses_);
  product_backward(final_.rows, layout_.read_out, logits_, d_rows_);
  stream_.setZero();
  final_.backward(d_rows_, at(norm.weight), stream_, gradient_at(norm.weight),
                  gradient_at(norm.bias));
}

// The rows of one head of one sequence in `projected`, and its weights.
void ShardPass::attend(BlockRows& block) {
  const Index n = layout_.length, d_k = layout_.d_k, width = layout_.width();
  const float factor = 1 / std::sqrt(static_cast<float>(d_k));
  block.weights.resize(sequences_ * layout_.heads * n, padded_to_simd(n));
  block.concat.resize(sequences_ * n, width);
  for (Index s = 0; s < sequences_; ++s) {
    for (Index head = 0; head < layout_.heads; ++head) {
      const float* const Q = block.projected.data() + s * n * 3 * width + head * d_k;
      attention_.forward({Q, Q + width, Q + 2 * width, n, d_k, 3 * width}, factor,
                         block.weights.middleRows((s * layout_.heads + head) * n, n),
                         block.concat.block(s * n, head * d_k, n, d_k));
    }
  }
}

void ShardPass::attend_backward(BlockRows& block) {
  const Index n = layout_.length, d_k = layout_.d_k, width = layout_.width();
  const float factor = 1 / std::sqrt(static_cast<float>(d_k));
  d_projected_.resize(sequences_ * n, 3 * width);
  for (Index s = 0; s < sequences_; ++s) {
    for (Index head = 0; head < layout_.heads; ++head) {
      const Index first = s * n * 3 * width + head * d_k;
      const float* const Q = block.projected.data() + first;
      float* const d_Q = d_projected_.data() + first;
      attention_.backward({Q, Q + width, Q + 2 * width, n, d_k, 3 * width}, factor,
                          block.weights.middleRows((s * layout_.heads + head) * n, n),
                          d_concat_.block(s * n, head * d_k, n, d_k),
                          {d_Q, d_Q + width, d_Q + 2 * width});
    }
  }
}

void ShardPass::rotate_all(bool back, Matrix& projected) const {
  if (layout_.position_type != TrainedPositions::kRotary) return;
  const RotaryTable table = {rotary_.cosines, back ? Matrix(-rotary_.sines) : rotary_.sines, 0};
  const Index n = layout_.length, d_k = layout_.d_k;
  for (Index s = 0; s < sequences_; ++s) {
    for (Index part = 0; part < 2 * layout_.heads; ++part) {  // queries, then keys
      auto rows = projected.block(s * n, part * d_k, n, d_k);
      rotate(rows, table, RotaryPairs::kHalves, 0, rows);
    }
  }
}

void ShardPass::project(const Matrix& rows, const LinearRanges& range, Matrix& result) const {
  result.resize(rows.rows(), range.W.shape.cols);
  kernels().multiply(block_of(rows), block_at(at(range.W), range.W.shape), at(range.b),
                     slot_of(result));
}

void ShardPass::add_projected(const Matrix& rows, const LinearRanges& range) {
  kernels().multiply_add(block_of(rows), block_at(at(range.W), range.W.shape), slot_of(stream_));
  stream_.rowwise() += ConstParameterRow(at(range.b), range.b.size());
}

void ShardPass::project_backward(const Matrix& rows, const LinearRanges& range, const Matrix& d,
                                 Matrix& d_rows) {
  ParameterRow d_b(gradient_at(range.b), range.b.size());
  d_b = d.row(0);  // row after row: the sum does not depend on where it stands in memory
  for (Index i = 1; i < d.rows(); ++i) d_b += d.row(i);
  product_backward(rows, range.W, d, d_rows);
}

// Of rows W: d Wᵀ, and rowsᵀ d.
void ShardPass::product_backward(const Matrix& rows, const ParameterRange& W, const Matrix& d,
                                 Matrix& d_rows) {
  kernels().multiply_left_transposed(block_of(rows), block_of(d), slot_at(gradient_at(W), W.shape));
  d_rows.resize(d.rows(), W.shape.rows);
  kernels().multiply_transposed(block_of(d), block_at(at(W), W.shape), slot_of(d_rows));
}

void RowNorm::forward(const Matrix& x, const float* weight, const float* bias) {
  const Index d = x.cols();
  normal.resize(x.rows(), d);
  rows.resize(x.rows(), d);
  inverse.resize(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    const float* const from = x.data() + i * d;
    float* const to = normal.data() + i * d;
    const float mean = mean_of(from, d);
    SimdBlock squares = SimdBlock::Zero();
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock apart = block.filled(block.load(from) - mean, 0);
      squares += apart * apart;
      block.store(apart, to);
    });
    const float factor = 1 / std::sqrt(squares.sum() / static_cast<float>(d) + kNormEpsilon);
    inverse(i) = factor;
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock normed = block.load(to) * factor;
      block.store(normed, to);
      block.store(normed * block.load(weight) + block.load(bias), rows.data() + i * d);
    });
  }
}

void RowNorm::backward(const Matrix& d_rows, const float* weight, Matrix& d_x, float* d_weight,
                       float* d_bias) const {
  const Index d = normal.cols();
  std::fill_n(d_weight, d, 0.0f);
  std::fill_n(d_bias, d, 0.0f);
  for (Index i = 0; i < normal.rows(); ++i) {
    const float* const row = normal.data() + i * d;
    const float* const moved = d_rows.data() + i * d;
    float* const to = d_x.data() + i * d;
    SimdBlock sum = SimdBlock::Zero(), along_sum = SimdBlock::Zero();
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock n = block.load(row), m = block.load(moved), g = m * block.load(weight);
      sum += g;
      along_sum += g * n;
      block.store(block.load(d_weight) + m * n, d_weight);
      block.store(block.load(d_bias) + m, d_bias);
    });
    const float mean = sum.sum() / static_cast<float>(d);
    const float along = along_sum.sum() / static_cast<float>(d), factor = inverse(i);
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock g = block.load(moved) * block.load(weight);
      block.store(block.load(to) + (g - mean - along * block.load(row)) * factor, to);
    });
  }
}

}  // namespace attention::training
