#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/axis.h"
#include "core/layer/stage.h"

namespace attention {

/// The parts of the formula, in its order.
enum class StageSection {
  kInput,       ///< embedding … X_kv
  kProjection,  ///< Q, K, V and the normed and rotated ones
  kScores,      ///< scores … dropped_weights: a number for each pair of query and key
  kOutput,      ///< head_output … layer_norm
};

/// Which heads have their own matrix of a stage.
enum class StageHeads {
  kOne,        ///< none: there is one for all heads
  kPerHead,    ///< every query head has its own
  kPerKvHead,  ///< every key and value head has its own, shared by its query heads
};

/// Which numbers of an operand contribute to one number of a stage, at (row, col).
enum class Reach {
  kNone,      ///< no such operand
  kCell,      ///< the one at the same place
  kRow,       ///< the whole row
  kKeyRow,    ///< row `col`, that of the key
  kColumn,    ///< the whole column
  kPair,      ///< two of the row, rotated together
  kHeadCell,  ///< one of head col / d_v, in column col % d_v
  kWhole,     ///< all of them
};

/// A stage that another one is computed from.
struct StageOperand {
  Stage stage = Stage::kEmbedding;
  Reach reach = Reach::kNone;
};

/// The properties of a stage that do not depend on the problem.
struct StageInfo {
  Stage stage;
  std::string_view name;  ///< in files and on the command line
  StageSection section;
  StageHeads heads = StageHeads::kOne;
  Axis rows, cols;
  bool input = false;    ///< an input, not computed
  bool weights = false;  ///< holds attention weights, 0 … 1; other stages are unbounded
  /// What it is computed from, besides parameters and tables (see MatrixInfo::stage), in the order
  /// of the formula.
  std::array<StageOperand, 3> operands{};
  /// Whether the formula has this step; null: always.
  bool (*switched_on)(const Problem& problem) = nullptr;
  /// The stage whose numbers it holds when it is switched off; unset: it is then absent.
  std::optional<Stage> repeats{};
  /// Multiply-adds for each of its numbers when it is switched on (see StageCost); null when there
  /// are none, or when cost.cpp counts them.
  Index (*work)(const Problem& problem) = nullptr;
};

/// One record for each stage, in the order of the formula.
extern const std::array<StageInfo, kStageCount> kStageInfos;

/// The record of `stage`.
inline const StageInfo& stage_info(Stage stage) {
  return kStageInfos.at(static_cast<std::size_t>(stage));
}

/// The name in files and on the command line: "embedding", "position", "X", "embedding_kv",
/// "position_kv", "X_kv", "Q", "K", "V", "normed_Q", "normed_K", "normed_V", "rotated_Q",
/// "rotated_K", "scores", "content_to_position", "position_to_content", "summed_scores",
/// "scaled_scores", "capped_scores", "masked_scores", "weights", "dropped_weights", "head_output",
/// "concat", "output", "residual", "layer_norm".
inline std::string_view stage_name(Stage stage) { return stage_info(stage).name; }
/// The stage with that name, or nothing.
std::optional<Stage> stage_from_name(std::string_view name);

/// True for the embeddings, which are the input.
inline bool is_input(Stage stage) { return stage_info(stage).input; }
/// True for the stages that every head has (Q … head_output).
inline bool is_per_head(Stage stage) { return stage_info(stage).heads != StageHeads::kOne; }
/// True for the stages that query heads may share (K, V, normed_K, normed_V, rotated_K).
inline bool is_per_kv_head(Stage stage) {
  return stage_info(stage).heads == StageHeads::kPerKvHead;
}
/// True for the stages whose columns are keys (scores … dropped_weights).
inline bool has_key_columns(Stage stage) { return stage_info(stage).cols == Axis::kKeys; }
/// True for the stages whose rows are keys (embedding_kv … X_kv, K, V, normed_K, normed_V,
/// rotated_K).
inline bool has_key_rows(Stage stage) { return stage_info(stage).rows == Axis::kKeys; }
/// True for the stages that hold attention weights (weights, dropped_weights).
inline bool holds_weights(Stage stage) { return stage_info(stage).weights; }

}  // namespace attention
