#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/training_lines.h"
#include "app/view/session/training_actions.h"
#include "app/view/training/curve_chart.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

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
  CurveKind& chosen = ui.state.training.curves;
  const std::string text = tr(kCurveNames[static_cast<std::size_t>(chosen)]);
  const Rect place = row.cut_left(std::min(row.w, value_button_width(ui, text, true)));
  if (value_button(ui, "curves/kind", place, text, true)) open_popup("curves/kind");
  if (!begin_popup(ui, "curves/kind", place)) return;
  for (std::size_t i = 0; i < kCurveNames.size(); ++i) {
    const auto kind = static_cast<CurveKind>(i);
    if (menu_item(ui, "curves/" + std::string(kCurveNames[i]), tr(kCurveNames[i]), {},
                  kind == chosen))
      chosen = kind;
  }
  end_popup();
}

void curve_tabs(Ui& ui, Rect row) {
  if (row.w < width_of_tabs(ui)) return curve_menu(ui, row);
  for (std::size_t i = 0; i < kCurveNames.size(); ++i) {
    const auto kind = static_cast<CurveKind>(i);
    const std::string text = tr(kCurveNames[i]);
    const bool chosen = ui.state.training.curves == kind;
    if (button(ui, "curves/" + std::string(kCurveNames[i]), row.cut_left(button_width(ui, text)),
               text, chosen ? ButtonLook::kActive : ButtonLook::kQuiet))
      ui.state.training.curves = kind;
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
  if (shown_training(ui) == nullptr || ui.state.inspection.large) return 0;
  return ui.px(kCurvesCard);
}

void curves_card(Ui& ui, const Rect& rect) {
  const TrainingPlace& place = *shown_training(ui);
  const std::uint64_t step = place.state->step, last = place.run->last_step(place.branch);
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
                                        .place = PanelPlace::kCentre,
                                        .draw = curves_card,
                                        .preferred_height = curves_card_height,
                                        .widgets = "curve/ curves/"};

}  // namespace lab::view
