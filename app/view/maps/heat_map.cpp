#include "app/view/maps/heat_map.h"

#include <algorithm>
#include <utility>

#include "app/figure/compose/label_layout.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/colour_bar.h"
#include "app/view/maps/heat_map_marks.h"
#include "app/view/maps/label_room.h"
#include "app/view/maps/values_cache.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Shape;

constexpr float kTilt = 45;  // degrees, of column labels that do not fit
constexpr float kSmallestLabel = 8.5f;
constexpr Index kMostValues = 2500;  // numbers drawn into the cells of one map
const float kSine = std::sin(kTilt * 3.14159265f / 180);

struct Labels {
  float row_points = 11;
  float pitch = 0;  // width of a column
  Index row_stride = 1, col_stride = 1;
  float row_width = 0;   // of the widest row label
  float col_height = 0;  // below the plot
  bool tilted = false;
};

float widest_label(Ui& ui, const std::function<std::string(Index)>& label, Index count,
                   Index stride, float points) {
  double widest = 0;
  for (Index i = 0; i < count; i += stride) {
    widest = std::max(widest, ui.labels.metrics(label_request(ui, label(i), points)).advance);
  }
  return static_cast<float>(widest);
}

// The height of the tallest script among the labels relative to Latin, such as Thai with its vowels
// above and below; at least 1.
float tallest_script(Ui& ui, const std::function<std::string(Index)>& label, Index count,
                     float points) {
  const auto height = [&](const std::string& text) {
    const figure::TextImage& image = ui.labels.metrics(label_request(ui, text, points));
    return image.ascent + image.descent;
  };
  const double latin = height("x");
  double tallest = latin;
  for (Index i = 0; i < count; i += std::max<Index>(1, count / 64))
    tallest = std::max(tallest, height(label(i)));
  return static_cast<float>(tallest / latin);
}

// Labels shrink a little before some are left out.
void arrange_row_labels(Ui& ui, const Rect& rect, const HeatMap& map, Labels& labels) {
  if (!map.row_label) return;
  const Index rows = map.matrix.shape().rows;
  const float shown_rows = map.part.h * static_cast<float>(rows);
  const float share = map.col_label ? 0.84f : 1.0f;  // the rest is for the column labels
  const float points = rect.h * share / shown_rows / ui.state.scale;
  labels.row_points = std::clamp(points - 0.5f, kSmallestLabel, map.label_points);
  const float need = labels.row_points * tallest_script(ui, map.row_label, rows, labels.row_points);
  labels.row_stride = figure::label_stride(static_cast<int>(rows), points, need + 0.5f);
  labels.row_width = std::min(
      widest_label(ui, map.row_label, rows, labels.row_stride, labels.row_points), rect.w * 0.32f);
}

// Missing numbers can be inferred from their neighbours, missing words cannot.
bool are_counted(const std::function<std::string(Index)>& label, Index count) {
  for (Index i = 0; i < std::min<Index>(count, 64); ++i)
    if (label(i).find_first_not_of("0123456789") != std::string::npos) return false;
  return true;
}

Labels arrange_labels(Ui& ui, const Rect& rect, const HeatMap& map) {
  const Shape shape = map.matrix.shape();
  const float line = ui.px(map.label_points + 1);
  Labels labels;
  arrange_row_labels(ui, rect, map, labels);
  if (!map.col_label) return labels;
  const float plot_width = rect.w - labels.row_width - ui.px(map.colour_bar ? kBarSpace : 0);
  const float pitch = plot_width / (map.part.w * static_cast<float>(shape.cols));
  const Index sampled = std::max<Index>(1, shape.cols / 64);
  const float widest = widest_label(ui, map.col_label, shape.cols, sampled, map.label_points);
  labels.pitch = pitch;
  const float upright = widest + ui.px(5);
  labels.tilted = upright > pitch && !are_counted(map.col_label, shape.cols);
  const float need = labels.tilted ? line * 1.25f : upright;
  labels.col_stride = figure::label_stride(static_cast<int>(shape.cols), pitch, need);
  labels.col_height = labels.tilted ? std::min((widest + line) * kSine + ui.px(4), rect.h * 0.36f)
                                    : line + ui.px(4);
  return labels;
}

// The rectangles of the visible part of the map and of the whole map, which differ when it is
// zoomed.
struct Plot {
  Rect seen, whole;
  Shape shape;

  Rect cell(Cell at) const { return cell_rect(whole, shape, at); }
  Cell first() const { return cell_at(whole, shape, seen.min()); }
  Cell last() const { return cell_at(whole, shape, {seen.right() - 1, seen.bottom() - 1}); }
  // The label of a row or column that is cut off at the edge is left out.
  bool shows_row(const Rect& cell) const {
    const float middle = cell.y + cell.h / 2;
    return middle >= seen.y && middle <= seen.bottom();
  }
  bool shows_col(const Rect& cell) const {
    const float middle = cell.x + cell.w / 2;
    return middle >= seen.x && middle <= seen.right();
  }
};

Plot plot_of(const Rect& seen, const HeatMap& map) {
  const auto& [x, y, w, h] = map.part;
  return {seen,
          {seen.x - x / w * seen.w, seen.y - y / h * seen.h, seen.w / w, seen.h / h},
          map.matrix.shape()};
}

figure::Rgb label_colour(const Ui& ui, bool marked, bool lit) {
  return marked ? ui.theme.selected : lit ? ui.theme.accent : ui.theme.dim;
}

// A label is highlighted with a region that covers only its row or column.
bool row_is_lit(const HeatMap& map, Index row) {
  return std::ranges::any_of(
      map.lit, [row](const CellBlock& box) { return box.rows == 1 && box.row == row; });
}

bool col_is_lit(const HeatMap& map, Index col) {
  return std::ranges::any_of(
      map.lit, [col](const CellBlock& box) { return box.cols == 1 && box.col == col; });
}

void draw_row_labels(Ui& ui, const Plot& plot, const HeatMap& map, const Labels& labels) {
  const float gap = ui.px(6);
  for (Index i = plot.first().row; i <= plot.last().row; ++i) {
    const bool marked = map.marked_row == i;
    if (i % labels.row_stride != 0 && !marked) continue;
    const bool near_marked =
        map.marked_row && i != *map.marked_row && std::abs(i - *map.marked_row) < labels.row_stride;
    if (near_marked) continue;
    const Rect cell = plot.cell({i, 0});
    if (!plot.shows_row(cell)) continue;
    draw_label(ui, {plot.seen.x - gap - labels.row_width, cell.y, labels.row_width, cell.h},
               map.row_label(i), labels.row_points, label_colour(ui, marked, row_is_lit(map, i)),
               TextAlign::kRight);
  }
}

// A label that ends below the middle of its column and rises towards it.
void draw_tilted_label(Ui& ui, const Rect& cell, const Rect& plot, const std::string& text,
                       float points, float room, figure::Rgb colour) {
  figure::TextRequest request = label_request(ui, text, points);
  request.text = ui.labels.fitting(request, room / kSine - static_cast<float>(request.size));
  request.angle = kTilt;
  const auto reach = static_cast<float>(ui.labels.metrics(request).advance) * kSine;
  const auto size = static_cast<float>(request.size);
  const ImVec2 end{cell.x + cell.w / 2 + size * 0.3f, plot.bottom() + size * 0.75f};
  ui.labels.draw(ui.canvas(), request, {end.x - reach, end.y + reach}, pack(colour));
}

void draw_col_labels(Ui& ui, const Plot& plot, const HeatMap& map, const Labels& labels) {
  for (Index j = plot.first().col; j <= plot.last().col; ++j) {
    const bool marked = map.marked_col == j;
    if (j % labels.col_stride != 0 && !marked) continue;
    const bool near_marked =
        map.marked_col && j != *map.marked_col && std::abs(j - *map.marked_col) < labels.col_stride;
    if (near_marked) continue;
    const Rect cell = plot.cell({0, j});
    if (!plot.shows_col(cell)) continue;
    const figure::Rgb colour = label_colour(ui, marked, col_is_lit(map, j));
    if (labels.tilted) {
      draw_tilted_label(ui, cell, plot.seen, map.col_label(j), map.label_points, labels.col_height,
                        colour);
    } else {
      const float wide = labels.pitch * static_cast<float>(labels.col_stride);
      const Rect place{cell.x + (cell.w - wide) / 2, plot.seen.bottom() + ui.px(2), wide,
                       labels.col_height};
      draw_label(ui, place, map.col_label(j), map.label_points, colour, TextAlign::kCentre);
    }
  }
}

// The largest font in which a number of that range fits comfortably into a cell of that size.
const ImFont* value_font(const Ui& ui, figure::Range range, float width, float height) {
  const char* const widest = range.lo < 0 || range.hi >= 10 ? "-88.88" : "8.88";
  const std::pair<const ImFont*, float> fonts_and_lines[] = {
      {ui.fonts.mono_huge, 3}, {ui.fonts.mono_large, 1.4f}, {ui.fonts.mono, 1.4f}};
  for (const auto& [font, lines] : fonts_and_lines) {
    const bool fits =
        text_width(ui, font, widest) * 1.2f <= width && compat::font_size(*font) * lines <= height;
    if (fits) return font;
  }
  return ui.fonts.mono_tiny;
}

void draw_values(Ui& ui, const Plot& plot, const HeatMap& map, figure::Range range) {
  const Cell first = plot.first(), last = plot.last();
  const float w = plot.whole.w / float(plot.shape.cols), h = plot.whole.h / float(plot.shape.rows);
  const Index shown = (last.row - first.row + 1) * (last.col - first.col + 1);
  if (w < ui.px(28) || h < ui.px(13) || shown > kMostValues) return;
  const int decimals = w >= ui.px(38) ? 2 : 1;
  const ImFont* const font = value_font(ui, range, w, h);
  for (Index i = first.row; i <= last.row; ++i) {
    for (Index j = first.col; j <= last.col; ++j) {
      const float value = (*map.matrix)(i, j);
      const Rect cell = plot.cell({i, j});
      draw_fitting(ui, font, {cell.x + 1, cell.y, cell.w - 3, cell.h},
                   explain::shorter_texts(value, decimals),
                   ink_on(ui, colour_stage(map), range, value), TextAlign::kCentre);
    }
  }
}

void draw_seams(Ui& ui, const Plot& plot, const HeatMap& map) {
  if (map.seam_every <= 0) return;
  const Index cols = plot.shape.cols;
  const float width = seam_width(plot.whole.w / static_cast<float>(cols), ui.px(5));
  if (width <= 0) return;
  for (Index j = map.seam_every; j < cols; j += map.seam_every) {
    const float x = plot.cell({0, j}).x;
    fill_rect(ui, {x - width / 2, plot.seen.y, width, plot.seen.h}, ui.theme.card);
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

HeatMapInput handle_input(Ui& ui, const Plot& plot, const HeatMap& map) {
  HeatMapInput input{plot.seen, plot.whole, {}, {}};
  const bool clicked = pointer_area(ui, map.name, plot.seen);
  input.entered = ring_stop(ui, map.name, plot.seen);
  if (!ImGui::IsItemHovered()) return input;
  input.hovered = cell_at(plot.whole, plot.shape, ImGui::GetIO().MousePos);
  if (clicked) input.clicked = input.hovered;
  return input;
}

void name_cells(Ui& ui, const Plot& plot, const HeatMap& map) {
  constexpr Index kMostNamed = 400;  // cells of larger maps are located by arithmetic
  const Cell first = plot.first(), last = plot.last();
  if ((last.row - first.row + 1) * (last.col - first.col + 1) > kMostNamed) return;
  ui.canvas().PushClipRect(plot.seen.min(), plot.seen.max(), true);
  for (Index i = first.row; i <= last.row; ++i) {
    for (Index j = first.col; j <= last.col; ++j) {
      ui.name(map.name + "/" + std::to_string(i) + "/" + std::to_string(j), plot.cell({i, j}));
    }
  }
  ui.canvas().PopClipRect();
}

// Frames extend a little beyond the cells; when the map is zoomed they are clipped.
void draw_over_cells(Ui& ui, const Plot& plot, const HeatMap& map, figure::Range range) {
  const Rect clip = plot.seen.inset(map.part.whole() ? -ui.px(4) : 0);
  ui.canvas().PushClipRect(clip.min(), clip.max(), true);
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
  paint.uv_min = {map.part.x, map.part.y};
  paint.uv_max = {map.part.x + map.part.w, map.part.y + map.part.h};
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
    const auto place = static_cast<Index>(std::floor(offset / length * static_cast<float>(count)));
    return std::clamp<Index>(place, 0, count - 1);
  };
  return {index(point.y - plot.y, plot.h, shape.rows), index(point.x - plot.x, plot.w, shape.cols)};
}

namespace {

LabelRoom room_of(const Ui& ui, const Labels& labels) {
  return {labels.row_width > 0 ? std::ceil(labels.row_width) + ui.px(6) : 0,
          std::ceil(labels.col_height)};
}

}  // namespace

LabelRoom label_room(Ui& ui, const Rect& rect, const HeatMap& map) {
  return room_of(ui, arrange_labels(ui, rect, map));
}

HeatMapInput heat_map(Ui& ui, const Rect& rect, const HeatMap& map) {
  if (map.matrix->size() == 0 || rect.w < ui.px(20) || rect.h < ui.px(16)) return {};
  const Labels labels = arrange_labels(ui, rect, map);
  const LabelRoom room = room_of(ui, labels);
  Rect plot = rect;
  plot.cut_left(room.left);
  if (map.colour_bar) plot.cut_right(ui.px(kBarSpace));
  plot.cut_bottom(room.below);
  plot = {std::floor(plot.x), std::floor(plot.y), std::floor(plot.w), std::floor(plot.h)};
  const Plot place = plot_of(plot, map);
  const figure::Range range = map.range ? *map.range : ui.values.range(map.matrix, map.stage);
  paint_cells(ui, plot, map, range);
  draw_over_cells(ui, place, map, range);
  if (labels.row_width > 0) draw_row_labels(ui, place, map, labels);
  if (map.col_label) draw_col_labels(ui, place, map, labels);
  if (map.colour_bar) draw_colour_bar(ui, plot, map, range);
  if (!map.interactive) return {plot, place.whole, {}, {}};
  name_cells(ui, place, map);
  return handle_input(ui, place, map);
}

}  // namespace lab::view
