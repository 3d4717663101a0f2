#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The command palette. Each function draws into the given place, reads the state, and queues
// intents.

namespace lab::view {

/// The dialog that finds every action by its name.
void command_palette(Ui& ui);

}  // namespace lab::view
