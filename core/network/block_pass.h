#pragma once

#include "core/network/attention_pass.h"
#include "core/network/row_functions.h"

namespace attention::network {

/// What is kept of a block's attention sublayers, to compute only some of its rows again.
struct BlockState {
  Projected attention, cross_attention;
};

/// What a block is computed from, besides its input.
struct BlockPass {
  const Block& block;
  Index first_row = 0;  ///< the first row that is computed
  const Interventions& interventions;
  LayerId at;
  const Matrix* encoder_output = nullptr;  ///< [n_keys × d_model]; null without an encoder
  ThreadPool& pool;
};

/// The rows from `pass.first_row` on of a block's output. `input` [n × d_model] is the residual
/// stream before it. Updates those rows of the attention weights, see attend(), and of `state`.
Matrix compute_block(const BlockPass& pass, const Matrix& input, Matrix& weights,
                     Matrix& cross_weights, BlockState& state);

/// The residual stream [n × d_model] between a block's self-attention and what follows it.
Matrix after_self_attention(const BlockPass& pass, const Matrix& input);

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

/// The output of that block: the same, and where it has one what the convolution makes of it. x may
/// hold several texts of `text_rows` rows each below each other; 0: it is one text.
Matrix block_output(const Block& block, const Matrix& x, Matrix y, ThreadPool& pool,
                    Index text_rows = 0);

}  // namespace attention::network
