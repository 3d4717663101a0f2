#pragma once

#include <cstdint>
#include <span>

#include "core/network/network_evaluator.h"

// How token ids become the first rows of the residual stream.

namespace attention::network {

/// Throws std::invalid_argument when a stack has no ids, more than there are positions for, an id
/// beyond the vocabulary, or a type that does not exist.
void check_tokens(const Network& network, const Tokens& tokens);

/// The first rows of the residual stream for the ids from `first` on, [ids − first × d_model]: each
/// token's row, scaled and projected, plus the rows of its position and type, normalised (or
/// projected after that). `types` may be empty: all 0.
Matrix embed(const Embedding& embedding, std::span<const std::uint32_t> ids,
             std::span<const std::uint32_t> types, Index first, ThreadPool& pool);

/// What the embedding gives to each layer besides the stream for the ids from `first` on, [ids −
/// first × all layers' width]; `rows` are those of embed() before anything replaces them.
Matrix embed_layer_inputs(const LayerInputs& inputs, std::span<const std::uint32_t> ids,
                          Index first, const MatrixView& rows, ThreadPool& pool);

/// Replaces the overridden numbers of the stream before block `at.layer` in its rows from
/// `first_row` on.
void replace_in_stream(const Interventions& interventions, const LayerId& at, Index first_row,
                       Matrix& rows);

}  // namespace attention::network
