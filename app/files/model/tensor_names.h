#pragma once

#include <array>

namespace lab::files {

/// Names of which the first that is there counts.
using EitherName = std::array<const char*, 2>;

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
  EitherName tokens{};
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

/// The names of the read-out.
struct ReadOutNames {
  const char* transform = nullptr;
  const char* norm = nullptr;
  const char* projection = nullptr;  ///< after the stack's prefix
  const char* tokens = nullptr;      ///< where it is not tied to the embedding
  EitherName bias{};
};

/// How the tensors of a family are named.
struct ModelNames {
  EitherName prefixes{};  ///< of the names of stacks
  StackNames stack{};     ///< the only one, or the decoder
  StackNames encoder{};
  ReadOutNames read_out{};
  bool stored_in_out = false;  ///< W is stored [in × out], else [out × in]
  bool fused_by_head = false;  ///< a fused projection holds Q, K, V of head 0, then of head 1 …
};

extern const ModelNames kGpt2Names, kGptNeoNames, kGptNeoxNames, kOptNames, kLlamaNames,
    kGemmaNames, kBertNames, kRobertaNames, kDistilBertNames, kBartNames, kT5Names;

}  // namespace lab::files
