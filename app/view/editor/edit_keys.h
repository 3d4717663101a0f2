#pragma once

#include <string>

#include "app/view/editor/edit_grid.h"

namespace lab::view {

/// Handles the keys of the grid while it has the focus: moving, selecting with Shift, Delete, Space
/// in the mask, Enter or F2, Esc, and the first character of a number; in a selected block Enter
/// and Tab go through its cells. Returns true when the cursor moved.
bool handle_keys(Ui& ui, const EditGrid& grid);

/// Opens the text field over the cursor's cell, containing its number.
void start_typing(Ui& ui, const EditGrid& grid);

}  // namespace lab::view
