#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace attention {

/// The stages in the order of the formula. The embeddings are the input, the rest is computed.
enum class Stage {
  kEmbedding,       ///< the tokens' own rows
  kPosition,        ///< what is added for the position
  kX,               ///< embedding + position
  kEmbeddingKv,     ///< the same for the keys' sentence, in cross-attention
  kPositionKv,      ///<
  kXKv,             ///<
  kQ,               ///< X W_Q + b_Q
  kK,               ///< X_kv W_K + b_K
  kV,               ///< X_kv W_V + b_V
  kRotatedQ,        ///< Q turned by its position (rotary positions)
  kRotatedK,        ///< K turned by its position
  kScores,          ///< Q Kᵀ, of the rotated ones where there are any
  kScaledScores,    ///< scores / (√d_k · temperature)
  kMaskedScores,    ///< scaled + bias − slope · distance, −∞ where not allowed
  kWeights,         ///< softmax of each row
  kDroppedWeights,  ///< weights after dropout
  kHeadOutput,      ///< weights V
  kConcat,          ///< head outputs side by side, each times its gain
  kOutput,          ///< concat W_O + b_O
  kResidual,        ///< X + output
  kLayerNorm,       ///< each row normalised
};

/// Every stage in the order of the formula.
inline constexpr std::array kAllStages = {Stage::kEmbedding,
                                          Stage::kPosition,
                                          Stage::kX,
                                          Stage::kEmbeddingKv,
                                          Stage::kPositionKv,
                                          Stage::kXKv,
                                          Stage::kQ,
                                          Stage::kK,
                                          Stage::kV,
                                          Stage::kRotatedQ,
                                          Stage::kRotatedK,
                                          Stage::kScores,
                                          Stage::kScaledScores,
                                          Stage::kMaskedScores,
                                          Stage::kWeights,
                                          Stage::kDroppedWeights,
                                          Stage::kHeadOutput,
                                          Stage::kConcat,
                                          Stage::kOutput,
                                          Stage::kResidual,
                                          Stage::kLayerNorm};

/// The name in files and on the command line: "embedding", "position", "X", "embedding_kv",
/// "position_kv", "X_kv", "Q", "K", "V", "rotated_Q", "rotated_K", "scores", "scaled_scores",
/// "masked_scores", "weights", "dropped_weights", "head_output", "concat", "output", "residual",
/// "layer_norm".
std::string_view stage_name(Stage stage);
/// The stage of that name, or nothing.
std::optional<Stage> stage_from_name(std::string_view name);
/// True for the stages of which every head has its own (Q … head_output).
bool is_per_head(Stage stage);
/// True for the stages that heads sharing keys and values have in common (K, V, rotated_K).
bool is_per_kv_head(Stage stage);
/// True for the stages whose columns are keys (scores … dropped_weights).
bool has_key_columns(Stage stage);
/// True for the stages whose rows are keys (embedding_kv … X_kv, K, V, rotated_K).
bool has_key_rows(Stage stage);

}  // namespace attention
