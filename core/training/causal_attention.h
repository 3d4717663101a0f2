#pragma once

#include "core/matrix.h"
#include "core/numerics/kernels/blocks.h"

namespace attention::training {

// Causal attention of one head over one sequence of n tokens, and its adjoint.

/// Queries, keys and values of a head, [n × d_k] each, where they stand.
struct HeadRows {
  const float* Q;
  const float* K;
  const float* V;
  Index n, d_k, stride;  ///< `stride` numbers from row to row
};

/// The same, to write their gradients.
struct HeadRowSlots {
  float* Q;
  float* K;
  float* V;
};

/// Computes one head after the other in the same memory. Of products with the weights only those
/// blocks of eight rows and columns are computed that reach below the diagonal.
class CausalAttention {
 public:
  /// Softmax of the rows of Q Kᵀ · factor, each up to the diagonal, → `weights`
  /// [n × padded_to_simd(n)], 0 above it within the blocks; and weights V → `output` [n × d_k].
  void forward(const HeadRows& head, float factor, MatrixSlot weights, MatrixSlot output);

  /// The gradients of Q, K and V, from that of the output.
  void backward(const HeadRows& head, float factor, const MatrixView& weights,
                const MatrixView& d_output, const HeadRowSlots& d);

 private:
  void prepare(const HeadRows& head);
  void transpose(const HeadRows& head, const float* rows, float factor);
  void multiply_below(const ConstBlock& rows, MatrixSlot result) const;

  Matrix transposed_;  // [d_k × padded_to_simd(n)] keys or values
  Matrix mask_;        // [n × padded_to_simd(n)] 0, above the diagonal −∞
  Matrix d_scores_;    // [n × padded_to_simd(n)]
};

}  // namespace attention::training
