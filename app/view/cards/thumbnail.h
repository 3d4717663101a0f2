#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// One head's weights, its name, and its switches: a click focuses the head, Ctrl + click compares
/// it with the focused one.
void head_thumbnail(Ui& ui, const Rect& rect, int head);

/// All heads' weights as one matrix, or the difference of two, according to the view of the heads.
void combined_thumbnail(Ui& ui, const Rect& rect);

/// The mute and solo switches, in a strip cut off the right end of a thumbnail's title. They are
/// visible while `pointed_at`, and while they are on.
void head_switches(Ui& ui, Rect& title, int head, bool pointed_at);

}  // namespace lab::view
