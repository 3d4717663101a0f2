#include <algorithm>
#include <cmath>

#include "app/document/model/layer_document.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kNextRow = 21, kNextHeading = 42, kNextFooter = 34;
constexpr std::size_t kNextRows = 10;

// A token that may come next.
struct NextToken {
  Prediction now;
  std::optional<float> before;  // its probability without the edits
};

std::optional<float> probability_in(const AnalysisResult& result, std::uint32_t id, Index row) {
  const auto& predictions = result.predictions.value;
  if (!predictions || predictions->row != row) return std::nullopt;
  for (const auto* list : {&predictions->pinned, &predictions->top})
    for (const Prediction& one : *list)
      if (one.id == id) return one.probability;
  return std::nullopt;
}

std::vector<NextToken> next_tokens(const Ui& ui) {
  std::vector<NextToken> tokens;
  const auto& predictions = ui.analysis.predictions.value;
  if (!predictions) return tokens;
  const auto add = [&](const Prediction& one) {
    const auto same = [&](const NextToken& other) { return other.now.id == one.id; };
    if (std::ranges::none_of(tokens, same))
      tokens.push_back({one, probability_in(ui.unedited, one.id, predictions->row)});
  };
  for (const Prediction& one : predictions->top) add(one);
  for (const Prediction& one : predictions->pinned) add(one);
  return tokens;
}

std::string percent(float share) {
  if (share > 0 && share < 0.01f) return tr("<1 %");
  return explain::format_fixed(100 * share, 0) + " %";
}

// The change in points of per cent.
std::string change_text(const NextToken& token) {
  const float change = std::round(100 * (token.now.probability - *token.before));
  if (change == 0) return "±0";
  return (change > 0 ? "+" : "−") + explain::format_fixed(std::abs(change), 0);
}

void bar_of(Ui& ui, const Rect& rect, const NextToken& token, bool is_answer) {
  const float height = std::min(rect.h * 0.6f, ui.px(12));
  const Rect bar{rect.x, rect.y + (rect.h - height) / 2, rect.w, height};
  const auto part = [&](float share) {
    return Rect{bar.x, bar.y, std::max(ui.px(2), bar.w * std::clamp(share, 0.0f, 1.0f)), bar.h};
  };
  fill_rect(ui, part(token.now.probability), is_answer ? ui.theme.selected : ui.theme.accent,
            token.now.probability > 0.03f ? ui.px(2.5f) : 0);
  if (!token.before || *token.before < 0.005f) return;
  frame_rect(ui, part(*token.before).inset(-1), ui.theme.text, std::max(1.0f, ui.px(1)),
             ui.px(2.5f));
}

bool is_answer(const Ui& ui, std::uint32_t id) {
  const auto& answer = ui.analysis.answer.value;
  return answer && answer->token.prediction.id == id;
}

void next_row(Ui& ui, Rect row, const NextToken& token) {
  const bool answer = is_answer(ui, token.now.id);
  const std::string id = "next/" + std::to_string(token.now.id);
  if (click_area(ui, id, row)) choose_answer(ui, token.now.id);
  const bool pointed = is_pointed_at(ui);
  if (pointed) tooltip(ui, tr("Click: this token is the answer that the other numbers are about"));
  const figure::Rgb ink = answer ? ui.theme.selected : pointed ? ui.theme.text : ui.theme.dim;
  draw_label(ui, row.cut_left(ui.px(84)), piece_of(ui, token.now.id), 12.5f, ink, TextAlign::kRight,
             answer);
  row.cut_left(ui.px(8));
  const Rect change = row.cut_right(ui.px(34));
  if (token.before)
    draw_text(ui, ui.fonts.mono_small, change, change_text(token),
              token.now.probability < *token.before - 0.005f   ? ui.theme.danger
              : token.now.probability > *token.before + 0.005f ? ui.theme.right
                                                               : ui.theme.dim,
              TextAlign::kRight);
  draw_text(ui, ui.fonts.mono, row.cut_right(ui.px(50)), percent(token.now.probability),
            ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  bar_of(ui, row, token, answer);
}

float next_token_height(Ui& ui, const Rect&) {
  const ModelDocument* const model = shown_model(ui);
  if (model == nullptr || !model->network.read_out) return 0;
  return ui.px(kNextHeading + kNextFooter) + static_cast<float>(kNextRows) * ui.px(kNextRow);
}

void append_button(Ui& ui, Rect row) {
  const auto& predictions = ui.analysis.predictions;
  const bool able = predictions.value && predictions.current && can_append(ui);
  const std::string label = tr("Append ↵");
  const Rect place = row.cut_right(button_width(ui, label));
  if (button(ui, "next/append", place, label, ButtonLook::kQuiet, able))
    append_token(ui, predictions.value->top.front().id);
  tooltip(ui, tr("The likeliest token goes to the end of the sentence"));
  const bool compared = ui.unedited.predictions.value != nullptr;
  draw_text(ui, ui.fonts.small, row, compared ? tr("outline: before your edits") : "",
            ui.theme.dim);
}

void next_token_card(Ui& ui, const Rect& rect) {
  ui.wanted.predictions = true;
  const ModelDocument& model = *shown_model(ui);
  const std::string token = row_label(ui.document(), ui.state.selection.query);
  const std::string where =
      model.source->causal ? tr("after “{}”", {token}) : tr("in place of “{}”", {token});
  Rect content = card(ui, rect, model.source->causal ? tr("Next token") : tr("Token"), where,
                      std::to_string(model.network.read_out->tokens.W.cols()));
  const Rect footer = content.cut_bottom(ui.px(kNextFooter - 8));
  const auto& predictions = ui.analysis.predictions;
  if (!predictions.error.empty() && predictions.current)
    return draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kNextRow)), tr(predictions.error),
                     ui.theme.danger);
  for (const NextToken& next : next_tokens(ui)) {
    if (content.h < ui.px(kNextRow)) break;
    next_row(ui, content.cut_top(ui.px(kNextRow)), next);
  }
  append_button(ui, footer);
}

}  // namespace

extern constexpr PanelInfo kNextTokenPanel{.name = "next_token",
                                           .place = PanelPlace::kRight,
                                           .draw = next_token_card,
                                           .wanted = next_token_height,
                                           .height = {.least = 150},
                                           .widgets = "next/"};

}  // namespace lab::view
