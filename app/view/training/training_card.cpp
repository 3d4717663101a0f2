#include <algorithm>
#include <cmath>

#include "app/document/training/task_title.h"
#include "app/translation/words.h"
#include "app/view/session/model_texts.h"
#include "app/view/session/training_actions.h"
#include "app/view/training/training_offers.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::training::TrainingOptions;

constexpr float kTrainingRow = 27, kTrainingValue = 22, kTrainingHeading = 42,
                kTrainingButtons = 40;

// Draws the label of a row; returns the bounds of its value, `width` wide at the right.
Rect value_bounds(Ui& ui, Rect& content, std::string_view label, float width) {
  Rect row = content.cut_top(ui.px(kTrainingRow));
  const Rect bounds = row.cut_right(width);
  row.cut_right(ui.px(6));
  draw_text(ui, ui.fonts.text, row, label, ui.theme.text);
  const float spare = row.h - ui.px(kTrainingValue);
  return {bounds.x, bounds.y + std::floor(spare / 2), bounds.w, ui.px(kTrainingValue)};
}

void offered_items(Ui& ui, const std::string& id, const OfferGroups& groups) {
  for (const auto& group : groups) {
    if (&group != &groups.front()) ImGui::Separator();
    for (const OfferedOptions& one : group)
      if (menu_item(ui, id + "/" + one.id, one.text, {}, one.chosen))
        use_training_options(ui, one.options);
  }
}

// A text has to be given first.
void text_items(Ui& ui) {
  ImGui::Separator();
  if (menu_item(ui, "training/task/open", tr("Next word of a text file…"))) ask_training_text(ui);
  if (menu_item(ui, "training/task/paste", tr("Next word of the text in the clipboard")))
    paste_training_text(ui);
}

void option_row(Ui& ui, Rect& content, const OptionRow& row, const TrainingOptions& now) {
  constexpr float kWidestValue = 0.75f;  // of the card
  const std::string id = "training/" + std::string(row.id), value = row.value(now);
  const bool is_task = &row == &option_rows().front();
  const float width = std::min(content.w * kWidestValue, value_button_width(ui, value, true));
  const Rect bounds = value_bounds(ui, content, tr(row.label), width);
  if (value_button(ui, id, bounds, value, true)) open_popup(id);
  if (is_task) tooltip(ui, task_words(now.task.type));
  if (!begin_popup(ui, id, bounds)) return;
  offered_items(ui, id, row.offered(now));
  if (is_task) text_items(ui);
  end_popup();
}

void training_buttons(Ui& ui, Rect row) {
  row.cut_top(ui.px(6));
  row.h = ui.px(26);
  const bool on = ui.state.training.requested;
  const std::string labels[] = {on ? tr("Pause") : tr("Train"), tr("Step"), tr("Start over")};
  const float width = std::max(button_width(ui, tr("Pause")), button_width(ui, tr("Train")));
  if (button(ui, "training/run", row.cut_left(width), labels[0],
             on ? ButtonLook::kSelected : ButtonLook::kActive))
    toggle_training(ui);
  tooltip(ui, on ? tr("Stop after this step (F8)") : tr("Take steps until you pause (F8)"));
  row.cut_left(ui.px(8));
  if (button(ui, "training/step", row.cut_left(button_width(ui, labels[1])), labels[1]))
    take_training_step(ui);
  tooltip(ui, tr("Take one step (Shift+F8)"));
  const Rect over = row.cut_right(button_width(ui, labels[2]));
  if (button(ui, "training/over", over, labels[2],
             ui.state.training.next ? ButtonLook::kActive : ButtonLook::kQuiet))
    start_over(ui);
  tooltip(ui, ui.state.training.next
                  ? tr("Begin again at step 0, with the options that you chose")
                  : tr("Begin again at step 0; the same options give the same numbers"));
}

float training_card_height(Ui& ui, const Rect&) {
  return ui.px(kTrainingHeading + kTrainingButtons) +
         static_cast<float>(option_rows().size()) * ui.px(kTrainingRow);
}

void training_card(Ui& ui, const Rect& rect) {
  const TrainingOptions now = next_options(ui);
  const std::string note =
      ui.state.training.next ? tr("for the next start") : tr("from random numbers");
  Rect content = card(ui, rect, tr("Training"), {}, note);
  for (const OptionRow& row : option_rows()) option_row(ui, content, row, now);
  training_buttons(ui, content);
}

}  // namespace

extern constexpr PanelInfo kTrainingPanel{.name = "training",
                                          .region = PanelRegion::kLeft,
                                          .of = PanelOf::kTraining,
                                          .draw = training_card,
                                          .preferred_height = training_card_height,
                                          .of_edited = true,
                                          .widgets = "training/"};

}  // namespace lab::view
