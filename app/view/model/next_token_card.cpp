#include <algorithm>

#include "app/document/training/training_document.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/model/go_on.h"
#include "app/view/model/next_row.h"
#include "app/view/model/watch_token.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kNextRow = 21, kNextHeading = 42, kNextFooter = 34;
constexpr std::size_t kLikeliest = 10;

// The likeliest tokens have room also before they are known.
std::size_t rows_requested(const Ui& ui) { return std::max(kLikeliest, next_tokens(ui).size()); }

float next_token_height(Ui& ui, const Rect&) {
  if (!shown_model(ui)->network.read_out) return 0;
  return ui.px(kNextHeading + kNextFooter) +
         static_cast<float>(rows_requested(ui)) * ui.px(kNextRow);
}

void footer_buttons(Ui& ui, Rect row) {
  const auto& predictions = ui.analysis.predictions;
  const bool able = predictions.value && predictions.current && can_append(ui);
  const std::string label = tr("Append ↵");
  const Rect bounds = row.cut_right(button_width(ui, label));
  if (button(ui, "next/append", bounds, label, ButtonLook::kQuiet, able))
    append_token(ui, predictions.value->top.front().id);
  tooltip(ui, answers_each_token(*shown_model(ui))
                  ? tr("This task asks for an answer at each token, not for what comes next")
                  : tr("The likeliest token goes to the end of the sentence"));
  row.cut_right(ui.px(6));
  if (shown_model(ui)->source->causal && !answers_each_token(*shown_model(ui))) {
    go_on_button(ui, row);
    row.cut_right(ui.px(8));
  }
  if (shown_model(ui)->source->tokenizer) watch_token_button(ui, row);
}

// What the outlines are, where there are some; else how many tokens there are.
std::string heading_note(const Ui& ui) {
  if (ui.unedited.predictions.value != nullptr) return tr("outline: before");
  return std::to_string(shown_model(ui)->network.read_out->tokens.W.cols());
}

// The token whose row predicts.
std::string predicting_token(const Ui& ui) {
  const auto& predictions = ui.analysis.predictions.value;
  if (!is_of_encoder(ui.document()) || !predictions)
    return row_label(ui.document(), ui.state.selection.query);
  const auto ids = tokens_of(*shown_model(ui)).ids;
  const auto row = static_cast<std::size_t>(predictions->row);
  return row < ids.size() ? piece_of(ui, ids[row]) : std::string();
}

// What is predicted, and where.
struct PredictionHeading {
  std::string title, where;
};

PredictionHeading prediction_heading(const ModelDocument& model, const std::string& token) {
  if (answers_each_token(model)) return {tr("Answer"), tr("at “{}”", {token})};
  if (model.source->causal) return {tr("Next token"), tr("after “{}”", {token})};
  return {tr("Token"), tr("in place of “{}”", {token})};
}

void next_token_card(Ui& ui, const Rect& rect) {
  ui.requested.predictions = true;
  const ModelDocument& model = *shown_model(ui);
  const PredictionHeading heading = prediction_heading(model, predicting_token(ui));
  Rect content = card(ui, rect, heading.title, heading.where, heading_note(ui));
  const Rect footer = content.cut_bottom(ui.px(kNextFooter - 8));
  const auto& predictions = ui.analysis.predictions;
  if (!predictions.error.empty() && predictions.current)
    return draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kNextRow)), tr(predictions.error),
                     ui.theme.danger);
  for (const NextToken& next : next_tokens(ui)) {
    if (content.h < ui.px(kNextRow)) break;
    next_row(ui, content.cut_top(ui.px(kNextRow)), next);
  }
  footer_buttons(ui, footer);
}

}  // namespace

extern constexpr PanelInfo kNextTokenPanel{.name = "next_token",
                                           .region = PanelRegion::kRight,
                                           .of = PanelOf::kModel,
                                           .draw = next_token_card,
                                           .preferred_height = next_token_height,
                                           .height = {.least = 150},
                                           .widgets = "next/"};

}  // namespace lab::view
