#pragma once

#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/lesson.h"
#include "app/lessons/paper/paper.h"
#include "core/matrix.h"

// Tables on worksheets.

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

/// True when every finite number of `values` is an integer.
bool is_whole(const attention::Matrix& values);

/// The fewest decimals, at most `most`, with which every finite number of `values` is written
/// exactly; `most` if there are none.
int decimals_of(const attention::Matrix& values, int most);

// Those about trained models.

/// True when an author's name for a table is about a trained model: weights[L1H3], or one of
/// predictions[last], lens[last], knock_out[:, last, mat] and the like.
bool names_model_table(std::string_view text);

/// The table: of a stage or matrix its rows and columns; of the numbers of all heads a row for each
/// layer and a column for each head; of predictions and of the logit lens a row for each token or
/// layer. Throws BadInput if it does not exist in the model of `live`.
PaperTable model_table(const Snapshot& live, const ModelTable& table, int digits);

/// Fails with kBadInput if the document is no layer of a model, or model_table() would throw.
Expected<void> model_table_exists(const ModelTable& table, const Document& document);

/// The matrix that an author names, as in an expression but without row and column: "X", "Q[1]",
/// "W_Q[head 2]"; or a table about a trained model, see model_table(). Without a head, the first.
/// Fails with kBadInput if there is no such stage or matrix.
Expected<NamedTable> named_table(std::string_view text);

/// Fails with kBadInput if the document has no such matrix.
Expected<void> table_exists(const NamedTable& table, const Document& document);

}  // namespace lab::lessons
