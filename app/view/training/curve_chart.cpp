#include "app/view/training/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/base/wording.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using figure::ModelCurve;
using figure::ModelCurves;

constexpr float kYLabels = 34, kXLabels = 20, kLineLabels = 96, kMostLineLabels = 140,
                kLineLabelHeight = 15, kAboveChart = 8;
constexpr int kMostXLabels = 9;

// Where numbers and steps stand in the window.
struct ChartPlace {
  Rect area;
  const ModelCurves& curves;

  float x(double step) const {
    return area.x + area.w * static_cast<float>(step / std::max(1, curves.last));
  }
  float y(double value) const {
    const double range = std::max(curves.high - curves.low, 1e-30f);
    const double share = std::clamp((value - curves.low) / range, -0.02, 1.02);
    return area.bottom() - area.h * static_cast<float>(share);
  }
  int step_at(float at) const {
    const float share = std::clamp((at - area.x) / std::max(area.w, 1.0f), 0.0f, 1.0f);
    return static_cast<int>(std::lround(share * static_cast<float>(curves.last)));
  }
};

void draw_levels(Ui& ui, const ChartPlace& place) {
  for (int i = 0; i <= figure::kLevels; ++i) {
    const float y = std::floor(place.y(level_value(place.curves, i))) + 0.5f;
    ui.canvas().AddLine({place.area.x, y}, {place.area.right(), y}, pack(ui.theme.line));
    draw_text(ui, ui.fonts.small,
              {place.area.x - ui.px(kYLabels), y - ui.px(8), ui.px(kYLabels - 6), ui.px(16)},
              level_text(place.curves, i), ui.theme.dim, TextAlign::kRight);
  }
}

void draw_steps(Ui& ui, const ChartPlace& place) {
  const int most = std::clamp(static_cast<int>(place.area.w / ui.px(64)), 2, kMostXLabels);
  const int distance = figure::step_distance(place.curves.last, most);
  for (int step = 0; step <= place.curves.last; step += distance)
    draw_text(ui, ui.fonts.small,
              {place.x(step) - ui.px(40), place.area.bottom() + ui.px(4), ui.px(80), ui.px(14)},
              grouped(step), ui.theme.dim, TextAlign::kCentre);
}

figure::Rgb colour_of_line(const Ui& ui, const ModelCurve& line) {
  if (line.accent) return ui.theme.selected;
  return line.muted ? ui.theme.dim : line.label.empty() ? ui.theme.line : ui.theme.accent;
}

void draw_line(Ui& ui, const ChartPlace& place, const ModelCurve& line) {
  const int columns = std::max(1, static_cast<int>(place.area.w));
  std::vector<ImVec2> points;
  for (const figure::shape::Point& point : figure::thinned(line, place.curves.last, columns))
    points.emplace_back(place.x(point.x), place.y(point.y));
  const float thickness = ui.state.scale * (line.accent ? 2.2f : 1.3f);
  if (points.size() < 2) return;
  ui.canvas().AddPolyline(points.data(), static_cast<int>(points.size()),
                          pack(colour_of_line(ui, line)), 0, thickness);
}

// As wide as the longest label, within limits.
float width_of_labels(const Ui& ui, const ModelCurves& curves) {
  float width = ui.px(kLineLabels - 8);
  for (const ModelCurve& line : curves.curves)
    width =
        std::max(width, text_width(ui, line.accent ? ui.fonts.bold : ui.fonts.small, line.label));
  return std::min(width + ui.px(8), ui.px(kMostLineLabels));
}

std::optional<std::size_t> draw_line_labels(Ui& ui, const ChartPlace& place) {
  std::vector<std::size_t> shown;
  std::vector<double> heights;
  const auto& lines = place.curves.curves;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float value = last_finite(lines[i]);
    if (lines[i].label.empty() || !std::isfinite(value)) continue;
    shown.push_back(i);
    heights.push_back(place.y(value));
  }
  heights = figure::spread_labels(std::move(heights), ui.px(kLineLabelHeight), place.area.y,
                                  place.area.bottom() - ui.px(2));
  std::optional<std::size_t> clicked;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const ModelCurve& line = lines[shown[k]];
    const Rect rect{place.area.right() + ui.px(8),
                    static_cast<float>(heights[k]) - ui.px(kLineLabelHeight / 2),
                    width_of_labels(ui, place.curves) - ui.px(8), ui.px(kLineLabelHeight)};
    if (click_area(ui, "curve/" + line.name, rect)) clicked = shown[k];
    draw_text(ui, line.accent ? ui.fonts.bold : ui.fonts.small, rect, line.label,
              is_pointed_at(ui) ? ui.theme.text : colour_of_line(ui, line));
  }
  return clicked;
}

void draw_mark(Ui& ui, const ChartPlace& place) {
  if (!place.curves.marked) return;
  const float x = place.x(*place.curves.marked);
  const float width = text_width(ui, ui.fonts.small, place.curves.mark) + ui.px(12);
  const bool left = x - width > place.area.x;
  const Rect rect{left ? x - width : x + ui.px(6), place.area.y, width, ui.px(16)};
  fill_rect(ui, rect, ui.theme.card, 0, 0.85f);
  draw_text(ui, ui.fonts.small, rect, place.curves.mark, ui.theme.text,
            left ? TextAlign::kRight : TextAlign::kLeft);
  ui.canvas().AddLine({x, place.area.y}, {x, place.area.y + ui.px(16)}, pack(ui.theme.dim));
}

// The step is dragged anywhere in the chart.
void scrub(Ui& ui, const ChartPlace& place, int at, ChartUse& use) {
  const Rect& chart = place.area;
  pointer_area(ui, "curves/scrub", {chart.x, chart.y, chart.w, chart.h + ui.px(kXLabels)});
  use.held = ImGui::IsItemActive();
  if (use.held) use.step = place.step_at(ImGui::GetIO().MousePos.x);
  const float x = std::floor(place.x(std::min(at, place.curves.last))) + 0.5f;
  ui.canvas().AddLine({x, chart.y}, {x, chart.bottom()}, pack(ui.theme.accent),
                      std::max(1.0f, 1.6f * ui.state.scale));
  ui.canvas().AddCircleFilled({x, chart.bottom() + ui.px(1)}, ui.px(5), pack(ui.theme.accent));
}

}  // namespace

ChartUse curve_chart(Ui& ui, const Rect& rect, const ModelCurves& curves, int at) {
  Rect area = rect;
  area.cut_top(ui.px(kAboveChart));
  area.cut_left(ui.px(kYLabels));
  area.cut_right(width_of_labels(ui, curves));
  area.cut_bottom(ui.px(kXLabels));
  const ChartPlace place{area, curves};
  draw_levels(ui, place);
  draw_steps(ui, place);
  for (const bool strong : {false, true})
    for (const ModelCurve& line : curves.curves)
      if (line.accent == strong) draw_line(ui, place, line);
  draw_mark(ui, place);
  ChartUse use;
  scrub(ui, place, at, use);
  use.line = draw_line_labels(ui, place);
  return use;
}

}  // namespace lab::view
