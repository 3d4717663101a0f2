#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The weights of head `number` (from 0), its name, and its switches: a click focuses the head,
/// Ctrl + click compares it with the focused one, Shift + click selects it besides, a right click
/// opens its menu.
void head_thumbnail(Ui& ui, const Rect& rect, int number);

/// All heads' weights as one matrix, or the difference of two, according to the view of the heads.
void combined_thumbnail(Ui& ui, const Rect& rect);

}  // namespace lab::view
