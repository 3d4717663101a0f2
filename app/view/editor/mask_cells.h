#pragma once

#include "app/view/editor/edit_grid.h"

namespace lab::view {

/// Draws one pair of the mask that is painted: hatched where it is forbidden, and lightly so where
/// a rule forbids it already.
void draw_mask_cell(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell);

}  // namespace lab::view
