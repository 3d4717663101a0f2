#pragma once

#include "app/view/state/ui.h"

// Ctrl+C: copies the selected cells, otherwise the picture of the focused card.

namespace lab::view {

/// True when Ctrl+C copies cells: the Edit card's grid has the keys, or a block of a map is
/// selected and nothing else has the keys.
bool copies_cells(const Ui& ui);
/// Copies those cells to the clipboard as tab-separated text; the Edit card's block when there are
/// none.
void copy_cells(Ui& ui);

/// True when Ctrl+C copies the picture: nothing has the keys, and no cells are selected.
bool copies_picture(const Ui& ui);

}  // namespace lab::view
