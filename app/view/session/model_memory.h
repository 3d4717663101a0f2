#pragma once

#include "app/document/document.h"
#include "app/files/session/session_view.h"
#include "app/view/state/model_state.h"

namespace lab::view {

/// A pinned cell as files hold it; nothing when it is not of a stage.
std::optional<StageCell> saved_cell(const attention::CellRef& pin);
/// The pinned cell that a file holds.
attention::CellRef pinned_cell(const StageCell& saved);

/// How a trained model is viewed, as stored in a session.
files::ModelView model_view_of(const ModelState& state, const WordsState& words);

/// Applies `view` to `document`. Heads and tokens that its model does not have are ignored; a
/// document without a model takes nothing.
void show_model_as(ModelState& state, const files::ModelView& view, const Document& document);

}  // namespace lab::view
