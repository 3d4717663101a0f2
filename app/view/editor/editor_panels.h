#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The editable matrices. Each function draws into the given bounds, reads the
// state, and queues intents.

namespace lab::view {

/// A button with the number of overrides, if there are any, that opens their list; it is cut off
/// the right of `rect`.
void overrides_button(Ui& ui, Rect& rect);
/// The row of buttons below the Edit card's grid, with the menu of all fills.
void fill_row(Ui& ui, Rect row);
/// The tabs of the Edit card and the menu of those that do not fit.
void matrix_tabs(Ui& ui, Rect row);

}  // namespace lab::view
