#pragma once

#include "app/view/editor/edit_grid.h"

namespace lab::view {

/// Takes what the pointer does in the cells, which stand in `whole` and are seen in `visible`: a
/// drag changes the selected cells, with Shift outside of them it selects, and in the mask it
/// paints. True when it moved the cursor.
bool take_pointer(Ui& ui, const Rect& whole, const Rect& visible, const EditGrid& grid);

/// Takes what it does on the labels in `area`: `gesture` kSelectRows or kSelectCols.
void take_labels(Ui& ui, const Rect& area, Gesture gesture, const Rect& whole,
                 const EditGrid& grid);

}  // namespace lab::view
