#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/network/network.h"

namespace lab::files {

/// Where the norms of a sublayer stand.
enum class NormPosition {
  kBefore,  ///< of its input: x + f(norm(x))
  kAfter,   ///< of the sum: norm(x + f(x))
  kBoth,    ///< of input and output: x + norm(f(norm(x)))
  kBranch,  ///< of the output: x + norm(f(x))
};

/// How a network knows positions.
enum class PositionType {
  kLearned,
  kSinusoidal,
  kSinusoidalHalves,
  kRotary,
  kBuckets,
  kAlibi,
  kNone,  ///< nothing but scores by distance, if there are some
};

/// How a projection that holds Q, K and V lays them out.
enum class FusedLayout {
  kByPart,     ///< all of Q, then of K, then of V
  kByHead,     ///< Q, K and V of head 0, then of head 1 …
  kByKeyHead,  ///< the queries that share key head 0, that key head and its values, then of 1 …
  kInFour,     ///< Q, V, K of the first quarter of the heads, then of the second … (CodeGen)
};

struct ModelNames;

/// Multi-head latent attention, see LatentAttention in the core.
struct LatentDescription {
  attention::Index query_rank = 0;  ///< 0: queries are computed from x itself
  attention::Index key_value_rank = 0;
  attention::Index rotary = 0;  ///< features of a head that are rotated: its last ones
};

/// What layers have that are convolutions, see ShortConvolution in the core.
struct ConvolutionDescription {
  attention::Index taps = 0;  ///< 0: there are none
  bool biases = false;        ///< of the convolution and of both maps
};

/// Scores by distance, see DistanceScores in the core.
struct DistanceScoresDescription {
  attention::Index span = 0;  ///< half of the rows of the embedding of distances
  attention::Index buckets = 0, largest_distance = 0;
  bool content_to_position = false, position_to_content = false;
  bool shared = false, norm = false;
  bool key_bias = false;  ///< of the map to keys, where it is not shared; queries have one
};

/// What the first block adds of neighbours, see AddedConvolution in the core.
struct AddedConvolutionDescription {
  attention::Index taps = 0, groups = 1;
  attention::network::Activation activation = attention::network::Activation::kTanh;
};

/// What differs between layers.
struct LayerDescription {
  bool convolution = false;          ///< in place of attention
  bool sliding = false;              ///< its type is sliding_attention
  attention::Index window = 0;       ///< 0: none
  bool rotated = true;               ///< has the rotary positions of its family (else NoPE)
  std::vector<float> frequencies{};  ///< of rotary positions, radians per position
  float rotary_scale = 1;            ///< multiplies their sines and cosines
  std::optional<attention::network::LongTexts> long_texts{};  ///< see Rotary
  float score_factor = 1;                                     ///< multiplies Q Kᵀ
  bool experts = true;  ///< has the experts of its family, if it has any
  /// Other sizes than those of the model; 0: the same.
  attention::Index head_dim = 0, n_kv_heads = 0, d_mlp = 0;
  std::optional<attention::Index> key_layer{};  ///< see Attention::key_layer
  bool value_is_key = false;  ///< values are projected as keys are, by the same map
};

/// Which linear maps have a bias.
struct BiasDescription {
  bool query_key_value = true, attention_output = true, mlp = true, norm = true, read_out = false;
  bool embedding_projection = false, read_out_transform = true;
};

/// The experts of a model, see Experts in the core; `count` 0: it has none.
struct ExpertsDescription {
  attention::Index count = 0, chosen = 0, d_mlp = 0;
  attention::Index d_shared = 0;  ///< of the MLP that every row passes; 0: none
  bool shared_gate = false, correction = false, normalised = false;
  attention::Index groups = 1, chosen_groups = 1;
  attention::network::GroupRank group_rank = attention::network::GroupRank::kTwoLargest;
  attention::network::ExpertShares shares = attention::network::ExpertShares::kSoftmax;
  float factor = 1;
  float added_to_sum = 0;  ///< see Experts
  bool apart = false;      ///< beside the MLP of all rows, with norms of their own (ExpertNorms)
  bool halves = false;     ///< gate and up in one map, the gate first; else its outputs take turns
  bool biases = false;     ///< of the router and of all maps
  std::optional<attention::network::ClampedGate> clamped{};  ///< in place of the activation
};

/// What the embedding gives to each layer, see LayerInputs in the core; `width` 0: nothing.
struct LayerInputsDescription {
  attention::Index width = 0, vocabulary = 0;
};

/// The shape of a model, as its config.json gives it, in the same terms for all families.
struct Description {
  std::string family;                 ///< model_type: "gpt2"
  std::string architecture;           ///< "GPT2LMHeadModel"; may be empty
  const ModelNames* names = nullptr;  ///< of its tensors; null: those of the family

  attention::Index d_model = 0;
  attention::Index n_layers = 0;          ///< of the only stack, or of the decoder
  attention::Index n_encoder_layers = 0;  ///< 0: one stack
  attention::Index n_heads = 0, n_kv_heads = 0, head_dim = 0;
  attention::Index value_dim = 0;           ///< features of a value; 0: head_dim
  std::optional<LatentDescription> latent;  ///< unset: Q, K and V are computed from x
  ConvolutionDescription convolution;
  attention::Index n_encoder_heads = 0;
  attention::Index encoder_head_dim = 0;  ///< 0: d_model / n_encoder_heads
  attention::Index d_mlp = 0, d_encoder_mlp = 0;
  ExpertsDescription experts;
  LayerInputsDescription layer_inputs;
  attention::Index d_embedding = 0;            ///< d_model but in some families
  bool projected_last = false;                 ///< see Embedding::projected_last
  bool normed_last = false;                    ///< see Embedding::normed_last
  bool always_projected = false;               ///< even where both are the same
  attention::Index vocabulary = 0;             ///< of the only stack, or of the decoder
  attention::Index encoder_vocabulary = 0;     ///< 0: the same
  attention::Index max_positions = 0;          ///< that it was trained for; 0: not known
  std::optional<std::uint32_t> decoder_start;  ///< the first token of a decoder
  std::vector<std::uint32_t> ends;             ///< the tokens that end a text
  attention::Index token_types = 0;            ///< 0: it has none

  bool causal = true;
  bool parallel = false;
  bool one_norm = false;    ///< both branches of a parallel block read the norm before attention
  float branch_factor = 1;  ///< multiplies what each sublayer adds
  attention::network::NormType norm = attention::network::NormType::kLayer;
  NormPosition norm_position = NormPosition::kBefore;
  bool norm_weight_plus_one = false;
  bool norm_weights = true;  ///< norms multiply by weights
  float norm_epsilon = 1e-5f;
  std::optional<float> query_key_epsilon;  ///< of the norms of queries and keys; unset: the same
  bool first_norm = true;                  ///< the first attention has a norm before it
  bool final_norm = true;
  bool embedding_norm = false;
  BiasDescription biases;

  attention::network::Activation activation = attention::network::Activation::kGelu;
  attention::network::Activation read_out_activation = attention::network::Activation::kGelu;
  bool gated = false;

  PositionType positions = PositionType::kLearned;
  FusedLayout fused = FusedLayout::kByPart;
  float alibi_factor = 1;      ///< see AlibiBias
  bool alibi_rounded = false;  ///< to bfloat16
  attention::Index position_offset = 0;
  std::optional<std::uint32_t> padding;  ///< the id that has no position of its own (RoBERTa)
  attention::RotaryPairs rotary_pairs = attention::RotaryPairs::kHalves;
  attention::Index distance_buckets = 0, largest_distance = 0;
  attention::Index unused_buckets = 0;                           ///< further ones that are stored
  attention::Index longest_text = 0;                             ///< see Embedding::longest_text
  std::optional<DistanceScoresDescription> distance_scores;      ///< unset: none
  std::optional<AddedConvolutionDescription> added_convolution;  ///< unset: none
  bool bias_in_each_layer = false;         ///< each layer has a table of distances, else the first
  std::vector<LayerDescription> layers;    ///< n_layers of them
  std::vector<std::string> layer_numbers;  ///< what stands for {} in names of layers; empty: 0, 1 …

  bool query_key_norm = false;
  bool query_key_norm_joint = false;   ///< over all heads together
  bool value_norm = false;             ///< of each head, without weights
  bool layer_factors = false;          ///< each layer multiplies the stream by a number
  float score_cap = 0, logit_cap = 0;  ///< 0: none
  float embedding_scale = 1, read_out_scale = 1;
  bool tied = true;        ///< the read-out is the embedding of tokens
  bool may_untie = false;  ///< the family stores both where they differ, and does not say so (T5)
  bool shared = true;      ///< both stacks have the same embedding of tokens

  std::vector<std::string> notes;  ///< where the file contradicts itself, a sentence each

  /// Features of a value.
  attention::Index d_v() const { return value_dim == 0 ? head_dim : value_dim; }
  /// Features of a head that rotary positions may rotate.
  attention::Index rotary_dim() const { return latent ? latent->rotary : head_dim; }
  /// The rows of the table of distances in the file.
  attention::Index stored_buckets() const { return distance_buckets + unused_buckets; }
};

}  // namespace lab::files
