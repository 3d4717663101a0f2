#pragma once

#include <cstdint>

#include "core/network/network.h"

namespace attention::network {

/// How much a forward pass reads, and how it is spread.
struct PassSize {
  Index tokens = 0;          ///< of the only stack, or of the decoder
  Index encoder_tokens = 0;  ///< 0 without an encoder
  int threads = 1;           ///< of the evaluator
};

/// Bytes that a NetworkTrace of that size keeps: attention weights of all heads and the residual
/// stream between blocks.
std::int64_t trace_bytes(const Network& network, const PassSize& size);

/// The most bytes that a NetworkEvaluator without overrides takes at any moment of its first
/// evaluation: its trace, the projections of all blocks, and what the largest block needs while it
/// is computed. The weights of the network are not counted.
std::int64_t evaluation_bytes(const Network& network, const PassSize& size);

/// The most bytes that a Continuation takes at any moment of a text that grows to `size`: keys,
/// values and queries of all blocks, and what the largest block needs while it is computed. As
/// above without the weights of the network.
std::int64_t continuation_bytes(const Network& network, const PassSize& size);

}  // namespace attention::network
