#pragma once

#include <functional>
#include <set>
#include <vector>

#include "app/lessons/answers/expression.h"
#include "app/lessons/lesson.h"
#include "app/lessons/paper/paper.h"

namespace lab::lessons {

/// Returns true for cells to leave blank.
using IsBlank = std::function<bool(attention::Index row, attention::Index column)>;

/// The table of a stage for `head`. Blank cells are boxes to fill in; if `key`, they are filled and
/// highlighted. All numbers have as many decimals as they need, but at most `digits`; −∞ is written
/// as such. Precondition: the model has the stage.
PaperTable stage_table(const Snapshot& live, attention::Stage stage, int head, int digits, bool key,
                       const IsBlank& is_blank_cell);

/// The same without blanks.
PaperTable full_stage_table(const Snapshot& live, attention::Stage stage, int head, int digits);

/// The table that an author names. Precondition: table_exists().
PaperTable table_of(const Snapshot& live, const NamedTable& named, int digits);

/// The table of an editable matrix without blanks. Precondition: the model has it.
PaperTable matrix_table(const Document& document, MatrixRef ref, int digits);

/// The tables that `stage` is computed from, in order: the scaled scores for the weights, the
/// embeddings and W_Q for Q. Stages that equal their predecessor are skipped.
std::vector<PaperTable> input_tables(const Snapshot& live, attention::Stage stage, int head,
                                     int digits);

}  // namespace lab::lessons
