#pragma once

namespace attention::bench {

/// Registers the benchmarks of a whole network of GPT-2's sizes (12 layers of 12 heads, d_model
/// 768) with random weights: a forward pass with the logits of all tokens, the edit of a head in a
/// layer, and the knock-out map.
void register_networks();

}  // namespace attention::bench
