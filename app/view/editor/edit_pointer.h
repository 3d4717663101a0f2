#pragma once

#include "app/view/editor/edit_grid.h"

namespace lab::view {

/// Handles the pointer in the cells, which fill `whole` and are visible in `visible`: a drag
/// changes the selected cells, with Shift outside them it selects, and in the mask it paints. True
/// when it moved the cursor.
bool handle_pointer(Ui& ui, const Rect& whole, const Rect& visible, const EditGrid& grid);

/// Handles the pointer on the labels in `area`: `gesture` is kSelectRows or kSelectCols.
void handle_labels(Ui& ui, const Rect& area, Gesture gesture, const Rect& whole,
                   const EditGrid& grid);

}  // namespace lab::view
