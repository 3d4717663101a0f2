#pragma once

#include "app/document/document.h"
#include "app/files/session/model_view.h"
#include "app/view/state/view_state.h"

namespace lab::view {

/// A pinned cell as files hold it; nothing when it is not of a stage.
std::optional<StageCell> saved_cell(const attention::CellRef& pin);
/// The pinned cell that a file holds.
attention::CellRef pinned_cell(const StageCell& saved);

/// How heads and a trained model are viewed, as stored in a session.
files::ModelView model_view_of(const ViewState& view);

/// Applies `view` to `document`. Heads and tokens that it does not have are ignored; a document
/// without a model takes only heads.
void show_model_as(ViewState& shown, const files::ModelView& view, const Document& document);

}  // namespace lab::view
