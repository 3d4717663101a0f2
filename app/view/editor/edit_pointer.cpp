#include <algorithm>
#include <cmath>

#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/edit_grid.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Matrix;
using attention::Shape;

constexpr float kDragStep = 0.01f;  // change per pixel
constexpr float kFine = 0.1f, kCoarse = 10;
constexpr float kEditDragThreshold = 3;  // pixels before a press is a drag

float drag_value(float start, float pixels) {
  const ImGuiIO& io = ImGui::GetIO();
  const float factor = io.KeyShift ? kFine : io.KeyCtrl ? kCoarse : 1.0f;
  const float value = start + pixels * kDragStep * factor;
  const float digits = io.KeyShift ? 1000.0f : 100.0f;
  return std::clamp(std::round(value * digits) / digits, -kLargestCell, kLargestCell);
}

// The numbers of the block after dragging by `pixels`. −∞ does not change.
Matrix dragged(const EditState& edit, float pixels) {
  const Cell inside{edit.pressed_cell.row - edit.drag_block.row,
                    edit.pressed_cell.col - edit.drag_block.col};
  const float start = edit.numbers(inside.row, inside.col);
  const float value = drag_value(std::isfinite(start) ? start : 0, pixels);
  const float change = value - (std::isfinite(start) ? start : 0);
  Matrix moved = edit.numbers.unaryExpr([change](float number) {
    if (!std::isfinite(number)) return number;
    return std::clamp(number + change, -kLargestCell, kLargestCell);
  });
  moved(inside.row, inside.col) = value;
  return moved;
}

void drag_cells(Ui& ui) {
  EditState& edit = ui.state.edit;
  const float pixels = edit.drag_start_y - ImGui::GetIO().MousePos.y;
  if (!edit.dragging && std::abs(pixels) < kEditDragThreshold) return;
  edit.dragging = true;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  Matrix moved = dragged(edit, pixels);
  if (moved == block_numbers(ui, edit.drag_block)) return;
  ui.queue(intent::Preview{set_numbers(ui, edit.drag_block, std::move(moved))});
}

void start_drag(Ui& ui, Cell cell) {
  EditState& edit = ui.state.edit;
  edit.gesture = Gesture::kDrag;
  if (!selected_block(edit).contains(cell.row, cell.col)) edit.cursor = cell;
  edit.pressed_cell = cell;
  edit.drag_block = selected_block(edit);
  edit.drag_start_y = ImGui::GetIO().MousePos.y;
  edit.numbers = block_numbers(ui, edit.drag_block);
}

void press(Ui& ui, const EditGrid& grid, Cell cell) {
  EditState& edit = ui.state.edit;
  leave_field(ui);
  edit.focused = true;
  edit.dragging = false;
  const bool extends =
      ImGui::GetIO().KeyShift && !selected_block(edit).contains(cell.row, cell.col);
  if (extends) {
    edit.gesture = Gesture::kSelect;
  } else if (grid.ref.id == MatrixId::kMask) {
    start_stroke(ui, *grid.matrix, cell);
  } else {
    start_drag(ui, cell);
  }
}

void go_on(Ui& ui, Cell cell) {
  switch (ui.state.edit.gesture) {
    case Gesture::kDrag:
      return drag_cells(ui);
    case Gesture::kSelect:
      return extend_block(ui.state.edit, cell);
    case Gesture::kPaint:
      return extend_stroke(ui, cell);
    default:
      return;
  }
}

void end_drag(Ui& ui) {
  EditState& edit = ui.state.edit;
  if (edit.gesture == Gesture::kPaint) {
    ui.queue(intent::Commit{[] { return tr("Paint mask"); }});
  } else if (edit.dragging) {
    ui.queue(intent::Commit{});
  } else if (edit.gesture == Gesture::kDrag) {
    edit.cursor = edit.pressed_cell;
    edit.block.reset();
  }
  edit.gesture = Gesture::kNone;
  edit.dragging = false;
}

// Selects the whole rows or columns from that of `from`, which was pressed, to that of `to`.
void select_line(EditState& edit, Shape shape, Cell from, Cell to) {
  if (edit.gesture == Gesture::kSelectRows) {
    select_block(edit, {from.row, shape.cols - 1}, {to.row, 0});
  } else {
    select_block(edit, {shape.rows - 1, from.col}, {0, to.col});
  }
}

// The number, and what it moves, beside the pointer.
void announce_sensitivity(Ui& ui, const EditGrid& grid, Cell cell) {
  if (grid.sensitivity.empty() || ui.state.edit.dragging) return;
  tooltip(ui, std::string(matrix_name(grid.ref.id)) + " [" + grid.row_label(cell.row) + ", " +
                  grid.col_label(cell.col) +
                  "] = " + ui.number((*grid.matrix)(cell.row, cell.col)) + "\n" +
                  move_text(ui, grid.ref, cell));
}

std::string name_of(const EditGrid& grid) {
  return "matrix/" + std::string(matrix_name(grid.ref.id));
}

}  // namespace

bool handle_pointer(Ui& ui, const Rect& whole, const Rect& visible, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  const Cell before = edit.cursor;
  pointer_area(ui, name_of(grid), visible);
  const Cell cell = cell_at(whole, grid.matrix.shape(), ImGui::GetIO().MousePos);
  if (ImGui::IsItemHovered()) announce_sensitivity(ui, grid, cell);
  if (ImGui::IsItemActivated()) press(ui, grid, cell);
  // The last movement may come in the same frame as the release.
  const bool released = ImGui::IsItemDeactivated();
  if (ImGui::IsItemActive() || released) go_on(ui, cell);
  if (released) end_drag(ui);
  const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  if (twice && grid.ref.id != MatrixId::kMask) start_typing(ui, grid);
  if (ImGui::IsMouseClicked(0) && !ImGui::IsItemHovered() && edit.focused) {
    leave_field(ui);
    edit.focused = false;
  }
  if (focus_stop(ui, name_of(grid), visible)) {
    go_inside(ui, Inside::kCells);
    edit.focused = true;
  }
  return edit.cursor != before;
}

void handle_labels(Ui& ui, const Rect& area, Gesture gesture, const Rect& whole,
                   const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  const Shape shape = grid.matrix.shape();
  pointer_area(ui, name_of(grid) + (gesture == Gesture::kSelectRows ? "/rows" : "/cols"), area);
  const Cell cell = cell_at(whole, shape, ImGui::GetIO().MousePos);
  if (ImGui::IsItemActivated()) {
    leave_field(ui);
    edit.focused = true;
    edit.gesture = gesture;
    const CellBlock block = selected_block(edit);
    edit.pressed_cell = ImGui::GetIO().KeyShift ? Cell{block.row, block.col} : cell;
  }
  if (edit.gesture != gesture) return;
  if (ImGui::IsItemActive()) select_line(edit, shape, edit.pressed_cell, cell);
  if (!ImGui::IsItemActive()) edit.gesture = Gesture::kNone;
}

}  // namespace lab::view
