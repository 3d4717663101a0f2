#include "app/view/editor/edit_grid.h"

#include <algorithm>

#include "app/view/editor/cell_editor.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

using attention::Index;

Cell stepped(const EditGrid& grid, Cell from, Index rows, Index cols) {
  const auto shape = grid.matrix.shape();
  return {std::clamp<Index>(from.row + rows, 0, shape.rows - 1),
          std::clamp<Index>(from.col + cols, 0, shape.cols - 1)};
}

void step(Ui& ui, const EditGrid& grid, Index rows, Index cols) {
  Cell& cursor = ui.state.edit.cursor;
  cursor = stepped(grid, cursor, rows, cols);
}

// The cell `by` steps on in `block`, row by row or column by column, wrapping around.
Cell on_in(const CellBlock& block, Cell from, bool by_rows, Index by) {
  const Index row = from.row - block.row, col = from.col - block.col;
  const Index count = block.rows * block.cols;
  const Index current = by_rows ? row * block.cols + col : col * block.rows + row;
  const Index next = (current + by + count) % count;
  if (by_rows) return {block.row + next / block.cols, block.col + next % block.cols};
  return {block.row + next % block.rows, block.col + next / block.rows};
}

// At the end of a row Tab goes to the next one, as in a spreadsheet; in a block it stays inside.
void tab(Ui& ui, const EditGrid& grid, Index by) {
  const auto shape = grid.matrix.shape();
  EditState& edit = ui.state.edit;
  const CellBlock block = selected_block(ui);
  const CellBlock around = block.is_cell() ? CellBlock{0, 0, shape.rows, shape.cols} : block;
  move_in_block(edit, on_in(around, edit.cursor, true, by));
}

// Enter goes down; in a block it goes on at the top of the next column.
void enter(Ui& ui, const EditGrid& grid, Index by) {
  const CellBlock block = selected_block(ui);
  if (block.is_cell()) return step(ui, grid, by, 0);
  move_in_block(ui.state.edit, on_in(block, ui.state.edit.cursor, false, by));
}

// Shift reverses the direction of Tab and Enter.
Index direction() { return ImGui::GetIO().KeyShift ? -1 : 1; }

struct Move {
  Key key;
  Index rows, cols;
};
constexpr Move kMoves[] = {{Key::kUp, -1, 0},       {Key::kDown, 1, 0},     {Key::kLeft, 0, -1},
                           {Key::kRight, 0, 1},     {Key::kPageUp, -10, 0}, {Key::kPageDown, 10, 0},
                           {Key::kHome, 0, -10000}, {Key::kEnd, 0, 10000}};

bool handle_sensitivity(Ui& ui, const EditGrid& grid) {
  for (const Move& move : kMoves) {
    if (!compat::key_pressed(move.key)) continue;
    EditState& edit = ui.state.edit;
    if (ImGui::GetIO().KeyShift) {
      extend_block(edit, stepped(grid, block_corner(edit), move.rows, move.cols));
    } else {
      step(ui, grid, move.rows, move.cols);
    }
    return true;
  }
  const bool in_block = !selected_block(ui).is_cell() && !ImGui::GetIO().KeyCtrl;
  if (compat::key_pressed(Key::kTab)) {
    tab(ui, grid, direction());
  } else if (in_block && compat::enter_pressed()) {
    enter(ui, grid, direction());
  } else {
    return false;
  }
  return true;
}

void preview_cell(Ui& ui) {
  preview_typed(ui, *ui.state.edit.typing,
                [&ui](float value) { return set_cursor_cell(ui, value); });
}

// The pair at the cursor determines the new state of the whole block.
void toggle_mask(Ui& ui, const EditGrid& grid) {
  const auto [row, col] = ui.state.edit.cursor;
  fill_block(ui, (*grid.matrix)(row, col) == 0 ? 1.0f : 0.0f);
}

void handle_edits(Ui& ui, const EditGrid& grid) {
  if (compat::key_pressed(Key::kDelete, false) || compat::key_pressed(Key::kBackspace, false)) {
    clear_block(ui);
  }
  std::string first = typed_text();
  if (grid.ref.id == MatrixId::kMask && compat::key_pressed(Key::kSpace, false)) {
    toggle_mask(ui, grid);
  } else if (compat::enter_pressed() || compat::key_pressed(Key::kF2, false)) {
    start_typing(ui, grid);
  } else if (!first.empty()) {
    ui.state.edit.typing = std::move(first);
    ui.state.edit.selected = false;
    preview_cell(ui);
  }
}

// Keys that end the text field.
void end_typing_by_key(Ui& ui, const EditGrid& grid) {
  const bool enter_key = compat::enter_pressed();
  const bool tab_key = compat::key_pressed(Key::kTab, false);
  if (compat::key_pressed(Key::kEscape, false)) {
    cancel_pending(ui);
  } else if (enter_key && ImGui::GetIO().KeyCtrl) {
    commit_to_block(ui);
  } else if (enter_key && commit_pending(ui)) {
    enter(ui, grid, direction());
  } else if (tab_key && commit_pending(ui)) {
    tab(ui, grid, direction());
  } else if (compat::key_pressed(Key::kDown) && commit_pending(ui)) {
    step(ui, grid, 1, 0);
  } else if (compat::key_pressed(Key::kUp) && commit_pending(ui)) {
    step(ui, grid, -1, 0);
  }
}

// Typing appends to the number, as in a spreadsheet; arrows and Tab commit it.
void handle_typing(Ui& ui, const EditGrid& grid) {
  if (edit_number_text(*ui.state.edit.typing, ui.state.edit.selected)) preview_cell(ui);
  end_typing_by_key(ui, grid);
}

}  // namespace

bool handle_keys(Ui& ui, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  if (!edit.focused || ui.state.dialog.open != Dialog::kNone || popup_has_keys(ui)) return false;
  if (edit.typing) {
    handle_typing(ui, grid);
    return !edit.typing;
  }
  if (compat::key_pressed(Key::kEscape, false)) {
    if (!edit.dragging) edit.focused = false;
    cancel_pending(ui);
    return false;
  }
  if (is_dragging(ui) || compat::text_field_has_keys()) return false;
  const bool moved = handle_sensitivity(ui, grid);
  if (!moved) handle_edits(ui, grid);
  return moved;
}

void start_typing(Ui& ui, const EditGrid& grid) {
  const auto [row, col] = ui.state.edit.cursor;
  ui.state.edit.typing = editable_text((*grid.matrix)(row, col));
  ui.state.edit.selected = true;
}

}  // namespace lab::view
