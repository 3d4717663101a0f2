#pragma once

#include <string>

#include "app/view/state/ui.h"

// Files that do not replace the document but bring something into it: a matrix goes into the one
// that is open in Edit, word vectors become the embeddings. Either is one step of the history.

namespace lab::view {

/// Begins to read `source` aside, if it is such a file, and says in ui.state.notice what came of
/// it, in ui.state.error why nothing did; what fits only after a change is asked about. False, and
/// nothing is done, when it is something else.
bool import_source(Ui& ui, const std::string& source);

/// What is asked in Dialog::kImport, and the words for agreeing.
std::string import_question(const Ui& ui);
std::string import_answer(const Ui& ui);

/// Does what was asked about: puts the matrix in transposed, or changes d_model.
void agree_to_import(Ui& ui);

}  // namespace lab::view
