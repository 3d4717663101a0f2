#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/document/commands/command.h"
#include "app/view/state/selection.h"
#include "core/shared_matrix.h"

namespace lab::view {

/// A block selected from `anchor` to `corner`.
struct SelectedBlock {
  MatrixId matrix = MatrixId::kWQ;
  Cell anchor, corner;
  Cell cursor;  ///< the cursor inside it; when it is elsewhere, the block is deselected
};

/// What the pointer does in the grid while the button is down.
enum class Gesture { kNone, kDrag, kSelect, kSelectRows, kSelectCols, kPaint };

/// The grid in the Edit card: the matrix, the cursor, and the gesture in progress.
struct EditState {
  MatrixId matrix = MatrixId::kWQ;
  Cell cursor;
  std::optional<std::pair<MatrixRef, Cell>> in_view;  ///< the cursor that the grid scrolled to last
  std::optional<SelectedBlock> block;  ///< valid while matrix and cursor do not change
  bool focused = false;                ///< keys go to the grid
  bool drawn = false;                  ///< the grid was on screen in this frame
  Gesture gesture = Gesture::kNone;
  bool dragging = false;  ///< the gesture has changed numbers
  Cell pressed_cell;      ///< where the gesture began; for a stroke, where it is now
  float drag_start_y = 0;
  CellBlock drag_block;       ///< the cells that the gesture changes
  attention::Matrix numbers;  ///< those of drag_block before a drag; or the mask including the
                              ///< stroke
  std::optional<std::string> typing;  ///< the text of the number being typed
  bool selected = false;              ///< the whole text: what is typed next replaces it
  attention::SharedMatrix absent;     ///< shown in place of a matrix that is absent
  std::uint64_t fill_seed = 1;        ///< the seed of the next random fill
  float fill_factor = 0.5f;           ///< the factor of Scale by
};

/// The selected block; the cursor's cell when there is no larger one.
CellBlock selected_block(const EditState& edit);
/// Selects the block from `anchor` to `cursor`, and moves the cursor there.
void select_block(EditState& edit, Cell anchor, Cell cursor);
/// The corner of the selected block that Shift + arrows move; the cursor when there is no block.
Cell block_corner(const EditState& edit);
/// Moves that corner, and the cursor with it.
void extend_block(EditState& edit, Cell corner);
/// Moves the cursor to another cell of the selected block, which stays selected.
void move_in_block(EditState& edit, Cell cursor);

/// A number that is being typed to override a stage's own.
struct OverrideState {
  bool focused = false;  ///< Enter, F2 and Delete go to the selected cell of a stage
  std::optional<std::string> typing;
  bool selected = false;  ///< the whole text: what is typed next replaces it
  std::string offered;    ///< what the field held when it opened; if unchanged, nothing is
                          ///< overridden
  StageCell target;       ///< the cell that is being typed into
};

}  // namespace lab::view
