#include "app/view/maps/heat_map.h"

#include <algorithm>
#include <utility>

#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heat_map_parts.h"
#include "app/view/maps/map_labels.h"
#include "app/view/maps/values_cache.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Shape;

constexpr float kLeastPlot = 6;      // points; nothing is drawn in less
constexpr Index kMostValues = 2500;  // numbers drawn into the cells of one map

// The largest font in which numbers of so many characters fit comfortably into a cell of that size.
const ImFont* value_font(const Ui& ui, std::size_t characters, float width, float height) {
  const std::string widest(characters, '8');
  const std::pair<const ImFont*, float> fonts_and_lines[] = {
      {ui.fonts.mono_huge, 3}, {ui.fonts.mono_large, 1.4f}, {ui.fonts.mono, 1.4f}};
  for (const auto& [font, lines] : fonts_and_lines) {
    const bool fits =
        text_width(ui, font, widest) * 1.2f <= width && compat::font_size(*font) * lines <= height;
    if (fits) return font;
  }
  return ui.fonts.mono_tiny;
}

std::vector<float> numbers_between(const attention::Matrix& matrix, Cell first, Cell last) {
  std::vector<float> numbers;
  for (Index i = first.row; i <= last.row; ++i)
    for (Index j = first.col; j <= last.col; ++j) numbers.push_back(matrix(i, j));
  return numbers;
}

// How many characters of equal width fit.
std::size_t characters_in(const Ui& ui, const ImFont* font, float width) {
  return static_cast<std::size_t>(std::max(0.0f, width / text_width(ui, font, "8")));
}

bool is_missing(const HeatMap& map, Cell cell) {
  return std::ranges::binary_search(map.missing_rows, cell.row) ||
         std::ranges::binary_search(map.missing_cols, cell.col);
}

// All visible numbers in one notation, or none. Of a cell that is cut off at the edge of a
// zoomed map, a part of the number would be read as another one.
void draw_values(Ui& ui, const MapPlot& plot, const HeatMap& map, figure::Range range) {
  const Cell first = plot.first(), last = plot.last();
  const float w = plot.whole.w / float(plot.shape.cols), h = plot.whole.h / float(plot.shape.rows);
  const Index shown = (last.row - first.row + 1) * (last.col - first.col + 1);
  if (w < ui.px(28) || h < ui.px(13) || shown > kMostValues) return;
  const float room = w - 3;
  const auto notation =
      explain::cell_notation(numbers_between(*map.matrix, first, last), ui.state.digits,
                             characters_in(ui, ui.fonts.mono_tiny, room));
  if (!notation) return;
  const ImFont* const font = value_font(ui, notation->longest, w, h);
  for (Index i = first.row; i <= last.row; ++i) {
    for (Index j = first.col; j <= last.col; ++j) {
      if (is_missing(map, {i, j}) || !plot.shows_whole({i, j})) continue;
      const float value = (*map.matrix)(i, j);
      const Rect cell = plot.cell({i, j});
      draw_text(ui, font, {cell.x + 1, cell.y, cell.w - 2, cell.h},
                explain::cell_text(value, *notation), ink_on(ui, colour_stage(map), range, value),
                TextAlign::kCentre);
    }
  }
}

void draw_seams(Ui& ui, const MapPlot& plot, const HeatMap& map) {
  if (map.seam_every <= 0) return;
  const Index cols = plot.shape.cols;
  const float width = seam_width(plot.whole.w / static_cast<float>(cols), ui.px(5));
  if (width <= 0) return;
  for (Index j = map.seam_every; j < cols; j += map.seam_every) {
    const float x = plot.cell({0, j}).x;
    fill_rect(ui, {x - width / 2, plot.visible.y, width, plot.visible.h}, ui.theme.card);
  }
}

void draw_marks(Ui& ui, const Rect& plot, Shape shape, const HeatMap& map) {
  const float thin = std::max(1.0f, ui.px(1.6f)), thick = std::max(2.0f, ui.px(2.2f));
  if (map.marked_row) {
    Rect row = cell_rect(plot, shape, {*map.marked_row, 0});
    if (row.h < ui.px(7))
      row = {row.x, row.y - 1, row.w, row.h + 2};  // the row stays visible inside
    frame_rect(ui, {plot.x - 1, row.y - 1, plot.w + 2, std::max(row.h, 2.0f) + 2},
               ui.theme.selected, thin, 1);
  }
  if (map.framed_col) {
    const Rect col = cell_rect(plot, shape, {0, *map.framed_col});
    frame_rect(ui, {col.x - 1, plot.y - 1, std::max(col.w, 2.0f) + 2, plot.h + 2},
               ui.theme.selected, thin, 1);
  }
  if (map.marked_cell) {
    const Rect cell = cell_rect(plot, shape, *map.marked_cell);
    frame_rect(ui, {cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4}, ui.theme.selected, thick, 2);
  }
}

// Leaves rows and columns without numbers empty, with a line through each.
void draw_missing(Ui& ui, const Rect& whole, const HeatMap& map) {
  const Shape shape = map.matrix.shape();
  const float thin = std::max(1.0f, ui.px(1));
  for (const Index i : map.missing_rows) {
    const Rect first = cell_rect(whole, shape, {i, 0});
    fill_rect(ui, {whole.x, first.y, whole.w, first.h}, ui.theme.card);
    fill_rect(ui, {whole.x, first.y + std::floor(first.h / 2), whole.w, thin}, ui.theme.line);
  }
  for (const Index j : map.missing_cols) {
    const Rect first = cell_rect(whole, shape, {0, j});
    fill_rect(ui, {first.x, whole.y, first.w, whole.h}, ui.theme.card);
    fill_rect(ui, {first.x + std::floor(first.w / 2), whole.y, thin, whole.h}, ui.theme.line);
  }
}

HeatMapInput handle_input(Ui& ui, const MapPlot& plot, const HeatMap& map) {
  HeatMapInput input{plot.visible, plot.whole, {}, {}};
  const bool clicked = pointer_area(ui, map.name, plot.visible);
  input.entered = focus_stop(ui, map.name, plot.visible);
  if (!ImGui::IsItemHovered()) return input;
  input.hovered = cell_at(plot.whole, plot.shape, ImGui::GetIO().MousePos);
  if (clicked) input.clicked = input.hovered;
  return input;
}

void name_cells(Ui& ui, const MapPlot& plot, const HeatMap& map) {
  constexpr Index kMostNamed = 400;  // cells of larger maps are located by arithmetic
  const Cell first = plot.first(), last = plot.last();
  if ((last.row - first.row + 1) * (last.col - first.col + 1) > kMostNamed) return;
  ui.canvas().PushClipRect(plot.visible.min(), plot.visible.max(), true);
  for (Index i = first.row; i <= last.row; ++i) {
    for (Index j = first.col; j <= last.col; ++j) {
      ui.name(map.name + "/" + std::to_string(i) + "/" + std::to_string(j), plot.cell({i, j}));
    }
  }
  ui.canvas().PopClipRect();
}

// Frames extend a little beyond the cells; when the map is zoomed they are clipped.
void draw_over_cells(Ui& ui, const MapPlot& plot, const HeatMap& map, figure::Range range) {
  const Rect clip = plot.visible.inset(map.region.whole() ? -ui.px(4) : 0);
  ui.canvas().PushClipRect(clip.min(), clip.max(), true);
  draw_missing(ui, plot.whole, map);
  draw_seams(ui, plot, map);
  if (map.values_inside) draw_values(ui, plot, map, range);
  draw_marks(ui, plot.whole, plot.shape, map);
  draw_reading_marks(ui, plot.whole, map);
  draw_overrides(ui, plot.whole, map);
  ui.canvas().PopClipRect();
}

void paint_cells(Ui& ui, const Rect& plot, const HeatMap& map, figure::Range range) {
  HeatMapPaint paint;
  paint.min = plot.min();
  paint.max = plot.max();
  paint.uv_min = {map.region.x, map.region.y};
  paint.uv_max = {map.region.x + map.region.w, map.region.y + map.region.h};
  paint.palette = shown_palette(ui, colour_stage(map));
  paint.dark = ui.theme.dark;
  paint.range = range;
  paint.surface = ui.theme.card;
  paint.ink = ui.theme.dim;
  ui.textures.paint(ui.canvas(), ui.values.texture(map.matrix), paint);
}

}  // namespace

float seam_width(float cell, float widest) {
  constexpr float kNarrow = 3;
  return cell < kNarrow ? 0 : std::min(widest, std::floor(cell / 2));
}

attention::Stage colour_stage(const HeatMap& map) {
  return map.difference ? attention::Stage::kScores : map.stage;
}

figure::Palette shown_palette(const Ui& ui, attention::Stage stage) {
  if (stage == attention::Stage::kWeights && ui.state.weights_palette)
    return *ui.state.weights_palette;
  return figure::default_palette(stage);
}

figure::Rgb ink_on(const Ui& ui, attention::Stage stage, figure::Range range, float value) {
  const bool dark = ui.theme.dark;
  if (!std::isfinite(value)) return ui.theme.dim;
  return lab::figure::ink_on(
      figure::colour_of(figure::palette_table(shown_palette(ui, stage), dark), range, value));
}

Rect cell_rect(const Rect& plot, Shape shape, Cell cell) {
  const auto edge = [](float start, float length, Index i, Index count) {
    return std::floor(start + length * static_cast<float>(i) / static_cast<float>(count) + 0.5f);
  };
  const float x = edge(plot.x, plot.w, cell.col, shape.cols);
  const float y = edge(plot.y, plot.h, cell.row, shape.rows);
  return {x, y, edge(plot.x, plot.w, cell.col + 1, shape.cols) - x,
          edge(plot.y, plot.h, cell.row + 1, shape.rows) - y};
}

Cell cell_at(const Rect& plot, Shape shape, ImVec2 point) {
  const auto index = [](float offset, float length, Index count) {
    const auto at = static_cast<Index>(std::floor(offset / length * static_cast<float>(count)));
    return std::clamp<Index>(at, 0, count - 1);
  };
  return {index(point.y - plot.y, plot.h, shape.rows), index(point.x - plot.x, plot.w, shape.cols)};
}

namespace {

LabelRoom room_of(const Ui& ui, const MapLabels& labels) {
  return {labels.row_width > 0 ? std::ceil(labels.row_width) + ui.px(6) : 0,
          std::ceil(labels.col_height)};
}

}  // namespace

LabelRoom label_room(Ui& ui, const Rect& rect, const HeatMap& map) {
  return room_of(ui, arrange_labels(ui, rect, map));
}

HeatMapInput heat_map(Ui& ui, const Rect& rect, const HeatMap& map) {
  if (map.matrix->size() == 0 || rect.w <= 0 || rect.h <= 0) return {};
  const MapLabels labels = arrange_labels(ui, rect, map);
  const LabelRoom room = room_of(ui, labels);
  Rect plot = rect;
  plot.cut_left(room.left);
  if (map.colour_bar) plot.cut_right(ui.px(kBarSpace));
  plot.cut_bottom(room.below);
  plot = {std::floor(plot.x), std::floor(plot.y), std::floor(plot.w), std::floor(plot.h)};
  if (plot.w < ui.px(kLeastPlot) || plot.h < ui.px(kLeastPlot)) return {};
  const MapPlot map_plot = plot_of(plot, map);
  const figure::Range range = map.range ? *map.range : ui.values.range(map.matrix, map.stage);
  paint_cells(ui, plot, map, range);
  draw_over_cells(ui, map_plot, map, range);
  draw_map_labels(ui, map_plot, map, labels);
  if (map.colour_bar) draw_colour_bar(ui, plot, map, range);
  if (!map.interactive) return {plot, map_plot.whole, {}, {}};
  name_cells(ui, map_plot, map);
  HeatMapInput input = handle_input(ui, map_plot, map);
  if (map.colour_bar) input.bar = {plot.right() + ui.px(4), plot.y, ui.px(kBarSpace - 4), plot.h};
  return input;
}

}  // namespace lab::view
