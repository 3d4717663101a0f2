#pragma once

#include "app/view/state/ui.h"

// The keys that move, show and hide the keyboard focus.

namespace lab::view {

/// Moves the keyboard focus to the next part of the window, or back (`by` −1). Does nothing while
/// the number being typed is invalid.
void go_to_panel(Ui& ui, int by);
/// Moves the keyboard focus to the first menu of the top bar.
void go_to_menus(Ui& ui);

/// A step of the frame (main_view.cpp), before the panels: handles the focus keys.
void handle_focus_keys(Ui& ui);

}  // namespace lab::view
