#pragma once

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"
#include "core/problem.h"

// What queries, keys and values are projections of: the normalised rows x of the stream, or in
// multi-head latent attention rows that are computed from x (see LatentAttention). All parts stand
// side by side, so that one matrix X is what a sublayer reads: [what queries are computed from |
// the compressed row of keys and values, normalised | the rotary part of the keys].

namespace attention::network {

/// The parts of X; nothing where X is x itself.
std::optional<InputParts> input_parts(const Attention& attention);

/// Features of X: d_model, or those of all parts.
Index input_width(const Attention& attention);

/// The columns of X that a projection reads.
struct InputColumns {
  Index first, count;
};
/// Those of Attention::projections[projection].
InputColumns input_columns(const Attention& attention, std::size_t projection);

/// X of rows x [n × d_model] in latent attention: [n × input_width()].
Matrix latent_input(const Attention& attention, const MatrixView& rows, ThreadPool& pool);

/// X of rows x, which are X themselves where attention is not latent.
Matrix attention_input(const Attention& attention, Matrix rows, ThreadPool& pool);

}  // namespace attention::network
