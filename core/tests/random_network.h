#pragma once

#include "core/network/network.h"
#include "core/tests/random_problem.h"

namespace attention::test {

/// Sizes of a random network.
struct NetworkSizes {
  Index layers = 3, heads = 4, kv_heads = 4, head_dim = 6, d_model = 16, d_mlp = 20;
  Index vocabulary = 11, positions = 12;
};

/// A causal network like GPT-2 with random weights large enough that its heads differ: fused
/// projections, LayerNorm before each sublayer, learned positions, tied read-out.
network::Network random_network(const NetworkSizes& sizes, PortableRandom& random);

/// The same with rotary positions on a part of the features, shared key heads and separate
/// projections, RMS norms, a gated MLP and factors of what sublayers add, like Llama and Granite.
network::Network random_rotary_network(NetworkSizes sizes, PortableRandom& random);
/// That with experts in place of MLPs: in the first layer beside a gated one, in the second in
/// groups, by shares of a sigmoid with a correction.
network::Network random_experts_network(const NetworkSizes& sizes, PortableRandom& random);

/// That with multi-head latent attention, values of another width than queries, and a rotary part
/// at the end of each head; in the first layer queries read the stream, in others a compressed row.
network::Network random_latent_network(const NetworkSizes& sizes, PortableRandom& random);

/// The same with norms of queries and keys and a cap of scores, like Qwen3 and Gemma at once; the
/// cap is low enough to change every weight.
network::Network random_normed_network(const NetworkSizes& sizes, PortableRandom& random);
/// The rotary one whose queries, and keys, are normalised over all heads together, like OLMo 2.
network::Network random_jointly_normed_network(const NetworkSizes& sizes, PortableRandom& random);

/// The normed one whose last layer uses the keys and values of the one before it, with norms of
/// values, inputs of each layer from the embedding, factors of layers, and in the first layer
/// experts beside the MLP with norms of their own, like Gemma 4.
network::Network random_linked_network(const NetworkSizes& sizes, PortableRandom& random);

/// The rotary one with a sink of each head, and experts with biases, clamped gates and shares that
/// add up to 1, like gpt-oss.
network::Network random_sinks_network(const NetworkSizes& sizes, PortableRandom& random);

/// The first one reading both ways, with scores by distance, in the first layer by the maps of Q
/// and K and in buckets, in others by maps of their own, and a convolution after the first and the
/// last block, like DeBERTa.
network::Network random_distance_network(const NetworkSizes& sizes, PortableRandom& random);

}  // namespace attention::test
