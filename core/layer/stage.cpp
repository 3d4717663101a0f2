#include "core/layer/stage.h"

#include <algorithm>
#include <cstddef>

namespace attention {
namespace {

// In the order of kAllStages.
constexpr std::array<std::string_view, kAllStages.size()> kStageNames = {"embedding",
                                                                         "position",
                                                                         "X",
                                                                         "embedding_kv",
                                                                         "position_kv",
                                                                         "X_kv",
                                                                         "Q",
                                                                         "K",
                                                                         "V",
                                                                         "rotated_Q",
                                                                         "rotated_K",
                                                                         "scores",
                                                                         "scaled_scores",
                                                                         "masked_scores",
                                                                         "weights",
                                                                         "dropped_weights",
                                                                         "head_output",
                                                                         "concat",
                                                                         "output",
                                                                         "residual",
                                                                         "layer_norm"};

}  // namespace

std::string_view stage_name(Stage stage) { return kStageNames.at(static_cast<std::size_t>(stage)); }

std::optional<Stage> stage_from_name(std::string_view name) {
  const auto* found = std::find(kStageNames.begin(), kStageNames.end(), name);
  if (found == kStageNames.end()) return std::nullopt;
  return kAllStages.at(static_cast<std::size_t>(found - kStageNames.begin()));
}

bool is_per_head(Stage stage) { return stage >= Stage::kQ && stage <= Stage::kHeadOutput; }

bool is_per_kv_head(Stage stage) {
  return stage == Stage::kK || stage == Stage::kV || stage == Stage::kRotatedK;
}

bool has_key_columns(Stage stage) {
  return stage >= Stage::kScores && stage <= Stage::kDroppedWeights;
}

bool has_key_rows(Stage stage) {
  return is_per_kv_head(stage) || (stage >= Stage::kEmbeddingKv && stage <= Stage::kXKv);
}

}  // namespace attention
