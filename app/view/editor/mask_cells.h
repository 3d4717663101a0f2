#pragma once

#include "app/view/editor/edit_grid.h"

namespace lab::view {

/// Draws one pair of the painted mask: hatched when it is forbidden, and lightly hatched when a
/// rule already forbids it.
void draw_mask_cell(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell);

}  // namespace lab::view
