#include "app/view/editor/edit_grid.h"

#include <algorithm>
#include <cmath>

#include "app/view/editor/edit_block.h"
#include "app/view/maps/heat_map.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

// The smallest block that contains `block` and `cell`.
CellBlock grown(const CellBlock& block, Cell cell) {
  const Cell last{block.row + block.rows - 1, block.col + block.cols - 1};
  return block_between({std::min(block.row, cell.row), std::min(block.col, cell.col)},
                       {std::max(last.row, cell.row), std::max(last.col, cell.col)});
}

void paint(EditState& edit, Cell to) {
  const Cell from = edit.cursor;
  const float value = edit.numbers(edit.pressed_cell.row, edit.pressed_cell.col);
  const Index steps = std::max(std::abs(to.row - from.row), std::abs(to.col - from.col));
  for (Index step = 0; step <= steps; ++step) {
    const auto share = steps == 0 ? 0.0 : static_cast<double>(step) / static_cast<double>(steps);
    const auto along = [share](Index a, Index b) {
      return a + static_cast<Index>(std::lround(share * static_cast<double>(b - a)));
    };
    const Cell cell{along(from.row, to.row), along(from.col, to.col)};
    edit.numbers(cell.row, cell.col) = value;
    edit.drag_block = grown(edit.drag_block, cell);
  }
  edit.cursor = to;
}

void preview_stroke(Ui& ui) {
  const EditState& edit = ui.state.edit;
  const auto& [row, col, rows, cols] = edit.drag_block;
  ui.queue(
      intent::Preview{set_numbers(ui, edit.drag_block, edit.numbers.block(row, col, rows, cols))});
}

void hatch(Ui& ui, const Rect& rect, figure::Rgb colour) {
  ui.canvas().PushClipRect(rect.min(), rect.max(), true);
  const float step = ui.px(5), thickness = std::max(1.0f, ui.px(1));
  for (float x = rect.x - rect.h; x < rect.right(); x += step) {
    ui.canvas().AddLine({x, rect.bottom()}, {x + rect.h, rect.y}, pack(colour), thickness);
  }
  ui.canvas().PopClipRect();
}

}  // namespace

void start_stroke(Ui& ui, const attention::Matrix& mask, Cell cell) {
  EditState& edit = ui.state.edit;
  edit.gesture = Gesture::kPaint;
  edit.cursor = edit.pressed_cell = cell;
  edit.drag_block = {cell.row, cell.col, 1, 1};
  edit.numbers = mask;
  edit.numbers(cell.row, cell.col) = mask(cell.row, cell.col) == 0 ? 1.0f : 0.0f;
  preview_stroke(ui);
}

void extend_stroke(Ui& ui, Cell cell) {
  EditState& edit = ui.state.edit;
  if (cell == edit.cursor) return;
  paint(edit, cell);
  preview_stroke(ui);
}

void draw_mask_cell(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell) {
  const Rect rect = cell_rect(whole, grid.matrix.shape(), cell);
  const Rect inside{rect.x, rect.y, rect.w - 1, rect.h - 1};
  const bool painted = (*grid.matrix)(cell.row, cell.col) == 0;
  const bool allowed = ui.edited().problem.may_attend(cell.row, cell.col);
  if (allowed) {
    fill_rect(ui, inside, ui.theme.accent, 0, 0.22f);
    return;
  }
  fill_rect(ui, inside, ui.theme.button);
  hatch(ui, inside, painted ? ui.theme.text : ui.theme.line);
}

}  // namespace lab::view
