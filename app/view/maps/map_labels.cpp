#include "app/view/maps/map_labels.h"

#include <algorithm>

#include "app/figure/compose/label_layout.h"
#include "app/translation/words.h"
#include "app/view/maps/heat_map_parts.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Shape;

constexpr float kTilt = 45;  // degrees, of column labels that do not fit
constexpr float kSmallestLabel = 8.5f;
// The room of labels: as long as these points or this share of the map, but no more than the last
// share.
constexpr float kLabelWidth = 56, kLabelShare = 0.2f, kMostShare = 0.32f;
constexpr float kLabelHeight = 52, kHeightShare = 0.22f, kMostHeightShare = 0.36f;
const float kSine = std::sin(kTilt * 3.14159265f / 180);

float room_for(float needed, float whole, float least, float share, float most) {
  return std::min({needed, std::max(least, whole * share), whole * most});
}

// The label of a row or column that is cut off at the edge is left out.
bool shows_row(const MapPlot& plot, const Rect& cell) {
  const float middle = cell.y + cell.h / 2;
  return middle >= plot.visible.y && middle <= plot.visible.bottom();
}
bool shows_col(const MapPlot& plot, const Rect& cell) {
  const float middle = cell.x + cell.w / 2;
  return middle >= plot.visible.x && middle <= plot.visible.right();
}

}  // namespace

bool MapPlot::shows_whole(Cell at) const {
  constexpr float kMargin = 1;  // pixels between a number and the edge of its cell
  const Rect bounds = cell(at);
  return bounds.x >= visible.x - kMargin && bounds.right() <= visible.right() + kMargin &&
         bounds.y >= visible.y - kMargin && bounds.bottom() <= visible.bottom() + kMargin;
}

namespace {

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
void arrange_row_labels(Ui& ui, const Rect& rect, const HeatMap& map, MapLabels& labels) {
  if (!map.row_label) return;
  const Index rows = map.matrix.shape().rows;
  const float shown_rows = map.region.h * static_cast<float>(rows);
  const float share = map.col_label ? 0.84f : 1.0f;  // the rest is for the column labels
  const float points = rect.h * share / shown_rows / ui.state.scale;
  labels.row_points = std::clamp(points - 0.5f, kSmallestLabel, map.label_points);
  const float need = labels.row_points * tallest_script(ui, map.row_label, rows, labels.row_points);
  labels.row_stride = figure::label_stride(static_cast<int>(rows), points, need + 0.5f);
  const float widest = widest_label(ui, map.row_label, rows, labels.row_stride, labels.row_points);
  labels.row_width = room_for(widest, rect.w, ui.px(kLabelWidth), kLabelShare, kMostShare);
}

// An emoji is not tilted: it stays upright below its column.
bool stays_upright(Ui& ui, const figure::TextRequest& request) {
  const figure::TextImage& image = ui.labels.metrics(request);
  return image.coloured && image.advance <= 1.8 * request.size;
}

// The width of the widest of those; 0 without one.
float widest_upright(Ui& ui, const HeatMap& map, Index stride) {
  double widest = 0;
  for (Index j = 0; j < map.matrix.shape().cols; j += stride) {
    const figure::TextRequest request = label_request(ui, map.col_label(j), map.label_points);
    if (stays_upright(ui, request)) widest = std::max(widest, ui.labels.metrics(request).advance);
  }
  return static_cast<float>(widest);
}

// Missing numbers can be inferred from their neighbours, missing words cannot.
bool are_counted(const std::function<std::string(Index)>& label, Index count) {
  for (Index i = 0; i < std::min<Index>(count, 64); ++i)
    if (label(i).find_first_not_of("0123456789") != std::string::npos) return false;
  return true;
}

// How a label looks, by what it stands for.
struct LabelLook {
  bool marked = false, highlighted = false, of_template = false;
};

figure::Rgb label_colour(const Ui& ui, const LabelLook& look) {
  if (look.marked) return ui.theme.selected;
  if (look.highlighted) return ui.theme.accent;
  return look.of_template ? ui.theme.disabled : ui.theme.dim;
}

bool is_template_label(const std::function<bool(Index)>& of_template, Index i) {
  return of_template && of_template(i);
}

// A label is highlighted with a region that covers only its row or column.
bool row_is_highlighted(const HeatMap& map, Index row) {
  return std::ranges::any_of(
      map.highlight, [row](const CellBlock& box) { return box.rows == 1 && box.row == row; });
}

bool col_is_highlighted(const HeatMap& map, Index col) {
  return std::ranges::any_of(
      map.highlight, [col](const CellBlock& box) { return box.cols == 1 && box.col == col; });
}

// The whole label, when the pointer is on it and it is too long or of a chat template.
void whole_label(Ui& ui, const HeatMap& map, const std::string& id, const Rect& bounds,
                 const std::string& text, bool of_template) {
  if (!map.interactive || !bounds.contains(ImGui::GetIO().MousePos)) return;
  pointer_area(ui, map.name + "/label/" + id, bounds);
  tooltip(ui, of_template ? text + "   " + tr("from the chat template") : text);
}

void row_label_at(Ui& ui, const Rect& bounds, const HeatMap& map, const MapLabels& labels,
                  Index i) {
  const std::string text = map.row_label(i);
  const bool marked = map.marked_row == i;
  const bool of_template = is_template_label(map.row_is_of_template, i);
  draw_label(ui, bounds, text, labels.row_points,
             label_colour(ui, {marked, row_is_highlighted(map, i), of_template}),
             TextAlign::kRight);
  const bool cut = ui.labels.width(label_request(ui, text, labels.row_points)) >
                   static_cast<double>(labels.row_width) + 0.5;
  if (cut || of_template)
    whole_label(ui, map, "row/" + std::to_string(i), bounds, text, of_template);
}

// True when the label of `i` is drawn: every how-manyth there is room for, and the marked one,
// whose neighbours make room.
bool is_labelled(Index i, Index stride, std::optional<Index> marked) {
  if (!marked) return i % stride == 0;
  return i == *marked || (i % stride == 0 && std::abs(i - *marked) >= stride);
}

void draw_row_labels(Ui& ui, const MapPlot& plot, const HeatMap& map, const MapLabels& labels) {
  const float gap = ui.px(6);
  for (Index i = plot.first().row; i <= plot.last().row; ++i) {
    const Rect cell = plot.cell({i, 0});
    if (!is_labelled(i, labels.row_stride, map.marked_row) || !shows_row(plot, cell)) continue;
    row_label_at(ui, {plot.visible.x - gap - labels.row_width, cell.y, labels.row_width, cell.h},
                 map, labels, i);
  }
}

void col_label_at(Ui& ui, const MapPlot& plot, const Rect& cell, const HeatMap& map,
                  const MapLabels& labels, Index j) {
  const std::string text = map.col_label(j);
  const bool of_template = is_template_label(map.col_is_of_template, j);
  const figure::Rgb colour =
      label_colour(ui, {map.marked_col == j, col_is_highlighted(map, j), of_template});
  const float wide = labels.pitch * static_cast<float>(labels.col_stride);
  Rect bounds{cell.x + (cell.w - wide) / 2, plot.visible.bottom() + ui.px(2), wide,
              labels.col_height};
  bool cut = false;
  if (labels.tilted) {
    cut = draw_tilted_label(ui, cell, plot.visible.bottom(), text, map.label_points,
                            labels.col_height, colour);
    bounds.x -= labels.col_height / 2;
  } else {
    draw_label(ui, bounds, text, map.label_points, colour, TextAlign::kCentre);
    cut = ui.labels.width(label_request(ui, text, map.label_points)) > double{wide} + 0.5;
  }
  if (cut || of_template)
    whole_label(ui, map, "col/" + std::to_string(j), bounds, text, of_template);
}

void draw_col_labels(Ui& ui, const MapPlot& plot, const HeatMap& map, const MapLabels& labels) {
  for (Index j = plot.first().col; j <= plot.last().col; ++j) {
    const Rect cell = plot.cell({0, j});
    if (!is_labelled(j, labels.col_stride, map.marked_col) || !shows_col(plot, cell)) continue;
    col_label_at(ui, plot, cell, map, labels, j);
  }
}

}  // namespace

MapPlot plot_of(const Rect& visible, const HeatMap& map) {
  const auto& [x, y, w, h] = map.region;
  return {
      visible,
      {visible.x - x / w * visible.w, visible.y - y / h * visible.h, visible.w / w, visible.h / h},
      map.matrix.shape()};
}

MapLabels arrange_labels(Ui& ui, const Rect& rect, const HeatMap& map) {
  const Shape shape = map.matrix.shape();
  const float line = ui.px(map.label_points + 1);
  MapLabels labels;
  arrange_row_labels(ui, rect, map, labels);
  if (!map.col_label) return labels;
  const float plot_width = rect.w - labels.row_width - ui.px(map.colour_bar ? kBarSpace : 0);
  const float pitch = plot_width / (map.region.w * static_cast<float>(shape.cols));
  const Index sampled = std::max<Index>(1, shape.cols / 64);
  const float widest = widest_label(ui, map.col_label, shape.cols, sampled, map.label_points);
  labels.pitch = pitch;
  const float upright = widest + ui.px(5);
  labels.tilted = upright > pitch && !are_counted(map.col_label, shape.cols);
  const float tall = tallest_script(ui, map.col_label, shape.cols, map.label_points);
  const float slanted = std::max(line * 1.25f * tall, widest_upright(ui, map, sampled) + ui.px(2));
  const float need = labels.tilted ? slanted : upright;
  labels.col_stride = figure::label_stride(static_cast<int>(shape.cols), pitch, need);
  labels.col_height = labels.tilted ? room_for(tilted_height(ui, widest, line), rect.h,
                                               ui.px(kLabelHeight), kHeightShare, kMostHeightShare)
                                    : line + ui.px(4);
  return labels;
}

void draw_map_labels(Ui& ui, const MapPlot& plot, const HeatMap& map, const MapLabels& labels) {
  if (labels.row_width > 0) draw_row_labels(ui, plot, map, labels);
  if (map.col_label) draw_col_labels(ui, plot, map, labels);
}

float tilted_height(Ui& ui, float widest, float line) { return (widest + line) * kSine + ui.px(4); }

bool draw_tilted_label(Ui& ui, const Rect& cell, float bottom, const std::string& text,
                       float points, float room, figure::Rgb colour) {
  figure::TextRequest request = label_request(ui, text, points);
  if (stays_upright(ui, request)) {
    const auto width = static_cast<float>(ui.labels.metrics(request).advance);
    draw_label(ui, {cell.x + (cell.w - width) / 2, bottom + ui.px(3), width + 1, ui.px(points + 4)},
               text, points, colour, TextAlign::kLeft);
    return false;
  }
  request.text = ui.labels.fitting(request, room / kSine - static_cast<float>(request.size));
  request.angle = kTilt;
  const auto reach = static_cast<float>(ui.labels.metrics(request).advance) * kSine;
  const auto size = static_cast<float>(request.size);
  const ImVec2 end{cell.x + cell.w / 2 + size * 0.3f, bottom + size * 0.75f};
  ui.labels.draw(ui.canvas(), request, {end.x - reach, end.y + reach}, pack(colour));
  return request.text != text;
}

}  // namespace lab::view
