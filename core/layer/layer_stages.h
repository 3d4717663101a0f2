#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/layer/stage.h"
#include "core/matrix.h"

namespace attention {

/// Every intermediate of one head, held as matrices of type M. A stage that is no step of its own
/// holds what the one before it holds; heads that share keys and values have the same K, V and
/// rotated_K.
template <typename M>
struct HeadStages {
  M Q;              ///< [seq_len × d_k]    X W_Q + b_Q
  M K;              ///< [kv_len × d_k]     X_kv W_K + b_K
  M V;              ///< [kv_len × d_v]     X_kv W_V + b_V
  M rotated_Q;      ///< [seq_len × d_k]    Q turned by its position
  M rotated_K;      ///< [kv_len × d_k]     K turned by its position
  M scores;         ///< [seq_len × kv_len] rotated_Q rotated_Kᵀ
  M scaled_scores;  ///< [seq_len × kv_len] scores / (√d_k · temperature)
  M masked_scores;  ///< [seq_len × kv_len] scaled + bias − slope · distance, −∞ where forbidden
  M weights;        ///< [seq_len × kv_len] softmax of each row
  M dropped_weights;  ///< [seq_len × kv_len] weights after dropout
  M head_output;      ///< [seq_len × d_v]    dropped_weights V
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
  M layer_norm;  ///< [seq_len × d_out] each row normalised; what leaves the layer
};

/// The matrix of `stage` of one head. Throws std::out_of_range for a stage that heads do not have.
template <typename M>
const M& stage_matrix(const HeadStages<M>& head, Stage stage) {
  switch (stage) {
    case Stage::kQ:
      return head.Q;
    case Stage::kK:
      return head.K;
    case Stage::kV:
      return head.V;
    case Stage::kRotatedQ:
      return head.rotated_Q;
    case Stage::kRotatedK:
      return head.rotated_K;
    case Stage::kScores:
      return head.scores;
    case Stage::kScaledScores:
      return head.scaled_scores;
    case Stage::kMaskedScores:
      return head.masked_scores;
    case Stage::kWeights:
      return head.weights;
    case Stage::kDroppedWeights:
      return head.dropped_weights;
    case Stage::kHeadOutput:
      return head.head_output;
    default:
      throw std::out_of_range(std::string(stage_name(stage)) + " is no stage of a head");
  }
}

/// The matrix of `stage`; `head` counts query heads from 0 and is ignored where there is one for
/// all. Throws std::out_of_range for a head that is not there, and for the embeddings, which are
/// given and not computed.
template <typename M>
const M& stage_matrix(const LayerStages<M>& layer, Stage stage, Index head) {
  switch (stage) {
    case Stage::kEmbedding:
    case Stage::kEmbeddingKv:
      throw std::out_of_range(std::string(stage_name(stage)) + " is an input, it is not computed");
    case Stage::kPosition:
      return layer.position;
    case Stage::kX:
      return layer.X;
    case Stage::kPositionKv:
      return layer.position_kv;
    case Stage::kXKv:
      return layer.X_kv;
    case Stage::kConcat:
      return layer.concat;
    case Stage::kOutput:
      return layer.output;
    case Stage::kResidual:
      return layer.residual;
    case Stage::kLayerNorm:
      return layer.layer_norm;
    default:
      break;
  }
  if (head < 0 || head >= std::ssize(layer.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(layer.heads.size()));
  }
  return stage_matrix(layer.heads[static_cast<size_t>(head)], stage);
}

}  // namespace attention
