#include "app/view/editor/edit_grid.h"

#include <algorithm>

#include "app/explain/number_text.h"
#include "app/view/editor/cell_editor.h"
#include "app/view/editor/edit_block.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/heat_map_parts.h"
#include "app/view/maps/map_labels.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/values_cache.h"
#include "app/view/solving/answer.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Shape;

constexpr float kMinCellWidth = 46, kMinCellHeight = 21;
constexpr float kMinMaskWidth = 18, kMinMaskHeight = 14;  // no number has to fit
constexpr float kGoodCellHeight = 24, kMaxCellHeight = 26;
constexpr float kLabelPoints = 11.5f;
constexpr float kMostTilted = 56;  // height of tilted labels

struct Layout {
  Rect frame;  // the part of the window that scrolls, its scroll bars included
  Rect cells;  // the visible part of the grid
  float label_width = 0;
  float label_height = 0;  // of the labels of columns
  bool tilted = false;     // they are words in narrow columns
  float cell_width = 0, cell_height = 0;
};

float widest_of(Ui& ui, const std::function<std::string(Index)>& label, Index count) {
  constexpr Index kMeasured = 64;  // spread over all of them, the last included
  const Index measured = std::min(count, kMeasured);
  float widest = 0;
  for (Index i = 0; i < measured; ++i) {
    const Index at = measured == 1 ? 0 : i * (count - 1) / (measured - 1);
    const auto& image = ui.labels.metrics(label_request(ui, label(at), kLabelPoints));
    widest = std::max(widest, static_cast<float>(image.advance));
  }
  return std::ceil(widest);
}

float label_width(Ui& ui, const Rect& rect, const EditGrid& grid) {
  const float widest = widest_of(ui, grid.row_label, grid.matrix.shape().rows);
  return std::min(widest, rect.w * 0.32f) + ui.px(7);
}

// Words below columns that are too narrow for them are tilted. `width` is that of the columns.
bool has_tilted_labels(const Ui& ui, float width, const EditGrid& grid) {
  const auto columns = static_cast<float>(grid.matrix.shape().cols);
  return width < ui.px(kMinCellWidth) * columns && grid.ref.id == MatrixId::kMask;
}

float column_label_height(Ui& ui, bool tilted, const EditGrid& grid) {
  if (!tilted) return ui.px(16);
  const float widest = widest_of(ui, grid.col_label, grid.matrix.shape().cols);
  return std::min(std::ceil(tilted_height(ui, widest, ui.px(kLabelPoints + 1))),
                  ui.px(kMostTilted));
}

Layout lay_out(Ui& ui, const Rect& rect, const EditGrid& grid) {
  const auto rows = static_cast<float>(grid.matrix.shape().rows);
  const auto cols = static_cast<float>(grid.matrix.shape().cols);
  Layout layout;
  layout.label_width = label_width(ui, rect, grid);
  Rect room = rect;
  room.cut_left(layout.label_width);
  layout.tilted = has_tilted_labels(ui, room.w, grid);
  layout.label_height = column_label_height(ui, layout.tilted, grid);
  room.cut_bottom(layout.label_height);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const bool mask = grid.ref.id == MatrixId::kMask;
  const float least = ui.px(mask ? kMinMaskWidth : kMinCellWidth);
  const float least_row = ui.px(mask ? kMinMaskHeight : kMinCellHeight);
  const float least_width = least * cols;
  const float least_height = least_row * rows;
  bool wide = least_width > room.w;
  const bool tall = least_height > room.h - (wide ? bar : 0);
  wide |= tall && least_width > room.w - bar;
  room.w -= tall ? bar : 0;
  room.h -= wide ? bar : 0;
  layout.cell_width = std::floor(std::max(room.w / cols, least));
  layout.cell_height = std::floor(std::clamp(room.h / rows, least_row, ui.px(kMaxCellHeight)));
  layout.cells = {room.x, room.y, std::min(std::floor(room.w), layout.cell_width * cols),
                  std::min(std::floor(room.h), layout.cell_height * rows)};
  layout.frame = layout.cells;
  layout.frame.w += tall ? bar : 0;
  layout.frame.h += wide ? bar : 0;
  return layout;
}

// The visible rows or columns first … last.
struct CellSpan {
  Index first, last;
};

CellSpan visible_span(float scroll, float length, float cell, Index count) {
  const auto first = static_cast<Index>(scroll / cell);
  const auto last = static_cast<Index>(std::ceil((scroll + length) / cell));
  return {std::clamp<Index>(first, 0, count - 1), std::clamp<Index>(last, 1, count) - 1};
}

std::string cell_name(const EditGrid& grid, Cell cell) {
  return "matrix/" + std::string(matrix_name(grid.ref.id)) + "/" + std::to_string(cell.row) + "/" +
         std::to_string(cell.col);
}

void paint_grid(Ui& ui, const Rect& whole, const EditGrid& grid, figure::Range range) {
  HeatMapPaint paint;
  paint.min = whole.min();
  paint.max = whole.max();
  paint.palette = shown_palette(ui, attention::Stage::kX);
  paint.dark = ui.theme.dark;
  paint.range = range;
  paint.surface = ui.theme.card;
  paint.ink = ui.theme.dim;
  ui.textures.paint(ui.canvas(), ui.values.texture(grid.shown()), paint);
}

template <typename Do>
void for_each_cell(CellSpan rows, CellSpan cols, Do with) {
  for (Index i = rows.first; i <= rows.last; ++i) {
    for (Index j = cols.first; j <= cols.last; ++j) with(Cell{i, j});
  }
}

// A parameter highlights the cells it is used in; X and X_kv are the embeddings there.
void point_at_parameter(Ui& ui, const EditGrid& grid, Cell cell) {
  const std::string_view name = operand_name(grid.ref.id);
  if (!name.empty()) {
    point_at(ui, {name, is_per_head(grid.ref.id) ? ui.state.head : 0, cell.row, cell.col});
  }
}

// Cells that are dragged show the numbers that they get.
const attention::SharedMatrix& shown_in(const Ui& ui, const EditGrid& grid, Cell cell) {
  const EditState& edit = ui.state.edit;
  return edit.dragging && edit.drag_block.contains(cell.row, cell.col) ? grid.matrix : grid.shown();
}

void draw_number(Ui& ui, const Rect& whole, const EditGrid& grid, Cell cell, figure::Range range) {
  const float value = (*shown_in(ui, grid, cell))(cell.row, cell.col);
  draw_fitting(ui, ui.fonts.mono, cell_rect(whole, grid.matrix.shape(), cell),
               explain::cell_texts(value, ui.state.digits),
               ink_on(ui, attention::Stage::kX, range, (*grid.shown())(cell.row, cell.col)),
               TextAlign::kCentre);
}

// True when the selection is drawn: while the grid has the keys, and otherwise for a block that a
// fill applies to.
bool shows_selection(const EditState& edit) {
  return edit.focused || !selected_block(edit).is_cell();
}

// No cursor is drawn without the keys, so that nobody types in vain.
void draw_cursor(Ui& ui, const Rect& whole, const EditGrid& grid) {
  const EditState& edit = ui.state.edit;
  const figure::Rgb colour = edit.focused ? ui.theme.selected : ui.theme.dim;
  const Shape shape = grid.matrix.shape();
  const Rect cell = cell_rect(whole, shape, edit.cursor);
  const CellBlock block = selected_block(edit);
  if (!block.is_cell()) {
    const Rect first = cell_rect(whole, shape, {block.row, block.col});
    const Rect last =
        cell_rect(whole, shape, {block.row + block.rows - 1, block.col + block.cols - 1});
    const Rect all{first.x, first.y, last.right() - first.x, last.bottom() - first.y};
    fill_rect(ui, all, colour, 0, 0.16f);
    frame_rect(ui, all, colour, std::max(1.0f, ui.px(1.4f)));
  }
  if (!edit.focused) return;
  ui.name("cursor", cell);
  frame_rect(ui, {cell.x - 1, cell.y - 1, cell.w + 2, cell.h + 2}, colour,
             std::max(2.0f, ui.px(2.4f)), 2);
  if (edit.typing) cell_field(ui, cell, *edit.typing, edit.selected);
}

void draw_labels(Ui& ui, const Layout& layout, const Rect& whole, const EditGrid& grid,
                 CellSpan rows, CellSpan cols) {
  const Shape shape = grid.matrix.shape();
  const CellBlock block = selected_block(ui.state.edit);
  const bool marks = shows_selection(ui.state.edit);
  const figure::Rgb mark = ui.state.edit.focused ? ui.theme.selected : ui.theme.text;
  const auto colour = [&](bool selected) { return selected && marks ? mark : ui.theme.dim; };
  const float left = layout.cells.x - layout.label_width, bottom = layout.cells.bottom(),
              below = layout.frame.bottom();
  ui.canvas().PushClipRect({left, layout.cells.y}, {layout.cells.x, bottom}, true);
  for (Index i = rows.first; i <= rows.last; ++i) {
    const Rect cell = cell_rect(whole, shape, {i, 0});
    draw_label(ui, {left, cell.y, layout.label_width - ui.px(7), cell.h}, grid.row_label(i),
               kLabelPoints, colour(i >= block.row && i < block.row + block.rows),
               TextAlign::kRight);
  }
  ui.canvas().PopClipRect();
  ui.canvas().PushClipRect({left, below},
                           {layout.cells.right(), below + layout.label_height + ui.px(4)}, true);
  for (Index j = cols.first; j <= cols.last; ++j) {
    const Rect cell = cell_rect(whole, shape, {0, j});
    const figure::Rgb ink = colour(j >= block.col && j < block.col + block.cols);
    if (layout.tilted) {
      draw_tilted_label(ui, cell, below, grid.col_label(j), 10.5f, layout.label_height, ink);
    } else {
      draw_label(ui, {cell.x, below + ui.px(2), cell.w, ui.px(14)}, grid.col_label(j), 10.5f, ink,
                 TextAlign::kCentre);
    }
  }
  ui.canvas().PopClipRect();
}

void handle_label_pointer(Ui& ui, const Layout& layout, const Rect& whole, const EditGrid& grid) {
  const float left = layout.cells.x - layout.label_width;
  const Rect rows{left, layout.cells.y, layout.label_width, layout.cells.h};
  const Rect cols{layout.cells.x, layout.frame.bottom(), layout.cells.w, layout.label_height};
  handle_labels(ui, rows, Gesture::kSelectRows, whole, grid);
  handle_labels(ui, cols, Gesture::kSelectCols, whole, grid);
}

void draw_cells(Ui& ui, const Rect& whole, const EditGrid& grid, CellSpan rows, CellSpan cols) {
  if (grid.ref.id == MatrixId::kMask) {
    for_each_cell(rows, cols, [&](Cell cell) { draw_mask_cell(ui, whole, grid, cell); });
  } else {
    const figure::Range range = ui.values.range(grid.shown(), attention::Stage::kX);
    paint_grid(ui, whole, grid, range);
    for_each_cell(rows, cols, [&](Cell cell) { draw_number(ui, whole, grid, cell, range); });
  }
  for_each_cell(rows, cols, [&](Cell cell) {
    ui.name(cell_name(grid, cell), cell_rect(whole, grid.matrix.shape(), cell));
  });
}

// The corners of the cells that dragging an answer has changed.
void draw_answer_marks(Ui& ui, const Rect& whole, const EditGrid& grid) {
  HeatMap marks;
  marks.matrix = grid.matrix;
  marks.overridden = answer_changes(ui, grid.ref);
  if (!marks.overridden.empty()) draw_overrides(ui, whole, marks);
}

// Scrolls so that the cursor is visible after keys moved it.
void follow_cursor(const Layout& layout, Cell cursor) {
  const auto follow = [](float scroll, float length, float cell, Index index) {
    const float start = cell * float(index);
    return std::clamp(scroll, start + cell - length, start);
  };
  ImGui::SetScrollX(follow(ImGui::GetScrollX(), layout.cells.w, layout.cell_width, cursor.col));
  ImGui::SetScrollY(follow(ImGui::GetScrollY(), layout.cells.h, layout.cell_height, cursor.row));
}

// Scrolls the column around the grid in the same way.
void follow_in_column(const Layout& layout, Cell cursor, float scroll) {
  const float inside = layout.cell_height * float(cursor.row) - scroll;
  const float last = layout.cells.h - layout.cell_height;
  const float top = layout.cells.y + std::clamp(inside, 0.0f, std::max(last, 0.0f));
  const float above = ImGui::GetWindowPos().y - top;
  const float below = top + layout.cell_height - ImGui::GetWindowPos().y - ImGui::GetWindowHeight();
  if (above > 0) ImGui::SetScrollY(ImGui::GetScrollY() - above);
  if (below > 0) ImGui::SetScrollY(ImGui::GetScrollY() + below);
}

}  // namespace

float edit_grid_height(Ui& ui, float width, const EditGrid& grid) {
  const bool tilted = has_tilted_labels(ui, width - label_width(ui, {0, 0, width, 0}, grid), grid);
  const auto rows = static_cast<float>(grid.matrix.shape().rows);
  return rows * ui.px(kGoodCellHeight) + column_label_height(ui, tilted, grid);
}

void edit_grid(Ui& ui, const Rect& rect, const EditGrid& grid) {
  const Shape shape = grid.matrix.shape();
  if (grid.matrix->size() == 0) return;
  EditState& edit = ui.state.edit;
  edit.drawn = true;
  edit.cursor = {std::min(edit.cursor.row, shape.rows - 1),
                 std::min(edit.cursor.col, shape.cols - 1)};
  const Layout layout = lay_out(ui, rect, grid);
  const ImVec2 size{layout.cell_width * float(shape.cols), layout.cell_height * float(shape.rows)};
  ImGui::SetCursorScreenPos(layout.frame.min());
  compat::begin_child("edit grid", {layout.frame.w, layout.frame.h}, false,
                      ImGuiWindowFlags_HorizontalScrollbar);
  const bool moved = handle_keys(ui, grid);
  const bool jumped = edit.in_view != std::pair(grid.ref, edit.cursor);  // by a link
  if (moved || jumped) follow_cursor(layout, edit.cursor);
  edit.in_view = {grid.ref, edit.cursor};
  const float scroll = ImGui::GetScrollY();
  const Rect whole{layout.cells.x - ImGui::GetScrollX(), layout.cells.y - ImGui::GetScrollY(),
                   size.x, size.y};
  const CellSpan rows =
      visible_span(ImGui::GetScrollY(), layout.cells.h, layout.cell_height, shape.rows);
  const CellSpan cols =
      visible_span(ImGui::GetScrollX(), layout.cells.w, layout.cell_width, shape.cols);
  if (handle_pointer(ui, whole, layout.cells, grid)) follow_cursor(layout, edit.cursor);
  if (ImGui::IsItemHovered())
    point_at_parameter(ui, grid, cell_at(whole, shape, ImGui::GetIO().MousePos));
  draw_cells(ui, whole, grid, rows, cols);
  draw_answer_marks(ui, whole, grid);
  draw_cursor(ui, whole, grid);
  draw_highlight(ui, whole, shape, highlight_boxes(ui, grid.ref));
  ImGui::SetCursorScreenPos(whole.min());
  ImGui::Dummy(size);
  ImGui::EndChild();
  if (moved) follow_in_column(layout, edit.cursor, scroll);
  draw_labels(ui, layout, whole, grid, rows, cols);
  handle_label_pointer(ui, layout, whole, grid);
}

}  // namespace lab::view
