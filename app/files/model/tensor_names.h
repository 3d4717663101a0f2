#pragma once

#include <array>

namespace lab::files {

/// The names of the norms of a sublayer, without ".weight"; null where there is none.
struct NormNames {
  const char* before = nullptr;
  const char* branch = nullptr;
  const char* after = nullptr;
};

/// The names of the maps of multi-head latent attention and of their norms: to the compressed rows
/// (down) and from them (up).
struct LatentNames {
  const char* query_down = nullptr;
  const char* query_norm = nullptr;
  const char* query_up = nullptr;
  const char* key_value_down = nullptr;
  const char* key_value_norm = nullptr;
  const char* key_value_up = nullptr;
  const char* key_up = nullptr;    ///< in GGUF instead of it, each head [rank × features], and
  const char* value_up = nullptr;  ///< this
};

/// The names of an attention sublayer's linear maps.
struct AttentionNames {
  const char* fused = nullptr;  ///< Q, K and V in one; then the next three are null
  const char* query = nullptr;
  const char* key = nullptr;
  const char* value = nullptr;
  const char* output = nullptr;
  LatentNames latent{};  ///< in latent attention, in place of key and value
  const char* query_norm = nullptr;
  const char* key_norm = nullptr;
  const char* distance_bias = nullptr;  ///< of the first layer, for all, or of each; after a *, of
                                        ///< the stack
  const char* sinks = nullptr;          ///< [n_heads], with its ending
  const char* query_bias = nullptr;     ///< of a fused map without one, with its ending
  const char* value_bias = nullptr;     ///< likewise
  const char* position_key = nullptr;   ///< the map from distances to keys, where it has its own
  const char* position_query = nullptr;
  NormNames norms{};
};

/// The names of the parts of a convolution that stands in place of attention.
struct ConvolutionNames {
  const char* in = nullptr;
  const char* kernel = nullptr;  ///< [features × 1 × taps]
  const char* out = nullptr;
};

/// The names of a layer's experts; {} is the number of an expert.
struct ExpertNames {
  const char* router = nullptr;
  const char* router_scale = nullptr;  ///< of what it reads, [d_model], with its ending
  const char* scales = nullptr;        ///< of shares, [experts], with its ending
  const char* correction = nullptr;    ///< with its ending
  /// Gate and up in one, whose outputs take turns or stand in halves; where there is none, the next
  /// two are.
  const char* gate_up = nullptr;
  const char* gate = nullptr;
  const char* up = nullptr;
  const char* down = nullptr;
  const char* shared_gate = nullptr;      ///< the gate of the MLP that every row passes
  const char* shared_mlp_gate = nullptr;  ///< that MLP
  const char* shared_up = nullptr;
  const char* shared_down = nullptr;
  const char* before = nullptr;  ///< norms of experts that stand apart, see ExpertNorms
  const char* after = nullptr;
  const char* beside = nullptr;
};

/// The names of what the embedding gives to each layer, and of what lets it in there.
struct LayerInputNames {
  const char* tokens = nullptr;
  const char* projection = nullptr;
  const char* norm = nullptr;
  const char* gate = nullptr;  ///< this and the next two are in a layer
  const char* gate_projection = nullptr;
  const char* gate_norm = nullptr;
};

/// The names of the parts of a stack. Those of a layer follow `layer`, in which {} is its number.
struct StackNames {
  const char* tokens = nullptr;
  const char* positions = nullptr;
  const char* rotary_table = nullptr;  ///< sines, then cosines, of rotary positions
  const char* types = nullptr;
  const char* embedding_norm = nullptr;
  const char* embedding_projection = nullptr;
  const char* layer = nullptr;
  AttentionNames attention{};
  AttentionNames cross_attention{};
  ConvolutionNames convolution{};
  const char* gate_up = nullptr;  ///< gate and up in one, the gate first; then they are null
  const char* gate = nullptr;
  const char* up = nullptr;
  const char* gated_up = nullptr;  ///< its name where there is a gate; null: the same
  const char* down = nullptr;
  NormNames mlp_norms{};
  ExpertNames experts{};
  LayerInputNames layer_inputs{};
  const char* layer_factor = nullptr;  ///< [1], with its ending
  const char* final_norm = nullptr;
  const char* distances = nullptr;  ///< the embedding of distances
  const char* distance_norm = nullptr;
  const char* added_convolution = nullptr;  ///< after the first block
  const char* added_convolution_norm = nullptr;
};

/// The names of the read-out, without the prefix of stacks except for `projection`.
struct ReadOutNames {
  const char* transform = nullptr;
  const char* norm = nullptr;
  const char* projection = nullptr;  ///< after the prefix of stacks
  const char* tokens = nullptr;
  const char* bias = nullptr;  ///< with its ending
  bool bias_may_miss = false;  ///< it is then zeros
};

/// A tensor that is the same as `source` in models with tie_word_embeddings. A * at the beginning
/// of a name stands for the prefix of stacks.
struct TiedTensor {
  const char* tensor = nullptr;
  const char* source = nullptr;
};
using TiedTensors = std::array<TiedTensor, 3>;

/// How the tensors of a family are named, as transformers names them; the ties are its
/// _tied_weights_keys.
struct ModelNames {
  std::array<const char*, 3> prefixes{};  ///< of the names of stacks; those after it may be null
  StackNames stack{};                     ///< the only one, or the decoder
  StackNames encoder{};
  ReadOutNames read_out{};
  TiedTensors ties{};
  TiedTensors ties_of_unshared{};  ///< instead, where the embeddings of two stacks are not shared
  bool stored_in_out = false;      ///< W is stored [in × out], else [out × in]
};

}  // namespace lab::files
