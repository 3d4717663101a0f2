#pragma once

#include "core/network/interventions.h"
#include "core/network/network.h"
#include "core/problem.h"

namespace attention::network {

/// A network and what is done to its forward pass.
struct EditedNetwork {
  Network network;
  Interventions interventions;
};

/// The inverse of layer_problem(): the network and interventions whose layer `at` is `edited`, when
/// layer_problem() gave `shown` for that of `before`. What the edit did not touch is shared.
///
/// - Weights and biases: the columns of the head in the matrix that holds them, which becomes a
///   float32 copy. A bias that was absent is one of zeros first. Weights of the norms of queries
///   and keys: those of the norm. Sinks: the number of the head.
/// - Overrides of keys and values that are another layer's stay there; edited without any override,
///   the layer loses its own.
/// - Mute, solo and scale of heads become gains; overrides become CellOverrides. A patch remains
///   one as long as all its cells are overridden.
///
/// Throws std::invalid_argument naming what cannot be changed in a layer of a network: sizes and
/// settings, masks and biases of scores, positions, X, which is computed by the layers before,
/// numbers that latent attention fixes (see set_layer_matrix()), keys and values that are another
/// layer's, and overrides of stages that the
/// forward pass does not have (see refused_stage()).
EditedNetwork absorb_layer(const EditedNetwork& before, const LayerId& at, const Problem& shown,
                           const Problem& edited);

}  // namespace attention::network
