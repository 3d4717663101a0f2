#pragma once

#include "core/network/network_evaluator.h"

namespace attention::network {

/// The outputs of all heads at `at` in a forward pass, side by side: [queries × n_heads·head_dim].
/// They are what a HeadPatch replaces: overrides and patches of the pass are in them, gains and
/// overrides of concat are not. Throws std::invalid_argument when there is no such sublayer.
Matrix head_outputs(const Network& network, const NetworkTrace& trace,
                    const Interventions& interventions, const LayerPlace& at, ThreadPool& pool);

}  // namespace attention::network
