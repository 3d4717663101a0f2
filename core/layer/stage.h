#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace attention {

/// The stages in the order of the formula. The embeddings are the input, the rest is computed.
enum class Stage {
  kEmbedding,          ///< the tokens' own rows
  kPosition,           ///< the positional encoding that is added
  kX,                  ///< embedding + position
  kEmbeddingKv,        ///< the same for the keys' sentence, in cross-attention
  kPositionKv,         ///<
  kXKv,                ///<
  kQ,                  ///< X W_Q + b_Q
  kK,                  ///< X_kv W_K + b_K
  kV,                  ///< X_kv W_V + b_V
  kNormedQ,            ///< each row of Q divided by its root mean square (that of its head, or of
                       ///< all), times norm_Q
  kNormedK,            ///< the same of K, times norm_K
  kNormedV,            ///< each row of V divided by its root mean square
  kRotatedQ,           ///< normed_Q rotated by its position (rotary positions)
  kRotatedK,           ///< the same of K
  kScores,             ///< Q Kᵀ, both rotated with rotary positions
  kContentToPosition,  ///< Q P_Kᵀ: the query and the key of the distance (RelativePositions)
  kPositionToContent,  ///< P_Q Kᵀ: the query of the distance and the key
  kSummedScores,       ///< scores and those two
  kScaledScores,       ///< summed scores / (√d_k · temperature)
  kCappedScores,       ///< cap · tanh(scaled / cap)
  kMaskedScores,       ///< capped + bias − slope · distance, −∞ where not allowed
  kWeights,            ///< softmax of each row
  kDroppedWeights,     ///< weights after dropout
  kHeadOutput,         ///< weights normed_V
  kConcat,             ///< head outputs side by side, each times its gain
  kOutput,             ///< concat W_O + b_O
  kResidual,           ///< X + output
  kLayerNorm,          ///< each row normalised; the last stage
};

inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::kLayerNorm) + 1;

/// Every stage in the order of the formula.
inline constexpr std::array<Stage, kStageCount> kAllStages = [] {
  std::array<Stage, kStageCount> all{};
  for (std::size_t i = 0; i < kStageCount; ++i) all[i] = static_cast<Stage>(i);
  return all;
}();

/// Every intermediate of one head, held as matrices of type M. An inactive stage (see is_active)
/// holds the same as the one before it; heads that share keys and values have the same K, V,
/// normed_K, normed_V and rotated_K.
template <typename M>
struct HeadStages {
  M Q;                    ///< [seq_len × d_k]    X W_Q + b_Q
  M K;                    ///< [kv_len × d_k]     X_kv W_K + b_K
  M V;                    ///< [kv_len × d_v]     X_kv W_V + b_V
  M normed_Q;             ///< [seq_len × d_k]    Q / root mean square of the row · norm_Q
  M normed_K;             ///< [kv_len × d_k]     K / root mean square of the row · norm_K
  M normed_V;             ///< [kv_len × d_v]     V / root mean square of the row
  M rotated_Q;            ///< [seq_len × d_k]    normed_Q rotated by its position
  M rotated_K;            ///< [kv_len × d_k]     normed_K rotated by its position
  M scores;               ///< [seq_len × kv_len] rotated_Q rotated_Kᵀ
  M content_to_position;  ///< [seq_len × kv_len] rotated_Q P_Kᵀ at each distance, or empty
  M position_to_content;  ///< [seq_len × kv_len] P_Q rotated_Kᵀ at each distance, or empty
  M summed_scores;        ///< [seq_len × kv_len] scores + those
  M scaled_scores;        ///< [seq_len × kv_len] summed scores / (√d_k · temperature)
  M capped_scores;        ///< [seq_len × kv_len] cap · tanh(scaled / cap)
  M masked_scores;  ///< [seq_len × kv_len] capped + bias − slope · distance, −∞ where forbidden
  M weights;        ///< [seq_len × kv_len] softmax of each row
  M dropped_weights;  ///< [seq_len × kv_len] weights after dropout
  M head_output;      ///< [seq_len × d_v]    dropped_weights normed_V
};

/// Every intermediate of the layer and of all its heads, held as matrices of type M.
template <typename M>
struct LayerStages {
  M position;     ///< [seq_len × d_model], or empty when nothing is added
  M X;            ///< [seq_len × d_model] embedding + position
  M position_kv;  ///< [kv_len × d_model], or empty; the keys' side in cross-attention
  M X_kv;         ///< [kv_len × d_model]; X itself in self-attention
  std::vector<HeadStages<M>> heads;  ///< n_heads of them
  M concat;      ///< [seq_len × n_heads·d_v] head outputs side by side, times their gain
  M output;      ///< [seq_len × d_out] concat W_O + b_O
  M residual;    ///< [seq_len × d_out] X + output
  M layer_norm;  ///< [seq_len × d_out] each row normalised; the result of the layer
};

/// Where the matrix of a stage is stored: in HeadStages, in LayerStages, or in neither (the
/// embeddings).
template <typename M>
struct StageMember {
  Stage stage;
  M HeadStages<M>::*in_head = nullptr;
  M LayerStages<M>::*in_layer = nullptr;
};

/// The member of each stage, in the order of the formula.
template <typename M>
inline constexpr std::array<StageMember<M>, kStageCount> kStageMembers = {{
    {.stage = Stage::kEmbedding},
    {.stage = Stage::kPosition, .in_layer = &LayerStages<M>::position},
    {.stage = Stage::kX, .in_layer = &LayerStages<M>::X},
    {.stage = Stage::kEmbeddingKv},
    {.stage = Stage::kPositionKv, .in_layer = &LayerStages<M>::position_kv},
    {.stage = Stage::kXKv, .in_layer = &LayerStages<M>::X_kv},
    {.stage = Stage::kQ, .in_head = &HeadStages<M>::Q},
    {.stage = Stage::kK, .in_head = &HeadStages<M>::K},
    {.stage = Stage::kV, .in_head = &HeadStages<M>::V},
    {.stage = Stage::kNormedQ, .in_head = &HeadStages<M>::normed_Q},
    {.stage = Stage::kNormedK, .in_head = &HeadStages<M>::normed_K},
    {.stage = Stage::kNormedV, .in_head = &HeadStages<M>::normed_V},
    {.stage = Stage::kRotatedQ, .in_head = &HeadStages<M>::rotated_Q},
    {.stage = Stage::kRotatedK, .in_head = &HeadStages<M>::rotated_K},
    {.stage = Stage::kScores, .in_head = &HeadStages<M>::scores},
    {.stage = Stage::kContentToPosition, .in_head = &HeadStages<M>::content_to_position},
    {.stage = Stage::kPositionToContent, .in_head = &HeadStages<M>::position_to_content},
    {.stage = Stage::kSummedScores, .in_head = &HeadStages<M>::summed_scores},
    {.stage = Stage::kScaledScores, .in_head = &HeadStages<M>::scaled_scores},
    {.stage = Stage::kCappedScores, .in_head = &HeadStages<M>::capped_scores},
    {.stage = Stage::kMaskedScores, .in_head = &HeadStages<M>::masked_scores},
    {.stage = Stage::kWeights, .in_head = &HeadStages<M>::weights},
    {.stage = Stage::kDroppedWeights, .in_head = &HeadStages<M>::dropped_weights},
    {.stage = Stage::kHeadOutput, .in_head = &HeadStages<M>::head_output},
    {.stage = Stage::kConcat, .in_layer = &LayerStages<M>::concat},
    {.stage = Stage::kOutput, .in_layer = &LayerStages<M>::output},
    {.stage = Stage::kResidual, .in_layer = &LayerStages<M>::residual},
    {.stage = Stage::kLayerNorm, .in_layer = &LayerStages<M>::layer_norm},
}};

}  // namespace attention
