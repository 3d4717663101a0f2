#pragma once

#include "app/document/workspace.h"
#include "app/files/session/session_view.h"
#include "app/view/state/view_state.h"

namespace lab::view {

/// The view of the document, as stored in a session.
files::SessionView view_of(const ViewState& state);

/// Applies `view` to the document of `workspace`. Settings that do not fit the document are
/// ignored.
void show_as(ViewState& state, const files::SessionView& view, const Workspace& workspace);

}  // namespace lab::view
