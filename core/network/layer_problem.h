#pragma once

#include "core/network/interventions.h"
#include "core/network/network_evaluator.h"
#include "core/problem.h"

namespace attention::network {

/// One attention sublayer of a network as a Problem, whose X is what the sublayer reads: the
/// normalised residual stream. Evaluating it gives every stage; its weights agree with those of the
/// forward pass. Interventions in this layer become gains and overrides.
///
/// In latent attention X is what is computed from that: the compressed rows and the rotary part of
/// the keys (see latent_input.h), and W_Q, W_K and W_V read their parts of it.
///
/// Where the layer uses the keys and values of another one (Attention::key_layer), X_kv is what
/// that one reads, W_K, W_V, b_K, b_V and norm_K are its matrices, and what is overridden there of
/// X, K, V and what follows them up to the scores is overridden here too (of X in X_kv).
///
/// A score factor of another kind than 1 / √d_k is expressed by the temperature, and so is YaRN's
/// factor of sines and cosines, which multiplies the scores twice.
///
/// Throws std::invalid_argument when there is no such sublayer, when it normalises queries
/// otherwise than keys or either by another rule than the root mean square, which no known family
/// does, or as validate(Problem) does when it is beyond Limits. `trace` must be that of `network`
/// with `interventions`.
Problem layer_problem(const Network& network, const NetworkTrace& trace,
                      const Interventions& interventions, const LayerId& at, ThreadPool& pool);

/// The same, but shares the weights of `shown`, which must be the problem of this sublayer in a
/// network in which it has the same weights. Copies no weights then.
Problem layer_problem(const Network& network, const NetworkTrace& trace,
                      const Interventions& interventions, const LayerId& at, ThreadPool& pool,
                      const Problem& shown);

/// The problem as it is known before the forward pass: X, and X_kv of cross-attention, are zeros.
/// `shape`: its queries and keys. `shown` as above, or null. Throws as layer_problem() does.
Problem unread_layer_problem(const Network& network, const Interventions& interventions,
                             const LayerId& at, const ScoreShape& shape, const Problem* shown);

}  // namespace attention::network
