#pragma once

#include "core/layer/stage_matrix.h"
#include "core/problem.h"

namespace attention {

/// Every intermediate of one head. An inactive stage (see is_active) is the same handle as the one
/// before it; heads that share keys and values share the handles of K, V, normed_K and rotated_K.
using HeadTrace = HeadStages<SharedMatrix>;

/// Every intermediate of every head. A result that an evaluation did not change keeps its version,
/// so that its readers can tell.
using Trace = LayerStages<SharedMatrix>;

/// The matrix of `stage`, including the embeddings; `head` counts query heads from 0 and is ignored
/// for stages without heads. Empty when the stage is absent. Throws std::out_of_range when there is
/// no such head.
const SharedMatrix& stage_matrix(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head);

}  // namespace attention
