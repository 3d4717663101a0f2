#include "core/network/block_pass.h"

#include "core/network/convolution/short_convolution.h"
#include "core/network/encoders/added_convolution.h"
#include "core/network/experts.h"

namespace attention::network {

Precision precision_of(const Block& block) {
  return block.convolution ? Precision::kSingle : precision_of(block.attention);
}

Matrix convolution_output(const Block& block, const Matrix& input, ThreadPool& pool) {
  RowBuffer gated;
  return convolve(*block.convolution, before_sublayer(block.attention_norms, input, pool), 0, pool,
                  gated);
}

Matrix before_sublayer(const SublayerNorms& norms, Matrix x, ThreadPool& pool) {
  if (norms.before) normalise(*norms.before, x, pool);
  return x;
}

Matrix after_sublayer(const SublayerNorms& norms, const Matrix& x, Matrix output,
                      ThreadPool& pool) {
  if (norms.branch) normalise(*norms.branch, output, pool);
  if (norms.factor != 1) output *= norms.factor;
  output += x;
  if (norms.after) normalise(*norms.after, output, pool);
  return output;
}

Matrix compute_mlp(const Mlp& mlp, const MatrixView& rows, Precision precision, ThreadPool& pool) {
  Matrix inner = project(rows, mlp.gate ? *mlp.gate : mlp.up, precision, pool);
  if (mlp.clamped) {
    apply_clamped_gate(*mlp.clamped, project(rows, mlp.up, precision, pool), inner);
    return project(inner, mlp.down, precision, pool);
  }
  constexpr Index kRowsATask = 8;
  pool.run((inner.rows() + kRowsATask - 1) / kRowsATask, [&](Index task) {
    const Index first = task * kRowsATask;
    activate(mlp.activation, inner.middleRows(first, std::min(kRowsATask, inner.rows() - first)));
  });
  if (mlp.gate) inner.array() *= project(rows, mlp.up, precision, pool).array();
  return project(inner, mlp.down, precision, pool);
}

Matrix after_mlp(const Block& block, const Matrix& x, Matrix y, ThreadPool& pool) {
  if (block.attention_only()) return y;
  const Precision precision = precision_of(block);
  const Matrix& stream = block.parallel ? x : y;
  const auto mlp = [&](const Matrix& rows) {
    return compute_feed_forward(block, rows, stream, precision, pool);
  };
  if (block.parallel) return y + (with_sublayer(block.mlp_norms, x, pool, mlp) - x);
  return with_sublayer(block.mlp_norms, y, pool, mlp);
}

Matrix after_convolution(const Block& block, const Matrix& x, Matrix y, ThreadPool& pool,
                         Index text_rows) {
  Matrix z = after_mlp(block, x, std::move(y), pool);
  if (block.added_convolution) add_convolved(*block.added_convolution, x, text_rows, pool, z);
  return z;
}

Matrix finish_block(const Block& block, Matrix z, const MatrixView& input, ThreadPool& pool) {
  if (block.input_gate) {
    const InputGate& gate = *block.input_gate;
    const Precision precision = precision_of(block.attention);
    Matrix inner = project(z, gate.gate, precision, pool);
    activate(gate.activation, inner);
    inner.array() *= input.array();
    Matrix added = project(inner, gate.projection, precision, pool);
    normalise(gate.norm, added, pool);
    z += added;
  }
  if (block.factor != 1) z *= block.factor;
  return z;
}

MatrixView input_of_layer(const Block& block, const Matrix* layer_inputs, Index layer) {
  static const Matrix kNone;
  if (!block.input_gate) return kNone;
  const Index width = block.input_gate->gate.W.cols();
  return layer_inputs->middleCols(layer * width, width);
}

Matrix after_self_attention(const BlockPass& pass, const Matrix& input) {
  return with_sublayer(pass.block.attention_norms, input, pass.pool, [&](const Matrix& rows) {
    Projected projected;
    Matrix weights;
    const LayerInterventions interventions{&pass.interventions, pass.at};
    update_projections(pass.block.attention, rows, 0, interventions, pass.pool, projected);
    return attend(pass.block.attention, projected, 0, interventions, pass.pool, weights);
  });
}

namespace {

// The rows of a block's output from those of its input, x, where `attend_with` says how projections
// become the output of an attention sublayer.
template <typename AttendWith>
Matrix block_rows(const BlockPass& pass, const Matrix& x, BlockState& state,
                  AttendWith attend_with) {
  const Block& block = pass.block;
  ThreadPool& pool = pass.pool;
  const auto attention = [&](const Matrix& rows) {
    if (block.convolution)
      return convolve(*block.convolution, rows, pass.first_row, pool, state.gated);
    const LayerInterventions interventions{&pass.interventions, pass.at};
    update_projections(block.attention, rows, pass.first_row, interventions, pool, state.attention,
                       0, pass.source);
    return attend_with(block.attention, state.attention, interventions);
  };
  const auto cross_attention = [&](const Matrix& rows) {
    const LayerInterventions interventions{&pass.interventions, {Sublayer::kCross, pass.at.layer}};
    update_cross_projections(*block.cross_attention, rows, pass.first_row, *pass.encoder_output,
                             interventions, pool, state.cross_attention);
    return attend_with(*block.cross_attention, state.cross_attention, interventions);
  };
  Matrix y = with_sublayer(block.attention_norms, x, pool, attention);
  if (block.cross_attention) y = with_sublayer(block.cross_norms, y, pool, cross_attention);
  return finish_block(block, after_convolution(block, x, std::move(y), pool),
                      input_of_layer(block, pass.layer_inputs, pass.at.layer)
                          .bottomRows(block.input_gate ? x.rows() : 0),
                      pool);
}

}  // namespace

Matrix compute_block(const BlockPass& pass, const Matrix& input, Matrix& weights,
                     Matrix& cross_weights, BlockState& state) {
  const Matrix x = input.bottomRows(input.rows() - pass.first_row);
  return block_rows(pass, x, state,
                    [&](const Attention& attention, const Projected& projected,
                        const LayerInterventions& interventions) {
                      const bool cross = interventions.at.sublayer == Sublayer::kCross;
                      return attend(attention, projected, pass.first_row, interventions, pass.pool,
                                    cross ? cross_weights : weights);
                    });
}

Matrix continue_block(const BlockPass& pass, const Matrix& rows, BlockState& state) {
  return block_rows(pass, rows, state,
                    [&](const Attention& attention, const Projected& projected,
                        const LayerInterventions& interventions) {
                      return attend_last_rows(attention, projected, pass.first_row, interventions,
                                              pass.pool);
                    });
}

}  // namespace attention::network
