#include "app/view/edit_grid.h"

#include <algorithm>

#include "app/figure/number_text.h"
#include "app/view/edit_keys.h"
#include "app/view/heat_map.h"
#include "app/view/heat_map_marks.h"
#include "app/view/imgui_compat.h"
#include "app/view/navigation.h"
#include "app/view/pending.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::Index;
using attention::Shape;

constexpr float kMinCellWidth = 46;
constexpr float kMinCellHeight = 21;
constexpr float kMaxCellHeight = 26;
constexpr float kLabelPoints = 11.5f;
constexpr float kDragStep = 0.01f;  // change per pixel
constexpr float kFine = 0.1f, kCoarse = 10;
constexpr float kDragThreshold = 3;  // pixels before a press is a drag

struct Layout {
  Rect frame;  // the part of the window that scrolls, its scroll bars included
  Rect cells;  // the part of the grid that is seen in it
  float label_width = 0;
  float cell_width = 0, cell_height = 0;
};

float label_width(Ui& ui, const Rect& rect, const EditGrid& grid) {
  float widest = 0;
  const Index sampled = std::min<Index>(grid.matrix.shape().rows, 64);
  for (Index i = 0; i < sampled; ++i) {
    const auto& image = ui.labels.metrics(label_request(ui, grid.row_label(i), kLabelPoints));
    widest = std::max(widest, static_cast<float>(image.advance));
  }
  return std::min(std::ceil(widest), rect.w * 0.32f) + ui.px(7);
}

Layout lay_out(Ui& ui, const Rect& rect, const EditGrid& grid) {
  const auto rows = static_cast<float>(grid.matrix.shape().rows);
  const auto cols = static_cast<float>(grid.matrix.shape().cols);
  Layout layout;
  layout.label_width = label_width(ui, rect, grid);
  Rect room = rect;
  room.cut_left(layout.label_width);
  room.cut_bottom(ui.px(16));
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float least_width = ui.px(kMinCellWidth) * cols;
  const float least_height = ui.px(kMinCellHeight) * rows;
  bool wide = least_width > room.w;
  const bool tall = least_height > room.h - (wide ? bar : 0);
  wide |= tall && least_width > room.w - bar;
  room.w -= tall ? bar : 0;
  room.h -= wide ? bar : 0;
  layout.cell_width = std::floor(std::max(room.w / cols, ui.px(kMinCellWidth)));
  layout.cell_height =
      std::floor(std::clamp(room.h / rows, ui.px(kMinCellHeight), ui.px(kMaxCellHeight)));
  layout.cells = {room.x, room.y, std::min(std::floor(room.w), layout.cell_width * cols),
                  std::min(std::floor(room.h), layout.cell_height * rows)};
  layout.frame = layout.cells;
  layout.frame.w += tall ? bar : 0;
  layout.frame.h += wide ? bar : 0;
  return layout;
}

// Rows or columns first … last that are seen.
struct Span {
  Index first, last;
};

Span seen(float scroll, float length, float cell, Index count) {
  const auto first = static_cast<Index>(scroll / cell);
  const auto last = static_cast<Index>(std::ceil((scroll + length) / cell));
  return {std::clamp<Index>(first, 0, count - 1), std::clamp<Index>(last, 1, count) - 1};
}

std::string cell_name(const EditGrid& grid, Cell cell) {
  return "matrix/" + std::string(matrix_name(grid.ref.id)) + "/" + std::to_string(cell.row) + "/" +
         std::to_string(cell.col);
}

void paint_grid(Ui& ui, const Rect& whole, const EditGrid& grid, Range range) {
  HeatMapPaint paint;
  paint.min = whole.min();
  paint.max = whole.max();
  paint.palette = shown_palette(ui, attention::Stage::kX);
  paint.dark = ui.theme.dark;
  paint.range = range;
  paint.surface = ui.theme.card;
  paint.ink = ui.theme.dim;
  ui.textures.paint(ui.canvas(), ui.values.texture(grid.matrix), paint);
}

void draw_numbers(Ui& ui, const Rect& whole, const EditGrid& grid, Span rows, Span cols,
                  Range range) {
  for (Index i = rows.first; i <= rows.last; ++i) {
    for (Index j = cols.first; j <= cols.last; ++j) {
      const Rect cell = cell_rect(whole, grid.matrix.shape(), {i, j});
      const float value = (*grid.matrix)(i, j);
      draw_fitting(ui, ui.fonts.mono, cell, shorter_texts(value, 2),
                   ink_on(ui, attention::Stage::kX, range, value), TextAlign::kCentre);
      ui.name(cell_name(grid, {i, j}), cell);
    }
  }
}

// A parameter lights what it goes into; X and X_kv are the embeddings there.
void point_at_parameter(Ui& ui, const EditGrid& grid, Cell cell) {
  const MatrixId id = grid.ref.id;
  const std::string_view name = id == MatrixId::kX     ? "embedding"
                                : id == MatrixId::kXKv ? "embedding_kv"
                                                       : matrix_name(id);
  point_at(ui, {name, is_per_head(id) ? ui.state.head : 0, cell.row, cell.col});
}

float drag_value(float start, float pixels) {
  const ImGuiIO& io = ImGui::GetIO();
  const float factor = io.KeyShift ? kFine : io.KeyCtrl ? kCoarse : 1.0f;
  const float value = start + pixels * kDragStep * factor;
  const float digits = io.KeyShift ? 1000.0f : 100.0f;
  return std::clamp(std::round(value * digits) / digits, -kLargestCell, kLargestCell);
}

void drag_cell(Ui& ui, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  const float moved = edit.drag_start_y - ImGui::GetIO().MousePos.y;
  if (!edit.dragging && std::abs(moved) < kDragThreshold) return;
  edit.dragging = true;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  const float value = drag_value(edit.drag_start_value, moved);
  const auto [row, col] = edit.cursor;
  if (value == (*grid.matrix)(row, col)) return;
  ui.queue(intent::Preview{SetCell{grid.ref, static_cast<int>(row), static_cast<int>(col), value}});
}

// A click elsewhere ends typing; a number that is refused is given up, and the message says so.
void leave_field(Ui& ui) {
  if (!commit_pending(ui)) cancel_pending(ui);
}

void press_cell(Ui& ui, const EditGrid& grid, Cell cell) {
  EditState& edit = ui.state.edit;
  leave_field(ui);
  edit.cursor = cell;
  edit.focused = edit.pressed = true;
  edit.dragging = false;
  edit.drag_start_y = ImGui::GetIO().MousePos.y;
  edit.drag_start_value = (*grid.matrix)(cell.row, cell.col);
}

void take_pointer(Ui& ui, const Rect& whole, const Rect& visible, const EditGrid& grid) {
  EditState& edit = ui.state.edit;
  click_area(ui, "matrix/" + std::string(matrix_name(grid.ref.id)), visible);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated()) press_cell(ui, grid, cell_at(whole, grid.matrix.shape(), mouse));
  // The last movement may come in the same frame as the release.
  const bool released = ImGui::IsItemDeactivated();
  if (edit.pressed && (ImGui::IsItemActive() || released)) drag_cell(ui, grid);
  if (released && edit.dragging)
    ui.queue(intent::Commit{command_label(SetCell{grid.ref, 0, 0, 0})});
  if (released) edit.pressed = edit.dragging = false;
  if (ImGui::IsItemHovered())
    point_at_parameter(ui, grid, cell_at(whole, grid.matrix.shape(), mouse));
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) start_typing(ui, grid);
  if (ImGui::IsMouseClicked(0) && !ImGui::IsItemHovered() && edit.focused) {
    leave_field(ui);
    edit.focused = false;
  }
}

void draw_cursor(Ui& ui, const Rect& whole, const EditGrid& grid) {
  const EditState& edit = ui.state.edit;
  const Rect cell = cell_rect(whole, grid.matrix.shape(), edit.cursor);
  frame_rect(ui, {cell.x - 1, cell.y - 1, cell.w + 2, cell.h + 2}, ui.theme.selected,
             std::max(2.0f, ui.px(edit.focused ? 2.4f : 1.8f)), 2);
  if (edit.typing) typing_field(ui, cell);
}

void draw_labels(Ui& ui, const Layout& layout, const Rect& whole, const EditGrid& grid, Span rows,
                 Span cols) {
  const Shape shape = grid.matrix.shape();
  const Cell cursor = ui.state.edit.cursor;
  const float left = layout.cells.x - layout.label_width, bottom = layout.cells.bottom(),
              below = layout.frame.bottom();
  ui.canvas().PushClipRect({left, layout.cells.y}, {layout.cells.x, bottom}, true);
  for (Index i = rows.first; i <= rows.last; ++i) {
    const Rect cell = cell_rect(whole, shape, {i, 0});
    draw_label(ui, {left, cell.y, layout.label_width - ui.px(7), cell.h}, grid.row_label(i),
               kLabelPoints, cursor.row == i ? ui.theme.selected : ui.theme.dim, TextAlign::kRight);
  }
  ui.canvas().PopClipRect();
  ui.canvas().PushClipRect({layout.cells.x, below}, {layout.cells.right(), below + ui.px(20)},
                           true);
  for (Index j = cols.first; j <= cols.last; ++j) {
    const Rect cell = cell_rect(whole, shape, {0, j});
    draw_label(ui, {cell.x, below + ui.px(2), cell.w, ui.px(14)}, grid.col_label(j), 10.5f,
               cursor.col == j ? ui.theme.selected : ui.theme.dim, TextAlign::kCentre);
  }
  ui.canvas().PopClipRect();
}

// Scrolls so that the cursor is seen after it was moved by keys.
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

void edit_grid(Ui& ui, const Rect& rect, const EditGrid& grid) {
  const Shape shape = grid.matrix.shape();
  if (grid.matrix->size() == 0) return;
  EditState& edit = ui.state.edit;
  edit.cursor = {std::min(edit.cursor.row, shape.rows - 1),
                 std::min(edit.cursor.col, shape.cols - 1)};
  const Layout layout = lay_out(ui, rect, grid);
  const ImVec2 size{layout.cell_width * float(shape.cols), layout.cell_height * float(shape.rows)};
  ImGui::SetCursorScreenPos(layout.frame.min());
  compat::begin_child("edit grid", {layout.frame.w, layout.frame.h}, false,
                      ImGuiWindowFlags_HorizontalScrollbar);
  const bool moved = take_keys(ui, grid);
  if (moved) follow_cursor(layout, edit.cursor);
  const float scroll = ImGui::GetScrollY();
  const Rect whole{layout.cells.x - ImGui::GetScrollX(), layout.cells.y - ImGui::GetScrollY(),
                   size.x, size.y};
  const Span rows = seen(ImGui::GetScrollY(), layout.cells.h, layout.cell_height, shape.rows);
  const Span cols = seen(ImGui::GetScrollX(), layout.cells.w, layout.cell_width, shape.cols);
  const Range range = ui.values.range(grid.matrix, attention::Stage::kX);
  take_pointer(ui, whole, layout.cells, grid);
  paint_grid(ui, whole, grid, range);
  draw_numbers(ui, whole, grid, rows, cols, range);
  draw_cursor(ui, whole, grid);
  draw_lit(ui, whole, shape, lit_boxes(ui, grid.ref));
  ImGui::SetCursorScreenPos(whole.min());
  ImGui::Dummy(size);
  ImGui::EndChild();
  if (moved) follow_in_column(layout, edit.cursor, scroll);
  draw_labels(ui, layout, whole, grid, rows, cols);
}

}  // namespace lab
