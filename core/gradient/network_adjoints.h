#pragma once

#include <vector>

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

// The adjoints of the parts of a network, see adjoints.h: `d` is d(number) / d(result), and each
// function adds d(number) / d(operand) to `d_operand`.

namespace attention::network {

/// d(number) / d(each number of a Linear): [in × out] and [1 × out]; empty where nothing reached
/// it, or it is absent.
struct LinearGradient {
  Matrix W, b;
};

/// d(number) / d(each factor and offset of a Norm), likewise.
struct NormGradient {
  Matrix weight, bias;
};

/// d(number) / d(each number of an Mlp).
struct MlpGradient {
  LinearGradient gate, up, down;
};

/// d(number) / d(each factor of ExpertNorms).
struct ExpertNormsGradient {
  NormGradient router, before, after, beside;
};

/// d(number) / d(each number of Experts); empty where nothing reached it.
struct ExpertsGradient {
  LinearGradient router, shared_gate;
  std::vector<MlpGradient> experts;
  Matrix scales;
  ExpertNormsGradient norms;
};

/// Of rows W + b, for rows [n × in].
void linear_adjoint(const Linear& linear, const Matrix& rows, const Matrix& d, Matrix& d_rows,
                    LinearGradient& gradient);

/// Of a norm of `rows` [n × d].
void norm_adjoint(const Norm& norm, const Matrix& rows, const Matrix& d, Matrix& d_rows,
                  NormGradient& gradient);

/// d(number) / d(each number of a ShortConvolution); empty where nothing reached it.
struct ConvolutionGradient {
  LinearGradient in;
  Matrix kernel, bias;
  LinearGradient out;
};

/// Of convolve() for rows [n × d_model] of one text.
void convolution_adjoint(const ShortConvolution& convolution, const Matrix& rows, const Matrix& d,
                         ThreadPool& pool, Matrix& d_rows, ConvolutionGradient& gradient);

/// d(number) / d(each number of a CompressedRow).
struct CompressedGradient {
  LinearGradient down;
  NormGradient norm;
};

/// d(number) / d(each number of LatentAttention); empty where nothing reached it.
struct LatentGradient {
  CompressedGradient query, key_value;
};

/// Of latent_input() for `rows` [n × d_model]: `d` [n × input_width()]. Precondition: attention is
/// latent.
void latent_adjoint(const Attention& attention, const Matrix& rows, const Matrix& d,
                    ThreadPool& pool, Matrix& d_rows, LatentGradient& gradient);

/// Of an activation of `values`: d · f′(values), as a new matrix.
Matrix activation_adjoint(Activation activation, const Matrix& values, const Matrix& d);

/// Of an MLP of `rows` [n × d_model].
void mlp_adjoint(const Mlp& mlp, const Matrix& rows, const Matrix& d, ThreadPool& pool,
                 Matrix& d_rows, MlpGradient& gradient);

/// The rows that a feed-forward network reads, and what moves them, see compute_feed_forward().
struct FeedForwardRows {
  const Matrix& rows;  ///< [n × d_model]
  const Matrix& stream;
  Matrix& d_rows;
  Matrix& d_stream;
};

/// Of compute_feed_forward(). Which experts are chosen is held fixed.
void feed_forward_adjoint(const Block& block, const FeedForwardRows& read, const Matrix& d,
                          ThreadPool& pool, MlpGradient& mlp, ExpertsGradient& experts);

/// d(number) / d(each number of an InputGate).
struct InputGateGradient {
  LinearGradient gate, projection;
  NormGradient norm;
};

/// Of finish_block() for `rows` [n × d_model] and the `input` of the layer [n × width]: adds to
/// d_rows and d_input, which are empty or have their shapes.
void finish_adjoint(const Block& block, const Matrix& rows, const Matrix& input, const Matrix& d,
                    ThreadPool& pool, Matrix& d_rows, Matrix& d_input, InputGateGradient& gradient);

/// d(number) / d(each number of LayerInputs, but of the tokens' rows).
struct LayerInputsGradient {
  LinearGradient projection;
  NormGradient norm;
};

/// From `d` [n × all layers' width] by what LayerInputs give to the first rows [n × d_model] of the
/// stream, to which it adds.
void layer_inputs_adjoint(const LayerInputs& inputs, const Matrix& rows, const Matrix& d,
                          ThreadPool& pool, Matrix& d_rows, LayerInputsGradient& gradient);

}  // namespace attention::network
