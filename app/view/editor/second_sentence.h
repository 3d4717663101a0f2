#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// True when keys and values come from a sentence of their own.
bool is_cross(const Ui& ui);

/// Gives keys and values their own sentence (their last one, at first the same as the queries') and
/// its box the keyboard focus, or uses the first sentence for them again. One undo step.
void toggle_cross(Ui& ui);

}  // namespace lab::view
