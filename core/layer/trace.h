#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "core/layer/stage_info.h"
#include "core/matrix.h"
#include "core/problem.h"

namespace attention {

/// The matrix of `stage` of one head. Throws std::out_of_range for a stage that is not part of a
/// head.
template <typename M>
const M& stage_matrix(const HeadStages<M>& head, Stage stage) {
  const auto member = kStageMembers<M>.at(static_cast<size_t>(stage)).in_head;
  if (member) return head.*member;
  throw std::out_of_range(std::string(stage_name(stage)) + " is no stage of a head");
}

/// The same, for writing.
template <typename M>
M& stage_matrix(HeadStages<M>& head, Stage stage) {
  return const_cast<M&>(stage_matrix(std::as_const(head), stage));
}

/// The matrix of `stage`; `head` counts query heads from 0 and is ignored for stages without heads.
/// Throws std::out_of_range for a head that does not exist, and for the embeddings, which are
/// inputs.
template <typename M>
const M& stage_matrix(const LayerStages<M>& layer, Stage stage, Index head) {
  if (const auto member = kStageMembers<M>.at(static_cast<size_t>(stage)).in_layer) {
    return layer.*member;
  }
  if (is_input(stage)) {
    throw std::out_of_range(std::string(stage_name(stage)) + " is an input, it is not computed");
  }
  if (head < 0 || head >= std::ssize(layer.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(layer.heads.size()));
  }
  return stage_matrix(layer.heads[static_cast<size_t>(head)], stage);
}

/// Every intermediate of one head. An inactive stage (see is_active) is the same handle as the one
/// before it; heads that share keys and values share the handles of K, V, normed_K and rotated_K.
using HeadTrace = HeadStages<SharedMatrix>;

/// Every intermediate of every head. A result that an evaluation did not change keeps its version,
/// so that its readers can tell.
using Trace = LayerStages<SharedMatrix>;

/// The matrix of `stage`, including the embeddings; `head` counts query heads from 0 and is ignored
/// for stages without heads. Empty when the stage is absent. Throws std::out_of_range when there is
/// no such head.
inline const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                        Index head) {
  if (stage == Stage::kEmbedding) return problem.embedding;
  if (stage == Stage::kEmbeddingKv) return problem.embedding_kv;
  return stage_matrix(trace, stage, head);
}

}  // namespace attention
