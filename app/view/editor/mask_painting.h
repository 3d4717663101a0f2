#pragma once

#include "app/view/editor/edit_grid.h"
#include "app/view/state/ui.h"

// Painting the mask with the pointer: the first pair decides whether the stroke forbids or allows.

namespace lab::view {

/// Starts a stroke at `cell` of `mask`, and toggles that cell.
void start_stroke(Ui& ui, const attention::Matrix& mask, Cell cell);

/// Continues to `cell` in a straight line, so that no pair in between is skipped, and previews it.
void extend_stroke(Ui& ui, Cell cell);

/// Draws one pair of the painted mask: hatched when it is forbidden, and lightly hatched when a
/// rule already forbids it.
void draw_mask_cell(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell);

}  // namespace lab::view
