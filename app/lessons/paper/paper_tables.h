#pragma once

#include <functional>
#include <set>
#include <vector>

#include "app/lessons/answers/expression.h"
#include "app/lessons/paper/paper.h"

namespace lab::lessons {

/// Says of each cell whether it is left out.
using LeftOut = std::function<bool(attention::Index row, attention::Index column)>;

/// A stage as a table: of `head`, with boxes in place of cells that are left out, or in the key
/// with those in colour. Numbers are whole where all of them are, else they have two places; −∞ is
/// written as such. Precondition: the model has the stage.
PaperTable stage_table(const Snapshot& live, attention::Stage stage, int head, bool key,
                       const LeftOut& left_out);

/// The same with nothing left out.
PaperTable whole_stage(const Snapshot& live, attention::Stage stage, int head);

/// A matrix that can be edited, whole. Precondition: the model has it.
PaperTable matrix_table(const Document& document, MatrixRef ref);

/// What `stage` is computed from, in order: of weights the scaled scores, of Q the embeddings and
/// W_Q. Stages that are the same as the one before them are left out.
std::vector<PaperTable> tables_behind(const Snapshot& live, attention::Stage stage, int head);

}  // namespace lab::lessons
