#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/training/options.h"
#include "core/training/training_state.h"

namespace attention::training {

/// A matrix among the parameters.
struct ParameterRange {
  Index first = 0;  ///< index of its first number
  Shape shape;
  /// Number of its numbers.
  Index size() const { return shape.rows * shape.cols; }
};

/// Weights and biases of x W + b.
struct LinearRanges {
  ParameterRange W, b;
};

/// Factors and offsets of a layer norm, [1 × d_model] each.
struct NormRanges {
  ParameterRange weight, bias;
};

/// The parameters of one block.
struct BlockRanges {
  NormRanges attention_norm;
  LinearRanges projections;  ///< [d_model × 3 · heads · d_k]: Q, K, V of all heads side by side
  LinearRanges output;       ///< [heads · d_k × d_model]
  NormRanges mlp_norm;       ///< the following are empty without an MLP
  LinearRanges up, down;
};

/// Radians per position of each pair of features: 10 000^(−2 pair / d_k).
std::vector<float> rotary_frequencies(Index d_k);

/// Where each matrix of a trained network stands in the row of all parameters. The network is a
/// decoder with GPT-2's blocks: a layer norm before each sublayer and one at the end, and a
/// separate read-out [d_model × vocabulary] without a bias.
struct ParameterLayout {
  /// Lays them out in the order of the members below. `vocabulary` is the task's; d_mlp is 4 ·
  /// d_model when the options have an MLP. Precondition: the options have no complaints().
  ParameterLayout(const TrainingOptions& options, Index vocabulary);

  Index vocabulary, length, d_model, heads, d_k, d_mlp;  ///< d_mlp 0: attention only
  TrainedPositions position_type;
  ParameterRange tokens;     ///< [vocabulary × d_model]
  ParameterRange positions;  ///< [length × d_model], or empty with rotary positions
  std::vector<BlockRanges> blocks;
  NormRanges final_norm;
  ParameterRange read_out;  ///< [d_model × vocabulary]
  Index count = 0;          ///< of all numbers

  /// Columns of Q, K or V of all heads.
  Index width() const { return heads * d_k; }
};

/// The start of training: embeddings about N(0, 1), weights [in × out] uniform in ±1 / √in, which
/// is what PyTorch's layers begin with, biases 0, norms 1. With the small embeddings of GPT-2
/// (0.02) heads of few layers spread over many tokens. The same for the same seed.
RowVector first_parameters(const ParameterLayout& layout, std::uint64_t seed);

/// The network with the parameters of a state, as a view of them: nothing is copied.
network::Network network_of(const ParameterLayout& layout, SharedState state);

/// The parameters of a network with this layout, such as one of network_of() that was edited.
/// Throws std::invalid_argument naming the part whose shape is another one.
RowVector parameters_of(const ParameterLayout& layout, const network::Network& network);

}  // namespace attention::training
