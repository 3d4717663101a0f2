#pragma once

#include <functional>
#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// The matrix that is edited and the labels of its rows and columns.
struct EditGrid {
  MatrixRef ref;
  attention::SharedMatrix matrix;
  std::function<std::string(attention::Index)> row_label;
  std::function<std::string(attention::Index)> col_label;
  attention::SharedMatrix sensitivity = {};  ///< shown in place of its numbers: what each moves the
                                             ///< one that is asked about by; empty: they are shown

  /// What the cells show.
  const attention::SharedMatrix& shown() const {
    return sensitivity.empty() ? matrix : sensitivity;
  }
};

/// The height in pixels at which all rows are in view, with the labels of columns below them, in a
/// grid of `width` pixels.
float edit_grid_height(Ui& ui, float width, const EditGrid& grid);

/// A heat map whose cells are edited in place: drag a cell up or down (Shift fine, Ctrl coarse),
/// type a number, Delete for 0, arrows, Tab and Enter to move, Esc to cancel. Scrolls when the
/// matrix is larger than `rect`. Every edit is queued as a preview and committed as one step.
void edit_grid(Ui& ui, const Rect& rect, const EditGrid& grid);

/// Handles the keys of the grid while it has the focus: moving, selecting with Shift, Delete, Space
/// in the mask, Enter or F2, Esc, and the first character of a number; in a selected block Enter
/// and Tab go through its cells. Returns true when the cursor moved.
bool handle_keys(Ui& ui, const EditGrid& grid);

/// Opens the text field over the cursor's cell, containing its number.
void start_typing(Ui& ui, const EditGrid& grid);

/// Handles the pointer in the cells, which fill `whole` and are visible in `visible`: a drag
/// changes the selected cells, with Shift outside them it selects, and in the mask it paints. True
/// when it moved the cursor.
bool handle_pointer(Ui& ui, const Rect& whole, const Rect& visible, const EditGrid& grid);

/// Handles the pointer on the labels in `area`: `gesture` is kSelectRows or kSelectCols.
void handle_labels(Ui& ui, const Rect& area, Gesture gesture, const Rect& whole,
                   const EditGrid& grid);

/// Starts a stroke at `cell` of `mask`, and toggles that cell.
void start_stroke(Ui& ui, const attention::Matrix& mask, Cell cell);

/// Continues to `cell` in a straight line, so that no pair in between is skipped, and previews it.
void extend_stroke(Ui& ui, Cell cell);

/// Draws one pair of the painted mask: hatched when it is forbidden, and lightly hatched when a
/// rule already forbids it.
void draw_mask_cell(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell);

}  // namespace lab::view
