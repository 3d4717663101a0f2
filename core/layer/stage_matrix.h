#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "core/layer/stage_info.h"
#include "core/matrix.h"

namespace attention {

/// The matrix of `stage` of one head. Throws std::out_of_range for a stage that heads do not have.
template <typename M>
const M& stage_matrix(const HeadStages<M>& head, Stage stage) {
  const auto member = kStageMembers<M>.at(static_cast<size_t>(stage)).in_head;
  if (member) return head.*member;
  throw std::out_of_range(std::string(stage_name(stage)) + " is no stage of a head");
}

/// The same, to be written to.
template <typename M>
M& stage_matrix(HeadStages<M>& head, Stage stage) {
  return const_cast<M&>(stage_matrix(std::as_const(head), stage));
}

/// The matrix of `stage`; `head` counts query heads from 0 and is ignored where there is one for
/// all. Throws std::out_of_range for a head that is not there, and for the embeddings, which are
/// given and not computed.
template <typename M>
const M& stage_matrix(const LayerStages<M>& layer, Stage stage, Index head) {
  if (const auto member = kStageMembers<M>.at(static_cast<size_t>(stage)).in_layer) {
    return layer.*member;
  }
  if (is_given(stage)) {
    throw std::out_of_range(std::string(stage_name(stage)) + " is an input, it is not computed");
  }
  if (head < 0 || head >= std::ssize(layer.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(layer.heads.size()));
  }
  return stage_matrix(layer.heads[static_cast<size_t>(head)], stage);
}

}  // namespace attention
