#pragma once

#include "app/view/state/ui.h"

// The keys that move, show and hide the ring around a widget.

namespace lab::view {

/// Moves the ring to the next part of the window, or back (`by` −1). Does nothing while the number
/// being typed is invalid.
void go_to_part(Ui& ui, int by);
/// Moves the ring to the first menu of the top bar.
void go_to_menus(Ui& ui);

/// A step of the frame (main_view.cpp), before the panels: handles the ring's keys.
void handle_ring_keys(Ui& ui);

}  // namespace lab::view
