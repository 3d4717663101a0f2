#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace attention {

/// The stages in the order of the formula. X is the input, the rest is computed.
enum class Stage {
  kX,
  kQ,
  kK,
  kV,
  kScores,
  kScaledScores,
  kMaskedScores,
  kWeights,
  kHeadOutput,
  kConcat,
  kOutput,
};

/// Every stage in the order of the formula.
inline constexpr std::array kAllStages = {Stage::kX,
                                          Stage::kQ,
                                          Stage::kK,
                                          Stage::kV,
                                          Stage::kScores,
                                          Stage::kScaledScores,
                                          Stage::kMaskedScores,
                                          Stage::kWeights,
                                          Stage::kHeadOutput,
                                          Stage::kConcat,
                                          Stage::kOutput};

/// The name in files and on the command line: "X", "Q", "K", "V", "scores", "scaled_scores",
/// "masked_scores", "weights", "head_output", "concat", "output".
std::string_view stage_name(Stage stage);
/// The stage of that name, or nothing.
std::optional<Stage> stage_from_name(std::string_view name);
/// True for the stages of which every head has its own (Q … head_output).
bool is_per_head(Stage stage);
/// True for the stages whose columns are keys (scores, scaled, masked, weights).
bool has_key_columns(Stage stage);

/// Every intermediate of one head.
struct HeadTrace {
  SharedMatrix Q;              ///< [seq_len × d_k]   X W_Q + b_Q
  SharedMatrix K;              ///< [kv_len × d_k]    X_kv W_K + b_K
  SharedMatrix V;              ///< [kv_len × d_v]    X_kv W_V + b_V
  SharedMatrix scores;         ///< [seq_len × kv_len] Q Kᵀ
  SharedMatrix scaled_scores;  ///< [seq_len × kv_len] scores / (√d_k · temperature)
  SharedMatrix masked_scores;  ///< [seq_len × kv_len] scaled + bias, −∞ where not allowed
  SharedMatrix weights;        ///< [seq_len × kv_len] softmax of each row
  SharedMatrix head_output;    ///< [seq_len × d_v]   weights V
};

/// Every intermediate of every head. A result that an evaluation did not change keeps its
/// identity, so that whoever shows it can tell.
struct Trace {
  std::vector<HeadTrace> heads;
  SharedMatrix concat;  ///< [seq_len × n_heads·d_v] head outputs side by side
  SharedMatrix output;  ///< [seq_len × d_out]       concat W_O + b_O
};

/// The matrix of `stage`; `head` counts from 0 and is ignored for X, concat and output.
/// Throws std::out_of_range when there is no such head.
const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head);

}  // namespace attention
