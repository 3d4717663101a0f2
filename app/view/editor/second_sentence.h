#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// True when keys and values come from a sentence of their own.
bool is_cross(const Ui& ui);

/// Gives keys and values a sentence of their own, and its box the keyboard: the one they had last,
/// at first the same as the queries'. Or lets them come from the first sentence again. One step of
/// undo.
void toggle_cross(Ui& ui);

}  // namespace lab::view
