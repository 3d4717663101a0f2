#pragma once

#include <string>

#include "app/files/import/import_file.h"
#include "app/view/state/ui.h"

// Files that are imported into the document instead of replacing it: a matrix goes into the one
// that is open in Edit, word vectors become the embeddings. Either is one undo step.

namespace lab::view {

/// An import that only fits if the user agrees to a change.
struct ImportQuestion {
  std::string name;  ///< of the file
  MatrixRef target;  ///< where a matrix goes
  files::Imported content;
};

/// Starts to read `source` in the background, if it is such a file, and reports the result in
/// ui.state.notice or ui.state.error; asks when it only fits after a change. False, without any
/// effect, when it is something else.
bool import_source(Ui& ui, const std::string& source);

/// The question in Dialog::kImport, and the label of the button that agrees.
std::string import_question(const Ui& ui);
/// "Transpose" or "Change", in the language of the window.
std::string import_answer(const Ui& ui);

/// Imports after agreement: transposes the matrix, or changes d_model.
void agree_to_import(Ui& ui);

}  // namespace lab::view
