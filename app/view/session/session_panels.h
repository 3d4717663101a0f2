#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The lists and dialogs of sessions and files. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// The list of recent files under `anchor`, when it was asked for.
void recent_list(Ui& ui, const Rect& anchor);
/// The list of all steps under `anchor`, when it was asked for.
void history_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that offers what another window lost in a crash.
void recovery_dialog(Ui& ui);
/// The content of the dialog that asks before something is brought in that fits only so.
void import_dialog(Ui& ui);

}  // namespace lab::view
