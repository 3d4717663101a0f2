#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The command palette. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// The field that finds everything that can be asked for by its name, in a dialog.
void command_palette(Ui& ui);

}  // namespace lab::view
