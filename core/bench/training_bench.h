#pragma once

namespace attention::bench {

/// Registers the benchmarks of training: steps of the default options (2 layers of 4 heads, d_model
/// 64, 26 letters, 24 long, 64 a batch), with an MLP and with rotary positions too, and the memory
/// of the history of 4 000 steps.
void register_training();

}  // namespace attention::bench
