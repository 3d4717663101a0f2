#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kSensitivityBarHeight = 42, kSensitivityButtonHeight = 26;

float sensitivity_bar_height(Ui& ui, const Rect&) {
  return ui.state.sensitivity.on ? ui.px(kSensitivityBarHeight) : 0;
}

// Of a trained model: what is asked about.
void question_buttons(Ui& ui, Rect& row) {
  if (!has_model(ui)) return;
  const bool answer = ui.state.sensitivity.answer;
  const std::string cell = tr("selected cell"), whole = tr("answer");
  const Rect right = row.cut_right(button_width(ui, cell));
  if (button(ui, "moves/cell", right, cell, answer ? ButtonLook::kQuiet : ButtonLook::kActive))
    ask_about_selected(ui);
  row.cut_right(ui.px(4));
  const Rect left = row.cut_right(button_width(ui, whole));
  if (button(ui, "moves/answer", left, whole, answer ? ButtonLook::kActive : ButtonLook::kQuiet))
    ask_about_answer(ui);
  row.cut_right(ui.px(8));
}

void hold_button(Ui& ui, Rect& row) {
  if (ui.state.sensitivity.answer) return;
  bool& held = ui.state.sensitivity.held;
  const std::string label = tr("Keep it");
  const Rect bounds = row.cut_right(button_width(ui, label));
  if (button(ui, "moves/hold", bounds, label, held ? ButtonLook::kActive : ButtonLook::kQuiet))
    held = !held;
  tooltip(ui, held ? tr("The question stays; select other cells to read what they move   Shift+W")
                   : tr("Now it is about whichever computed cell is selected   Shift+W"));
  row.cut_right(ui.px(8));
}

std::string question_text(const Ui& ui) {
  if (!ui.sensitivity.problem.empty()) return ui.sensitivity.problem;
  const std::string text = tr("What moves {}?", {ui.sensitivity.name});
  return ui.sensitivity.current ? text : text + "  " + tr("computing");
}

void sensitivity_bar(Ui& ui, const Rect& rect) {
  if (!ui.state.sensitivity.on) return;
  card_surface(ui, rect, true);
  fill_rect(ui, rect.inset(1), ui.theme.accent, ui.px(7), 0.12f);
  Rect row = rect.inset(ui.px(8));
  row.cut_left(ui.px(4));
  row.h = ui.px(kSensitivityButtonHeight);
  if (button(ui, "moves/end", row.cut_right(ui.px(kSensitivityButtonHeight)), "×"))
    toggle_sensitivity(ui);
  tooltip(ui, tr("Show the numbers again   Esc"));
  row.cut_right(ui.px(8));
  hold_button(ui, row);
  question_buttons(ui, row);
  const std::string text = question_text(ui);
  const bool unmoved = !ui.sensitivity.problem.empty();
  ui.name(unmoved ? "moves/problem" : "moves/question", row);
  const bool bold = !unmoved && text_width(ui, ui.fonts.bold, text) <= row.w;
  draw_text(ui, bold ? ui.fonts.bold : fitting_font(ui, text, row.w), row, text,
            unmoved ? ui.theme.danger : ui.theme.text);
}

}  // namespace

extern constexpr PanelInfo kSensitivityBarPanel{.name = "moves",
                                                .region = PanelRegion::kAboveCentre,
                                                .draw = sensitivity_bar,
                                                .preferred_height = sensitivity_bar_height};

}  // namespace lab::view
