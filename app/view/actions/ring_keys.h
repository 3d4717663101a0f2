#pragma once

#include "app/view/state/ui.h"

// The keys of the ring around a widget: where it goes, and when it comes and goes.

namespace lab::view {

/// Moves the ring to the next part of the window, or back (`by` −1). Nothing happens while a number
/// that is being typed cannot be used.
void go_to_part(Ui& ui, int by);
/// Moves the ring to the first menu of the top bar.
void go_to_menus(Ui& ui);

/// A step of the frame (main_view.cpp), before the panels: takes the ring's keys.
void take_ring_keys(Ui& ui);

}  // namespace lab::view
