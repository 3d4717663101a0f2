#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/document/commands/command.h"
#include "app/view/state/selection.h"
#include "core/shared_matrix.h"

namespace lab::view {

/// A block that was selected from `anchor` to `corner`.
struct SelectedBlock {
  MatrixId matrix = MatrixId::kWQ;
  Cell anchor, corner;
  Cell cursor;  ///< where the cursor stands in it; once it is elsewhere, the block is let go
};

/// What the pointer does in the grid from the moment the button goes down.
enum class Gesture { kNone, kDrag, kSelect, kSelectRows, kSelectCols, kPaint };

/// The grid in the Edit card: which matrix, where the cursor is, and what is going on.
struct EditState {
  MatrixId matrix = MatrixId::kWQ;
  Cell cursor;
  std::optional<SelectedBlock> block;  ///< holds as long as matrix and cursor stay where they are
  bool focused = false;                ///< keys go to the grid
  bool drawn = false;                  ///< the grid was on screen in this frame
  Gesture gesture = Gesture::kNone;
  bool dragging = false;  ///< the gesture has changed numbers
  Cell pressed_cell;      ///< where the gesture began; of a stroke where it has come to
  float drag_start_y = 0;
  CellBlock drag_block;       ///< the cells that the gesture changes
  attention::Matrix numbers;  ///< those of drag_block before a drag; the mask with the stroke
  std::optional<std::string> typing;  ///< the text of the number being typed
  bool selected = false;              ///< all of it: what is typed next replaces it
  attention::SharedMatrix absent;     ///< shown in place of a matrix that is absent
  std::uint64_t fill_seed = 1;        ///< of the next random fill
  float fill_factor = 0.5f;           ///< of Scale by
};

/// The block that is selected; the cursor's cell when there is no larger one.
CellBlock selected_block(const EditState& edit);
/// Selects the block from `anchor` to `cursor`, where the cursor then is.
void select_block(EditState& edit, Cell anchor, Cell cursor);
/// The corner of the selected block that Shift and arrows move; the cursor where there is none.
Cell block_corner(const EditState& edit);
/// Moves that corner, and the cursor with it.
void extend_block(EditState& edit, Cell corner);
/// Moves the cursor to another cell of the selected block, which stays selected.
void move_in_block(EditState& edit, Cell cursor);

/// A number that is being put in place of a stage's own.
struct OverrideState {
  bool focused = false;  ///< numbers that are typed go to the selected cell of a stage
  std::optional<std::string> typing;
  bool selected = false;  ///< all of it: what is typed next replaces it
  std::string offered;    ///< what the field held when it opened; left as it is, it changes nothing
  StageCell target;       ///< of what is being typed
};

}  // namespace lab::view
