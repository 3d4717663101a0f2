#pragma once

#include "app/document/workspace.h"
#include "app/files/session/session_view.h"
#include "app/view/state/view_state.h"

namespace lab::view {

/// How the document is looked at, as a session keeps it.
files::SessionView view_of(const ViewState& state);

/// Looks at the document of `workspace` as `view` says. What does not suit the document is left as
/// it is.
void show_as(ViewState& state, const files::SessionView& view, const Workspace& workspace);

}  // namespace lab::view
