#pragma once

#include <span>
#include <vector>

#include "core/layer/positions.h"
#include "core/matrix.h"
#include "core/training/causal_attention.h"
#include "core/training/cross_entropy.h"
#include "core/training/parameters.h"

namespace attention::training {

/// A layer norm of rows (Ba, Kiros, Hinton 2016, ε 1e−5), with what its adjoint needs.
struct RowNorm {
  Matrix normal;            ///< [n × d] (x − mean) / σ
  Eigen::VectorXf inverse;  ///< [n] 1 / σ
  Matrix rows;              ///< [n × d] normal · weight + bias

  /// Of the rows x [n × d]; weight and bias are d numbers each.
  void forward(const Matrix& x, const float* weight, const float* bias);
  /// Adds to d_x what moves it through these rows, and sets the gradients of weight and bias.
  void backward(const Matrix& d_rows, const float* weight, Matrix& d_x, float* d_weight,
                float* d_bias) const;
};

/// ε of the norms of trained networks.
inline constexpr float kNormEpsilon = 1e-5f;

/// What a pass keeps of one block, for all sequences below each other: [rows × …].
struct BlockRows {
  RowNorm attention_norm;
  Matrix projected;  ///< [rows × 3 · width] Q, K and V, rotated
  Matrix weights;    ///< [sequences · heads · length × padded_to_simd(length)]
  Matrix concat;     ///< [rows × width]
  RowNorm mlp_norm;
  Matrix up, active;  ///< [rows × d_mlp] before and after the activation
};

/// The forward and backward pass of a part of a batch, on one thread. All sequences stand below
/// each other, so that each projection is one product; attention goes head by head. Keeps its
/// memory from pass to pass.
class ShardPass {
 public:
  /// No losses and no gradient yet. `layout` must outlive the pass.
  explicit ShardPass(const ParameterLayout& layout);

  /// Computes losses() and gradient() of these examples, whose losses count `weight` each.
  void run(const RowVector& parameters, std::span<const Example> examples, float weight);

  /// The losses of the last run.
  const LossSums& losses() const { return losses_; }
  /// d(weight · Σ losses) / d(parameters) of the last run.
  const RowVector& gradient() const { return gradient_; }

 private:
  void embed(std::span<const Example> examples);
  void forward(const BlockRanges& ranges, BlockRows& block);
  void forward_mlp(const BlockRanges& ranges, BlockRows& block);
  void read_out(std::span<const Example> examples, float weight);
  void backward(const BlockRanges& ranges, BlockRows& block);
  void backward_mlp(const BlockRanges& ranges, BlockRows& block);
  void backward_embedding(std::span<const Example> examples);
  void attend(BlockRows& block);
  void attend_backward(BlockRows& block);
  void rotate_all(bool back, Matrix& projected) const;

  const float* at(const ParameterRange& range) const { return parameters_ + range.first; }
  float* gradient_at(const ParameterRange& range) { return gradient_.data() + range.first; }
  void project(const Matrix& rows, const LinearRanges& range, Matrix& result) const;
  void add_projected(const Matrix& rows, const LinearRanges& range);
  void project_backward(const Matrix& rows, const LinearRanges& range, const Matrix& d,
                        Matrix& d_rows);
  void product_backward(const Matrix& rows, const ParameterRange& W, const Matrix& d,
                        Matrix& d_rows);

  const ParameterLayout& layout_;
  RotaryTable rotary_;
  const float* parameters_ = nullptr;
  Index sequences_ = 0;
  std::vector<BlockRows> blocks_;
  Matrix stream_;  // [rows × d_model] the residual stream, and then its gradient
  RowNorm final_;
  Matrix logits_;  // [rows × vocabulary], and then their gradients
  Matrix d_rows_, d_concat_, d_projected_, d_inner_;
  CausalAttention attention_;
  LossSums losses_;
  RowVector gradient_;
};

}  // namespace attention::training
