#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/figure/model/model_curves.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/training_lines.h"
#include "app/view/session/training_actions.h"
#include "app/view/state/ui.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using figure::ModelCurve;
using figure::ModelCurves;

/// What was done to a chart in this frame.
struct ChartUse {
  std::optional<int> step;          ///< the handle is dragged to that step
  bool held = false;                ///< its handle is held
  std::optional<std::size_t> line;  ///< the label of that line was clicked
};

constexpr float kYLabels = 34, kXLabels = 20, kLineLabels = 96, kMostLineLabels = 140,
                kLineLabelHeight = 15, kAboveChart = 8;
constexpr int kMostXLabels = 9;

// Where numbers and steps stand in the window.
struct ChartAxes {
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

void draw_levels(Ui& ui, const ChartAxes& axes) {
  for (int i = 0; i <= figure::kLevels; ++i) {
    const float y = std::floor(axes.y(level_value(axes.curves, i))) + 0.5f;
    ui.canvas().AddLine({axes.area.x, y}, {axes.area.right(), y}, pack(ui.theme.line));
    draw_text(ui, ui.fonts.small,
              {axes.area.x - ui.px(kYLabels), y - ui.px(8), ui.px(kYLabels - 6), ui.px(16)},
              level_text(axes.curves, i), ui.theme.dim, TextAlign::kRight);
  }
}

void draw_steps(Ui& ui, const ChartAxes& axes) {
  const int most = std::clamp(static_cast<int>(axes.area.w / ui.px(64)), 2, kMostXLabels);
  const int distance = figure::step_distance(axes.curves.last, most);
  for (int step = 0; step <= axes.curves.last; step += distance)
    draw_text(ui, ui.fonts.small,
              {axes.x(step) - ui.px(40), axes.area.bottom() + ui.px(4), ui.px(80), ui.px(14)},
              grouped(step), ui.theme.dim, TextAlign::kCentre);
}

figure::Rgb colour_of_line(const Ui& ui, const ModelCurve& line) {
  if (line.accent) return ui.theme.selected;
  return line.muted ? ui.theme.dim : line.label.empty() ? ui.theme.line : ui.theme.accent;
}

void draw_line(Ui& ui, const ChartAxes& axes, const ModelCurve& line) {
  const int columns = std::max(1, static_cast<int>(axes.area.w));
  std::vector<ImVec2> points;
  for (const figure::shape::Point& point : figure::thinned(line, axes.curves.last, columns))
    points.emplace_back(axes.x(point.x), axes.y(point.y));
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

std::optional<std::size_t> draw_line_labels(Ui& ui, const ChartAxes& axes) {
  std::vector<std::size_t> shown;
  std::vector<double> heights;
  const auto& lines = axes.curves.curves;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float value = last_finite(lines[i]);
    if (lines[i].label.empty() || !std::isfinite(value)) continue;
    shown.push_back(i);
    heights.push_back(axes.y(value));
  }
  heights = figure::spread_labels(std::move(heights), ui.px(kLineLabelHeight), axes.area.y,
                                  axes.area.bottom() - ui.px(2));
  std::optional<std::size_t> clicked;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const ModelCurve& line = lines[shown[k]];
    const Rect rect{axes.area.right() + ui.px(8),
                    static_cast<float>(heights[k]) - ui.px(kLineLabelHeight / 2),
                    width_of_labels(ui, axes.curves) - ui.px(8), ui.px(kLineLabelHeight)};
    if (click_area(ui, "curve/" + line.name, rect)) clicked = shown[k];
    draw_text(ui, line.accent ? ui.fonts.bold : ui.fonts.small, rect, line.label,
              is_pointed_at(ui) ? ui.theme.text : colour_of_line(ui, line));
  }
  return clicked;
}

void draw_mark(Ui& ui, const ChartAxes& axes) {
  if (!axes.curves.marked) return;
  const float x = axes.x(*axes.curves.marked);
  const float width = text_width(ui, ui.fonts.small, axes.curves.mark) + ui.px(12);
  const bool left = x - width > axes.area.x;
  const Rect rect{left ? x - width : x + ui.px(6), axes.area.y, width, ui.px(16)};
  fill_rect(ui, rect, ui.theme.card, 0, 0.85f);
  draw_text(ui, ui.fonts.small, rect, axes.curves.mark, ui.theme.text,
            left ? TextAlign::kRight : TextAlign::kLeft);
  ui.canvas().AddLine({x, axes.area.y}, {x, axes.area.y + ui.px(16)}, pack(ui.theme.dim));
}

// The step is dragged anywhere in the chart.
void scrub(Ui& ui, const ChartAxes& axes, int at, ChartUse& use) {
  const Rect& chart = axes.area;
  pointer_area(ui, "curves/scrub", {chart.x, chart.y, chart.w, chart.h + ui.px(kXLabels)});
  use.held = ImGui::IsItemActive();
  if (use.held) use.step = axes.step_at(ImGui::GetIO().MousePos.x);
  const float x = std::floor(axes.x(std::min(at, axes.curves.last))) + 0.5f;
  ui.canvas().AddLine({x, chart.y}, {x, chart.bottom()}, pack(ui.theme.accent),
                      std::max(1.0f, 1.6f * ui.state.scale));
  ui.canvas().AddCircleFilled({x, chart.bottom() + ui.px(1)}, ui.px(5), pack(ui.theme.accent));
}

/// Draws curves as their figure does, with a handle at the step that is shown. The widget of a
/// line's label is "curve/NAME", that of the handle "curves/scrub".
ChartUse curve_chart(Ui& ui, const Rect& rect, const figure::ModelCurves& curves, int at) {
  Rect area = rect;
  area.cut_top(ui.px(kAboveChart));
  area.cut_left(ui.px(kYLabels));
  area.cut_right(width_of_labels(ui, curves));
  area.cut_bottom(ui.px(kXLabels));
  const ChartAxes axes{area, curves};
  draw_levels(ui, axes);
  draw_steps(ui, axes);
  for (const bool strong : {false, true})
    for (const ModelCurve& line : curves.curves)
      if (line.accent == strong) draw_line(ui, axes, line);
  draw_mark(ui, axes);
  ChartUse use;
  scrub(ui, axes, at, use);
  use.line = draw_line_labels(ui, axes);
  return use;
}

constexpr float kCurvesCard = 214;

constexpr float kCurveTabGap = 4;

float width_of_tabs(const Ui& ui) {
  float width = 0;
  for (const char* const name : kCurveNames)
    width += button_width(ui, tr(name)) + ui.px(kCurveTabGap);
  return width - ui.px(kCurveTabGap);
}

// Where there is no room for a button each.
void curve_menu(Ui& ui, Rect row) {
  CurveType& chosen = ui.state.training.curves;
  const std::string text = tr(kCurveNames[static_cast<std::size_t>(chosen)]);
  const Rect bounds = row.cut_left(std::min(row.w, value_button_width(ui, text, true)));
  if (value_button(ui, "curves/kind", bounds, text, true)) open_popup("curves/kind");
  if (!begin_popup(ui, "curves/kind", bounds)) return;
  for (std::size_t i = 0; i < kCurveNames.size(); ++i) {
    const auto type = static_cast<CurveType>(i);
    if (menu_item(ui, "curves/" + std::string(kCurveNames[i]), tr(kCurveNames[i]), {},
                  type == chosen))
      chosen = type;
  }
  end_popup();
}

void curve_tabs(Ui& ui, Rect row) {
  if (row.w < width_of_tabs(ui)) return curve_menu(ui, row);
  for (std::size_t i = 0; i < kCurveNames.size(); ++i) {
    const auto type = static_cast<CurveType>(i);
    const std::string text = tr(kCurveNames[i]);
    const bool chosen = ui.state.training.curves == type;
    if (button(ui, "curves/" + std::string(kCurveNames[i]), row.cut_left(button_width(ui, text)),
               text, chosen ? ButtonLook::kActive : ButtonLook::kQuiet))
      ui.state.training.curves = type;
    row.cut_left(ui.px(kCurveTabGap));
  }
}

// "130", "4.2".
std::string rate_text(double rate) {
  constexpr double kWhole = 10;  // from here on without decimals
  return rate < kWhole ? explain::format_significant(static_cast<float>(rate), 2)
                       : grouped(std::lround(rate));
}

// "step 1 240 of 2 180 · 31 steps/s".
std::string progress_text(const Ui& ui, std::uint64_t at, std::uint64_t last) {
  const auto spelt = [](std::uint64_t step) {
    return grouped(static_cast<attention::Index>(step));
  };
  std::string text =
      at == last ? tr("step {}", {spelt(at)}) : tr("step {} of {}", {spelt(at), spelt(last)});
  const double rate = ui.trainer.steps_per_second();
  if (ui.trainer.running() && rate > 0) text += " · " + tr("{} steps/s", {rate_text(rate)});
  return text;
}

// As wide as what is said while steps are taken, so that the tabs stay as they are.
float width_of_progress(const Ui& ui, std::uint64_t last) {
  const std::string step = grouped(static_cast<attention::Index>(last));
  return text_width(ui, ui.fonts.mono_small,
                    tr("step {} of {}", {step, step}) + " · " + tr("{} steps/s", {"999"}));
}

float curves_card_height(Ui& ui, const Rect&) {
  if (ui.state.inspection.large) return 0;
  return ui.px(kCurvesCard);
}

void curves_card(Ui& ui, const Rect& rect) {
  const TrainingPosition& position = *shown_training(ui);
  const std::uint64_t step = position.state->step, last = position.run->last_step(position.branch);
  const std::string title = tr("Training so far");
  const std::string note = progress_text(ui, step, last);
  const Rect content = card(ui, rect, title, {}, note);
  Rect tabs{rect.x, rect.y + ui.px(6), rect.w, ui.px(22)};
  tabs.cut_left(text_width(ui, ui.fonts.bold, title) + ui.px(28));
  tabs.cut_right(width_of_progress(ui, last) + ui.px(24));
  curve_tabs(ui, tabs);
  const ChartUse use = curve_chart(ui, content, training_lines(ui), static_cast<int>(step));
  if (use.step) scrub_to(ui, static_cast<std::uint64_t>(*use.step));
  if (!use.held) end_scrub(ui);
  if (!use.line) return;
  if (const auto head = head_of_line(*shown_model(ui), *use.line)) go_to_head(ui, *head);
}

}  // namespace

extern constexpr PanelInfo kCurvesPanel{.name = "curves",
                                        .region = PanelRegion::kCentre,
                                        .of = PanelOf::kTraining,
                                        .draw = curves_card,
                                        .preferred_height = curves_card_height,
                                        .widgets = "curve/ curves/"};

}  // namespace lab::view
