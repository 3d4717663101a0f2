#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The export dialog. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// The content of the export dialog: what, how, a preview, and where to.
void export_dialog(Ui& ui);
/// Takes the path that is in its field.
void accept_export(Ui& ui);

}  // namespace lab::view
