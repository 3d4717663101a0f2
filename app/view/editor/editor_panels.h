#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The sentence and the editable matrices. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// One chip a token, in a row that scrolls sideways; a click selects the query.
void token_chips(Ui& ui, const Rect& rect);
/// The number of overrides at the right of `rect`, where there are any, which opens their list; the
/// place is cut off.
void overrides_button(Ui& ui, Rect& rect);
/// The row of buttons below the Edit card's grid, with the menu of everything that fills.
void fill_row(Ui& ui, Rect row);
/// The tabs of the Edit card and the menu of those that do not fit.
void matrix_tabs(Ui& ui, Rect row);

}  // namespace lab::view
