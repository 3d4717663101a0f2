#pragma once

#include "core/network/attention_pass.h"
#include "core/network/row_functions.h"

namespace attention::network {

/// What is kept of a block's attention sublayers, or of its convolution, to compute only some of
/// its rows again.
struct BlockState {
  Projected attention, cross_attention;
  RowBuffer gated;  ///< see convolve()
};

/// How the products of a block are summed: as those of its attention.
Precision precision_of(const Block& block);

/// What a block is computed from, besides its input.
struct BlockPass {
  const Block& block;
  Index first_row = 0;  ///< the first row that is computed
  const Interventions& interventions;
  LayerId at;
  const Matrix* encoder_output = nullptr;  ///< [n_keys × d_model]; null without an encoder
  ThreadPool& pool;
  const KeySource* source = nullptr;     ///< where the block uses another's keys and values
  const Matrix* layer_inputs = nullptr;  ///< [n × all layers' width], see LayerInputs; or null
};

/// The rows from `pass.first_row` on of a block's output. `input` [n × d_model] is the residual
/// stream before it. Updates those rows of the attention weights, see attend(), and of `state`.
Matrix compute_block(const BlockPass& pass, const Matrix& input, Matrix& weights,
                     Matrix& cross_weights, BlockState& state);

/// The rows from `pass.first_row` on of a block's output, likewise, from those of its input
/// [n − first_row × d_model]. Keeps no weights.
Matrix continue_block(const BlockPass& pass, const Matrix& rows, BlockState& state);

/// The residual stream [n × d_model] between a block's self-attention and what follows it.
/// Precondition: the block has keys and values of its own.
Matrix after_self_attention(const BlockPass& pass, const Matrix& input);

/// What a block's convolution gives for all rows of the stream before it, `input` [n × d_model].
/// Precondition: it has one.
Matrix convolution_output(const Block& block, const Matrix& input, ThreadPool& pool);

/// before(x): the rows that a sublayer reads.
Matrix before_sublayer(const SublayerNorms& norms, Matrix x, ThreadPool& pool);

/// after(x + factor · branch(output)): the rows after a sublayer that gave `output`.
Matrix after_sublayer(const SublayerNorms& norms, const Matrix& x, Matrix output, ThreadPool& pool);

/// after(x + factor · branch(f(before(x)))): the rows after a sublayer f.
template <typename Function>
Matrix with_sublayer(const SublayerNorms& norms, const Matrix& x, ThreadPool& pool, Function f) {
  return after_sublayer(norms, x, f(before_sublayer(norms, x, pool)), pool);
}

/// The MLP of rows [n × d_model] that were normalised.
Matrix compute_mlp(const Mlp& mlp, const MatrixView& rows, Precision precision, ThreadPool& pool);

/// The stream after the MLP of a block that reads x [n × d_model] and has y after its attention
/// sublayers; y itself where there is no MLP.
Matrix after_mlp(const Block& block, const Matrix& x, Matrix y, ThreadPool& pool);

/// The same, and where the block has an added convolution what that makes of it. x may hold several
/// texts of `text_rows` rows each below each other; 0: it is one text.
Matrix after_convolution(const Block& block, const Matrix& x, Matrix y, ThreadPool& pool,
                         Index text_rows = 0);

/// The output of a block whose stream is z [n × d_model] after its MLP and added convolution: z
/// through the gate of inputs if it has one, whose `input` is [n × width], times the block's
/// factor.
Matrix finish_block(const Block& block, Matrix z, const MatrixView& input, ThreadPool& pool);

/// The columns of `layer_inputs` [n × all layers' width] for layer `at` of a stack; nothing where
/// its block has no gate of inputs.
MatrixView input_of_layer(const Block& block, const Matrix* layer_inputs, Index layer);

}  // namespace attention::network
