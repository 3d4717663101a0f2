#include "core/tests/random_network.h"

#include <cmath>

namespace attention::test {
namespace {

using network::Activation;
using network::Attention;
using network::Linear;
using network::Network;
using network::Norm;
using network::NormType;
using network::Rotary;
using network::StoredMatrix;
using network::SublayerNorms;

StoredMatrix stored(Index rows, Index cols, float size, PortableRandom& random) {
  return StoredMatrix(SharedMatrix(Matrix(size * random_matrix(rows, cols, random))));
}

Linear random_linear(Index in, Index out, PortableRandom& random) {
  const float size = 1.6f / std::sqrt(static_cast<float>(in));
  return {stored(in, out, size, random), stored(1, out, 0.2f, random)};
}

Norm random_norm(Index d, PortableRandom& random) {
  Norm norm;
  Matrix weight = Matrix::Ones(1, d) + 0.2f * random_matrix(1, d, random);
  norm.weight = StoredMatrix(SharedMatrix(std::move(weight)));
  norm.bias = stored(1, d, 0.1f, random);
  return norm;
}

Attention random_attention(const NetworkSizes& sizes, PortableRandom& random) {
  const Index width = sizes.heads * sizes.head_dim;
  Attention attention;
  attention.n_heads = attention.n_kv_heads = sizes.heads;
  attention.head_dim = sizes.head_dim;
  attention.score_factor = 1 / std::sqrt(static_cast<float>(sizes.head_dim));
  attention.causal = true;
  attention.projections = {random_linear(sizes.d_model, 3 * width, random)};
  attention.query = {0, 0, sizes.head_dim};
  attention.key = {0, width, sizes.head_dim};
  attention.value = {0, 2 * width, sizes.head_dim};
  attention.output = random_linear(width, sizes.d_model, random);
  return attention;
}

network::Block random_block(const NetworkSizes& sizes, PortableRandom& random) {
  network::Block block;
  block.attention = random_attention(sizes, random);
  block.attention_norms.before = random_norm(sizes.d_model, random);
  block.mlp.up = random_linear(sizes.d_model, sizes.d_mlp, random);
  block.mlp.down = random_linear(sizes.d_mlp, sizes.d_model, random);
  block.mlp.activation = Activation::kGeluTanh;
  block.mlp_norms.before = random_norm(sizes.d_model, random);
  return block;
}

void make_rotary(const NetworkSizes& sizes, Attention& attention, PortableRandom& random) {
  const Index width = sizes.heads * sizes.head_dim, kv_width = sizes.kv_heads * sizes.head_dim;
  attention.n_kv_heads = sizes.kv_heads;
  attention.projections = {random_linear(sizes.d_model, width, random),
                           random_linear(sizes.d_model, kv_width, random),
                           random_linear(sizes.d_model, kv_width, random)};
  attention.query = {0, 0, sizes.head_dim};
  attention.key = {1, 0, sizes.head_dim};
  attention.value = {2, 0, sizes.head_dim};
  attention.rotary = Rotary{RotaryPairs::kHalves, {1.0f, 0.1f}, 1.2f};
  attention.window = 5;
}

network::CompressedRow random_compressed(Index d_model, Index rank, Index more,
                                         PortableRandom& random) {
  Norm norm = random_norm(rank, random);
  norm.type = NormType::kRms;
  norm.bias = {};
  return {random_linear(d_model, rank + more, random), std::move(norm), rank};
}

// Heads of 8 features, of which the last 4 are rotated.
void make_latent(const NetworkSizes& sizes, bool compressed_query, Attention& attention,
                 PortableRandom& random) {
  constexpr Index kOwn = 4, kRotary = 4, kValues = 6, kQueryRank = 7, kRank = 9;
  const Index head = kOwn + kRotary, read = compressed_query ? kQueryRank : sizes.d_model;
  attention.n_kv_heads = attention.n_heads;
  attention.head_dim = head;
  attention.value_dim = kValues;
  attention.latent.emplace();
  if (compressed_query)
    attention.latent->query = random_compressed(sizes.d_model, kQueryRank, 0, random);
  attention.latent->key_value = random_compressed(sizes.d_model, kRank, kRotary, random);
  attention.projections = {random_linear(read, sizes.heads * head, random),
                           random_linear(kRank, sizes.heads * (kOwn + kValues), random)};
  attention.query = {0, 0, head};
  attention.key = {1, 0, kOwn + kValues};
  attention.value = {1, kOwn, kOwn + kValues};
  attention.rotary = Rotary{RotaryPairs::kAdjacent, {1.0f, 0.1f}, 1.1f};
  attention.rotary->first = kOwn;
  attention.output = random_linear(sizes.heads * kValues, sizes.d_model, random);
}

Norm random_rms(Index d, PortableRandom& random) {
  Norm norm = random_norm(d, random);
  norm.type = NormType::kRms;
  norm.bias = {};
  return norm;
}

// Experts beside the MLP of a block, with norms of their own.
network::Experts experts_apart(const NetworkSizes& sizes, PortableRandom& random) {
  constexpr Index kExperts = 5;
  network::Experts experts;
  experts.router = {stored(sizes.d_model, kExperts, 0.7f, random), {}};
  for (Index expert = 0; expert < kExperts; ++expert) {
    network::Mlp mlp;
    mlp.activation = Activation::kGeluTanh;
    mlp.gate = random_linear(sizes.d_model, 5, random);
    mlp.up = random_linear(sizes.d_model, 5, random);
    mlp.down = random_linear(5, sizes.d_model, random);
    experts.experts.push_back(std::move(mlp));
  }
  experts.chosen = 2;
  experts.normalised = true;
  experts.scales = StoredMatrix(
      SharedMatrix(Matrix(Matrix::Ones(1, kExperts) + 0.3f * random_matrix(1, kExperts, random))));
  experts.norms = {random_rms(sizes.d_model, random), random_rms(sizes.d_model, random),
                   random_rms(sizes.d_model, random), random_rms(sizes.d_model, random)};
  return experts;
}

}  // namespace

Network random_network(const NetworkSizes& sizes, PortableRandom& random) {
  Network network;
  network.stack.embedding.tokens = stored(sizes.vocabulary, sizes.d_model, 1, random);
  network.stack.embedding.positions = stored(sizes.positions, sizes.d_model, 0.5f, random);
  for (Index layer = 0; layer < sizes.layers; ++layer)
    network.stack.blocks.push_back(random_block(sizes, random));
  network.stack.final_norm = random_norm(sizes.d_model, random);
  network.read_out.emplace();
  network.read_out->tokens = {network.stack.embedding.tokens.transposed(),
                              stored(1, sizes.vocabulary, 0.3f, random)};
  return network;
}

Network random_rotary_network(NetworkSizes sizes, PortableRandom& random) {
  sizes.kv_heads = 2;
  Network network = random_network(sizes, random);
  network.stack.embedding.positions = {};
  for (attention::network::Block& block : network.stack.blocks) {
    make_rotary(sizes, block.attention, random);
    block.mlp.gate = random_linear(sizes.d_model, sizes.d_mlp, random);
    block.mlp.activation = Activation::kSilu;
    for (SublayerNorms* norms : {&block.attention_norms, &block.mlp_norms})
      norms->before->type = NormType::kRms;
    block.attention_norms.factor = 0.7f;
    block.mlp_norms.factor = 1.2f;
  }
  network.stack.final_norm->type = NormType::kRms;
  return network;
}

Network random_experts_network(const NetworkSizes& sizes, PortableRandom& random) {
  constexpr Index kExperts = 6;
  Network network = random_rotary_network(sizes, random);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    attention::network::Block& block = network.stack.blocks[layer];
    attention::network::Experts experts;
    experts.router = {stored(sizes.d_model, kExperts, 0.7f, random), {}};
    for (Index expert = 0; expert < kExperts; ++expert) {
      attention::network::Mlp mlp = block.mlp;
      mlp.up = random_linear(sizes.d_model, 5, random);
      mlp.gate = random_linear(sizes.d_model, 5, random);
      mlp.down = random_linear(5, sizes.d_model, random);
      experts.experts.push_back(std::move(mlp));
    }
    experts.chosen = 2;
    if (layer == 0) {
      experts.shared_gate = random_linear(sizes.d_model, 1, random);
    } else {
      block.mlp = {};
      experts.shares = attention::network::ExpertShares::kSigmoid;
      experts.normalised = true;
      experts.factor = 1.5f;
      experts.groups = 3;
      experts.chosen_groups = 2;
      experts.correction = stored(1, kExperts, 0.3f, random);
    }
    block.experts = std::move(experts);
  }
  return network;
}

Network random_sinks_network(const NetworkSizes& sizes, PortableRandom& random) {
  constexpr Index kExperts = 5;
  Network network = random_rotary_network(sizes, random);
  for (attention::network::Block& block : network.stack.blocks) {
    block.attention.sinks = stored(1, sizes.heads, 1.5f, random);
    attention::network::Experts experts;
    experts.router = random_linear(sizes.d_model, kExperts, random);
    for (Index expert = 0; expert < kExperts; ++expert) {
      attention::network::Mlp mlp;
      mlp.clamped = {.limit = 1.25f, .alpha = 1.702f};
      mlp.gate = random_linear(sizes.d_model, 5, random);
      mlp.up = random_linear(sizes.d_model, 5, random);
      mlp.down = random_linear(5, sizes.d_model, random);
      experts.experts.push_back(std::move(mlp));
    }
    experts.chosen = 2;
    experts.normalised = true;
    block.mlp = {};
    block.experts = std::move(experts);
  }
  return network;
}

Network random_latent_network(const NetworkSizes& sizes, PortableRandom& random) {
  Network network = random_experts_network(sizes, random);
  auto& blocks = network.stack.blocks;
  for (std::size_t layer = 0; layer < blocks.size(); ++layer)
    make_latent(sizes, layer > 0, blocks[layer].attention, random);
  return network;
}

Network random_normed_network(const NetworkSizes& sizes, PortableRandom& random) {
  Network network = random_rotary_network(sizes, random);
  for (attention::network::Block& block : network.stack.blocks) {
    Norm norm;
    norm.type = NormType::kRms;
    norm.weight_plus_one = true;
    norm.weight = stored(1, sizes.head_dim, 0.5f, random);
    block.attention.query_norm = norm;
    norm.weight = stored(1, sizes.head_dim, 0.5f, random);
    block.attention.key_norm = norm;
    block.attention.score_cap = 2;
  }
  return network;
}

Network random_jointly_normed_network(const NetworkSizes& sizes, PortableRandom& random) {
  Network network = random_rotary_network(sizes, random);
  for (attention::network::Block& block : network.stack.blocks) {
    attention::network::Attention& attention = block.attention;
    attention.norms_of_all_heads = true;
    Norm norm;
    norm.type = NormType::kRms;
    norm.weight = stored(1, attention.n_heads * attention.head_dim, 0.5f, random);
    attention.query_norm = norm;
    norm.weight = stored(1, attention.n_kv_heads * attention.head_dim, 0.5f, random);
    attention.key_norm = norm;
  }
  return network;
}

Network random_linked_network(const NetworkSizes& sizes, PortableRandom& random) {
  constexpr Index kWidth = 4;
  Network network = random_normed_network(sizes, random);
  auto& blocks = network.stack.blocks;
  for (attention::network::Block& block : blocks) {
    Norm plain;
    plain.type = NormType::kRms;
    plain.epsilon = block.attention.query_norm->epsilon;
    block.attention.value_norm = plain;
    block.attention_norms.branch = random_rms(sizes.d_model, random);
    block.mlp_norms.branch = random_rms(sizes.d_model, random);
    block.input_gate = {random_linear(sizes.d_model, kWidth, random),
                        random_linear(kWidth, sizes.d_model, random),
                        random_rms(sizes.d_model, random)};
    block.factor = 0.8f;
  }
  blocks.front().experts = experts_apart(sizes, random);
  attention::network::Attention& last = blocks.back().attention;
  last.key_layer = sizes.layers - 2;
  last.projections.resize(1);
  last.key_norm.reset();
  last.value_norm.reset();
  network.stack.embedding.layer_inputs = {
      .tokens = stored(sizes.vocabulary, sizes.layers * kWidth, 1, random),
      .scale = 2,
      .projection = random_linear(sizes.d_model, sizes.layers * kWidth, random),
      .projection_scale = 0.25f,
      .norm = random_rms(kWidth, random),
      .factor = 0.7f,
      .layers = sizes.layers};
  return network;
}

Network random_distance_network(const NetworkSizes& sizes, PortableRandom& random) {
  Network network = random_network(sizes, random);
  const StoredMatrix far = stored(12, sizes.d_model, 1, random);
  const StoredMatrix bucketed = stored(8, sizes.d_model, 1, random);
  const Norm norm = random_norm(sizes.d_model, random);
  const Index width = sizes.heads * sizes.head_dim;
  auto& blocks = network.stack.blocks;
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    Attention& attention = blocks[layer].attention;
    attention.causal = false;
    attention::network::DistanceScores scores;
    scores.embedding = layer == 0 ? bucketed : far;
    scores.content_to_position = layer != 1;
    scores.position_to_content = true;
    scores.shared = layer == 0;
    if (layer == 0) {
      scores.buckets = 4;
      scores.largest_distance = 7;
      scores.norm = norm;
    } else {
      scores.key = random_linear(sizes.d_model, width, random);
      scores.query = random_linear(sizes.d_model, width, random);
    }
    attention.distance_scores = std::move(scores);
    attention.score_factor /= 1.7f;
    if (layer > 0 && layer + 1 < blocks.size()) continue;
    const Index groups = layer == 0 ? 1 : 2;
    attention::network::AddedConvolution convolution;
    for (int tap = 0; tap < 3; ++tap)
      convolution.taps.push_back(stored(sizes.d_model / groups, sizes.d_model, 0.3f, random));
    convolution.bias = stored(1, sizes.d_model, 0.3f, random);
    convolution.groups = groups;
    convolution.norm = random_norm(sizes.d_model, random);
    blocks[layer].added_convolution = std::move(convolution);
  }
  return network;
}

}  // namespace attention::test
