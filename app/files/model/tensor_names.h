#pragma once

#include <array>

namespace lab::files {

/// The names of the norms of a sublayer, without ".weight"; null where there is none.
struct NormNames {
  const char* before = nullptr;
  const char* branch = nullptr;
  const char* after = nullptr;
};

/// The names of an attention sublayer's linear maps.
struct AttentionNames {
  const char* fused = nullptr;  ///< Q, K and V in one; then the next three are null
  const char* query = nullptr;
  const char* key = nullptr;
  const char* value = nullptr;
  const char* output = nullptr;
  const char* query_norm = nullptr;
  const char* key_norm = nullptr;
  const char* distance_bias = nullptr;  ///< of the first layer, for all
  NormNames norms{};
};

/// The names of the parts of a stack. Those of a layer follow `layer`, in which {} is its number.
struct StackNames {
  const char* tokens = nullptr;
  const char* positions = nullptr;
  const char* types = nullptr;
  const char* embedding_norm = nullptr;
  const char* embedding_projection = nullptr;
  const char* layer = nullptr;
  AttentionNames attention{};
  AttentionNames cross_attention{};
  const char* gate = nullptr;
  const char* up = nullptr;
  const char* gated_up = nullptr;  ///< its name where there is a gate; null: the same
  const char* down = nullptr;
  NormNames mlp_norms{};
  const char* final_norm = nullptr;
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

/// How the tensors of a family are named.
struct ModelNames {
  std::array<const char*, 2> prefixes{};  ///< of the names of stacks; the second may be null
  StackNames stack{};                     ///< the only one, or the decoder
  StackNames encoder{};
  ReadOutNames read_out{};
  TiedTensors ties{};
  TiedTensors ties_of_unshared{};  ///< instead, where the embeddings of two stacks are not shared
  bool stored_in_out = false;      ///< W is stored [in × out], else [out × in]
  bool fused_by_head = false;  ///< a fused projection holds Q, K, V of head 0, then of head 1 …
};

extern const ModelNames kGpt2Names, kGptNeoNames, kGptNeoxNames, kOptNames, kLlamaNames,
    kGemmaNames, kBertNames, kRobertaNames, kDistilBertNames, kBartNames, kMarianNames, kT5Names;

}  // namespace lab::files
