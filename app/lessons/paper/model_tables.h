#pragma once

#include <string_view>

#include "app/lessons/lesson.h"
#include "app/lessons/paper/paper.h"

// Tables about trained models on worksheets.

namespace lab::lessons {

/// True when an author's name for a table is about a trained model: weights[L1H3], or one of
/// predictions[last], lens[last], knock_out[:, last, mat] and the like.
bool names_model_table(std::string_view text);

/// The table: of a stage or matrix its rows and columns; of the numbers of all heads a row for each
/// layer and a column for each head; of predictions and of the logit lens a row for each token or
/// layer. Throws BadInput if it does not exist in the model of `live`.
PaperTable model_table(const Snapshot& live, const ModelTable& table, int digits);

/// Fails with kBadInput if the document is no layer of a model, or model_table() would throw.
Expected<void> model_table_exists(const ModelTable& table, const Document& document);

}  // namespace lab::lessons
