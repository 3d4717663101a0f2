#pragma once

#include "app/view/state/ui.h"

// Ctrl+C: the cells that are selected, else the picture of the focused card.

namespace lab::view {

/// True when Ctrl+C means cells: the Edit card's grid has the keys, or a block of a map is selected
/// and nothing else has them.
bool copies_cells(const Ui& ui);
/// Those cells to the clipboard as tab-separated text; the Edit card's block where there are none.
void copy_cells(Ui& ui);

/// True when Ctrl+C means the picture: nothing has the keys, and no cells are selected.
bool copies_picture(const Ui& ui);

}  // namespace lab::view
