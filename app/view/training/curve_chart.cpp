#include "app/view/training/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kYLabels = 34, kXLabels = 20, kLineLabels = 118, kLabelHeight = 15, kAboveChart = 8;
constexpr int kMostXLabels = 9, kLevels = 4;

// Where numbers and steps stand in the window.
struct ChartPlace {
  Rect area;
  int last;
  float low, high;

  float x(double step) const {
    return area.x + area.w * static_cast<float>(step / std::max(1, last));
  }
  float y(float value) const {
    const float share = (value - low) / std::max(high - low, 1e-30f);
    return area.bottom() - area.h * std::clamp(share, -0.02f, 1.02f);
  }
  int step_at(float x) const {
    const float share = std::clamp((x - area.x) / std::max(area.w, 1.0f), 0.0f, 1.0f);
    return static_cast<int>(std::lround(share * static_cast<float>(last)));
  }
};

// As many decimals as tell the levels apart.
std::string level_text(const ChartPlace& place, float value) {
  const float distance = (place.high - place.low) / kLevels;
  const int digits = distance >= 1 ? 1 : distance >= 0.02f ? 2 : distance >= 0.002f ? 3 : 5;
  return explain::format_fixed(value, digits);
}

void draw_levels(Ui& ui, const ChartPlace& place) {
  for (int i = 0; i <= kLevels; ++i) {
    const float value =
        place.low + (place.high - place.low) * static_cast<float>(i) / static_cast<float>(kLevels);
    const float y = std::floor(place.y(value)) + 0.5f;
    ui.canvas().AddLine({place.area.x, y}, {place.area.right(), y}, pack(ui.theme.line));
    draw_text(ui, ui.fonts.small,
              {place.area.x - ui.px(kYLabels), y - ui.px(8), ui.px(kYLabels - 6), ui.px(16)},
              level_text(place, value), ui.theme.dim, TextAlign::kRight);
  }
}

void draw_steps(Ui& ui, const ChartPlace& place) {
  const int most = std::clamp(static_cast<int>(place.area.w / ui.px(64)), 2, kMostXLabels);
  const int distance = tick_distance(place.last, most);
  for (int step = 0; step <= place.last; step += distance)
    draw_text(ui, ui.fonts.small,
              {place.x(step) - ui.px(40), place.area.bottom() + ui.px(4), ui.px(80), ui.px(14)},
              grouped(step), ui.theme.dim, TextAlign::kCentre);
}

void draw_line(Ui& ui, const ChartPlace& place, const ChartLine& line) {
  const int columns = std::max(1, static_cast<int>(place.area.w));
  const std::vector<float> means = column_means(line, place.last, columns);
  std::vector<ImVec2> points;
  points.reserve(means.size());
  const float width = place.area.w / static_cast<float>(columns);
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (!std::isfinite(means[i])) continue;
    const float middle = static_cast<float>(i) + (i == 0 ? 0.0f : 0.5f);
    points.push_back({place.area.x + middle * width, place.y(means[i])});
  }
  const float thickness = ui.px(10) / 10 * (line.strong ? 2.2f : 1.3f);
  if (points.size() == 1)
    return ui.canvas().AddCircleFilled(points.front(), thickness, pack(line.colour));
  ui.canvas().AddPolyline(points.data(), static_cast<int>(points.size()), pack(line.colour), 0,
                          thickness);
}

float last_value(const ChartLine& line) {
  for (std::size_t i = line.values.size(); i-- > 0;)
    if (std::isfinite(line.values[i])) return line.values[i];
  return std::numeric_limits<float>::quiet_NaN();
}

// The heights of labels that should stand at `wanted`, pushed apart and kept in the area.
std::vector<float> spread_labels(std::vector<float> wanted, float distance, float top,
                                 float bottom) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  float free = top;
  for (const std::size_t i : order) free = (wanted[i] = std::max(wanted[i], free)) + distance;
  float limit = bottom;
  for (auto i = order.rbegin(); i != order.rend(); ++i)
    limit = (wanted[*i] = std::min(wanted[*i], limit)) - distance;
  return wanted;
}

std::optional<std::size_t> draw_labels(Ui& ui, const ChartPlace& place, const Chart& chart) {
  std::vector<std::size_t> shown;
  std::vector<float> heights;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const float value = last_value(chart.lines[i]);
    if (!std::isfinite(value)) continue;
    shown.push_back(i);
    heights.push_back(place.y(value));
  }
  heights = spread_labels(std::move(heights), ui.px(kLabelHeight), place.area.y,
                          place.area.bottom() - ui.px(2));
  std::optional<std::size_t> clicked;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const ChartLine& line = chart.lines[shown[k]];
    const Rect rect{place.area.right() + ui.px(8), heights[k] - ui.px(kLabelHeight / 2),
                    ui.px(kLineLabels - 8), ui.px(kLabelHeight)};
    if (click_area(ui, "curve/" + line.id, rect)) clicked = shown[k];
    draw_text(ui, line.strong ? ui.fonts.bold : ui.fonts.small, rect, line.label,
              is_pointed_at(ui) ? ui.theme.text : line.colour);
  }
  return clicked;
}

void draw_mark(Ui& ui, const ChartPlace& place, const Chart& chart) {
  if (!chart.marked) return;
  const float x = place.x(*chart.marked);
  const float width = text_width(ui, ui.fonts.small, chart.mark) + ui.px(12);
  const bool left = x - width > place.area.x;
  const Rect rect{left ? x - width : x + ui.px(6), place.area.y, width, ui.px(16)};
  fill_rect(ui, rect, ui.theme.card, 0, 0.85f);
  draw_text(ui, ui.fonts.small, rect, chart.mark, ui.theme.text,
            left ? TextAlign::kRight : TextAlign::kLeft);
  ui.canvas().AddLine({x, place.area.y}, {x, place.area.y + ui.px(16)}, pack(ui.theme.dim));
}

// The step is dragged anywhere in the chart.
void scrub(Ui& ui, const ChartPlace& place, const Chart& chart, ChartUse& use) {
  const float below = ui.px(kXLabels);
  const Rect area{place.area.x, place.area.y, place.area.w, place.area.h + below};
  pointer_area(ui, "curves/scrub", area);
  use.held = ImGui::IsItemActive();
  if (use.held) use.step = place.step_at(ImGui::GetIO().MousePos.x);
  const float x = std::floor(place.x(std::min(chart.at, chart.last))) + 0.5f;
  ui.canvas().AddLine({x, place.area.y}, {x, place.area.bottom()}, pack(ui.theme.accent),
                      std::max(1.0f, ui.px(10) / 6));
  ui.canvas().AddCircleFilled({x, place.area.bottom() + ui.px(1)}, ui.px(5), pack(ui.theme.accent));
}

}  // namespace

ChartUse curve_chart(Ui& ui, const Rect& rect, const Chart& chart) {
  Rect area = rect;
  area.cut_top(ui.px(kAboveChart));
  area.cut_left(ui.px(kYLabels));
  area.cut_right(ui.px(kLineLabels));
  area.cut_bottom(ui.px(kXLabels));
  const ChartPlace place{area, std::max(1, chart.last), chart.low, chart.high};
  draw_levels(ui, place);
  draw_steps(ui, place);
  for (const bool strong : {false, true})
    for (const ChartLine& line : chart.lines)
      if (line.strong == strong) draw_line(ui, place, line);
  draw_mark(ui, place, chart);
  ChartUse use;
  scrub(ui, place, chart, use);
  use.line = draw_labels(ui, place, chart);
  return use;
}

std::vector<float> column_means(const ChartLine& line, int last, int columns) {
  std::vector<float> sums(static_cast<std::size_t>(columns), 0.0f);
  std::vector<int> counts(sums.size(), 0);
  const double scale = static_cast<double>(columns) / (std::max(1, last) + 1e-9);
  for (std::size_t i = 0; i < line.steps.size() && line.steps[i] <= last; ++i) {
    if (!std::isfinite(line.values[i])) continue;
    const auto column = std::min(static_cast<std::size_t>(line.steps[i] * scale), sums.size() - 1);
    sums[column] += line.values[i];
    ++counts[column];
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = counts[i] == 0 ? std::numeric_limits<float>::quiet_NaN()
                             : sums[i] / static_cast<float>(counts[i]);
  return sums;
}

int tick_distance(int last, int most) {
  for (int power = 1; power < 1'000'000'000; power *= 10)
    for (const int factor : {1, 2, 5})
      if (last / (power * factor) < most) return power * factor;
  return std::max(1, last);
}

}  // namespace lab::view
