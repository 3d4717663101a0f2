#pragma once

#include <vector>

#include "core/problem.h"

namespace attention {

/// Every intermediate of one head. A stage that is no step of its own is the same handle as the
/// one before it; heads that share keys and values share the handles of K, V and rotated_K.
struct HeadTrace {
  SharedMatrix Q;              ///< [seq_len × d_k]   X W_Q + b_Q
  SharedMatrix K;              ///< [kv_len × d_k]    X_kv W_K + b_K
  SharedMatrix V;              ///< [kv_len × d_v]    X_kv W_V + b_V
  SharedMatrix rotated_Q;      ///< [seq_len × d_k]   Q turned by its position
  SharedMatrix rotated_K;      ///< [kv_len × d_k]    K turned by its position
  SharedMatrix scores;         ///< [seq_len × kv_len] rotated_Q rotated_Kᵀ
  SharedMatrix scaled_scores;  ///< [seq_len × kv_len] scores / (√d_k · temperature)
  SharedMatrix masked_scores;  ///< [seq_len × kv_len] scaled + bias − slope · distance, −∞ where
                               ///< not allowed
  SharedMatrix weights;          ///< [seq_len × kv_len] softmax of each row
  SharedMatrix dropped_weights;  ///< [seq_len × kv_len] weights after dropout
  SharedMatrix head_output;      ///< [seq_len × d_v]   dropped_weights V
};

/// Every intermediate of every head. A result that an evaluation did not change keeps its
/// version, so that whoever shows it can tell.
struct Trace {
  SharedMatrix position;     ///< [seq_len × d_model], or empty when nothing is added
  SharedMatrix X;            ///< [seq_len × d_model] embedding + position
  SharedMatrix position_kv;  ///< [kv_len × d_model], or empty; the keys' side in cross-attention
  SharedMatrix X_kv;         ///< [kv_len × d_model]; X itself in self-attention
  std::vector<HeadTrace> heads;
  SharedMatrix concat;    ///< [seq_len × n_heads·d_v] head outputs side by side, times their gain
  SharedMatrix output;    ///< [seq_len × d_out] concat W_O + b_O
  SharedMatrix residual;  ///< [seq_len × d_out] X + output
  SharedMatrix layer_norm;  ///< [seq_len × d_out] each row normalised; what leaves the layer
};

/// The matrix of `stage`; `head` counts query heads from 0 and is ignored where there is one for
/// all. Empty when the stage is absent. Throws std::out_of_range when there is no such head.
const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head);

}  // namespace attention
