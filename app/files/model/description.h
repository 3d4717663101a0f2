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
};

/// How a network knows positions.
enum class PositionType { kLearned, kSinusoidal, kRotary, kBuckets };

/// What differs between layers.
struct LayerDescription {
  bool sliding = false;              ///< its type is sliding_attention
  attention::Index window = 0;       ///< 0: none
  std::vector<float> frequencies{};  ///< of rotary positions, radians per position
  float rotary_scale = 1;            ///< multiplies their sines and cosines
  float score_factor = 1;            ///< multiplies Q Kᵀ
};

/// Which linear maps have a bias.
struct BiasDescription {
  bool query_key_value = true, attention_output = true, mlp = true, norm = true, read_out = false;
};

/// The shape of a model, as its config.json gives it, in the same terms for all families.
struct Description {
  std::string family;        ///< model_type: "gpt2"
  std::string architecture;  ///< "GPT2LMHeadModel"; may be empty

  attention::Index d_model = 0;
  attention::Index n_layers = 0;          ///< of the only stack, or of the decoder
  attention::Index n_encoder_layers = 0;  ///< 0: one stack
  attention::Index n_heads = 0, n_kv_heads = 0, head_dim = 0;
  attention::Index n_encoder_heads = 0;
  attention::Index d_mlp = 0, d_encoder_mlp = 0;
  attention::Index d_embedding = 0;            ///< d_model but in some OPT
  attention::Index vocabulary = 0;             ///< of the only stack, or of the decoder
  attention::Index encoder_vocabulary = 0;     ///< 0: the same
  attention::Index max_positions = 0;          ///< that it was trained for; 0: not known
  std::optional<std::uint32_t> decoder_start;  ///< the first token of a decoder
  attention::Index token_types = 0;            ///< 0: it has none

  bool causal = true;
  bool parallel = false;
  attention::network::NormType norm = attention::network::NormType::kLayer;
  NormPosition norm_position = NormPosition::kBefore;
  bool norm_weight_plus_one = false;
  bool norm_weights = true;  ///< norms multiply by weights
  float norm_epsilon = 1e-5f;
  bool final_norm = true;
  bool embedding_norm = false;
  BiasDescription biases;

  attention::network::Activation activation = attention::network::Activation::kGelu;
  attention::network::Activation read_out_activation = attention::network::Activation::kGelu;
  bool gated = false;

  PositionType positions = PositionType::kLearned;
  attention::Index position_offset = 0;
  std::optional<std::uint32_t> padding;  ///< the id that has no position of its own (RoBERTa)
  attention::RotaryPairs rotary_pairs = attention::RotaryPairs::kHalves;
  attention::Index distance_buckets = 0, largest_distance = 0;
  std::vector<LayerDescription> layers;  ///< n_layers of them

  bool query_key_norm = false;
  float score_cap = 0, logit_cap = 0;  ///< 0: none
  float embedding_scale = 1, read_out_scale = 1;
  bool tied = true;        ///< the read-out is the embedding of tokens
  bool may_untie = false;  ///< the family stores both where they differ, and does not say so (T5)
  bool shared = true;      ///< both stacks have the same embedding of tokens

  std::vector<std::string> notes;  ///< where the file contradicts itself, a sentence each
};

}  // namespace lab::files
