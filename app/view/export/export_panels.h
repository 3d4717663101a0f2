#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The export dialog. Each function draws into the given bounds, reads the state, and queues
// intents.

namespace lab::view {

/// The content of the export dialog: what, how, a preview, and where to.
void export_dialog(Ui& ui);
/// Exports to the path in its field.
void accept_export(Ui& ui);

}  // namespace lab::view
