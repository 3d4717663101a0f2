#pragma once

#include <string>

#include "core/problem.h"

namespace attention::bench {

/// The sizes of one benchmark; d_k = d_v = d_model / n_heads, d_out = d_model.
struct Sizes {
  int seq_len, d_model, n_heads;
  /// "128x512x8".
  std::string text() const;
};

/// The sizes at which forward passes are timed, from a toy to the full context of a small model.
inline constexpr Sizes kAllSizes[] = {{4, 8, 2},     {11, 32, 4},   {16, 512, 8},   {64, 512, 8},
                                      {128, 512, 8}, {512, 512, 8}, {1024, 768, 12}};

/// A problem of that size: embeddings about N(0, 1) from that seed, Xavier weights, no biases.
Problem make_problem(const Sizes& sizes, std::uint64_t seed = 1);

/// Registers the benchmarks of a whole network of GPT-2's sizes (12 layers of 12 heads, d_model
/// 768) with random weights: a forward pass with the logits of all tokens, the edit of a head in a
/// layer, and the knock-out map.
void register_networks();

/// Registers the benchmarks of training: steps of the default options (2 layers of 4 heads, d_model
/// 64, 26 letters, 24 long, 64 a batch), with an MLP and with rotary positions too, and the memory
/// of the history of 4 000 steps.
void register_training();

}  // namespace attention::bench
