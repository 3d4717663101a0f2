#include "app/view/model/next_row.h"

#include <algorithm>
#include <cmath>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_words.h"
#include "app/view/solving/answer_drag.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kPiece = 84, kChange = 42, kPercent = 50, kRowSwitch = 15;  // points
// Changes by less are not coloured.
constexpr float kNoChange = 0.005f;

std::optional<float> probability_in(const AnalysisResult& result, std::uint32_t id, Index row) {
  const auto& predictions = result.predictions.value;
  if (!predictions || predictions->row != row) return std::nullopt;
  for (const auto* list : {&predictions->pinned, &predictions->top})
    for (const Prediction& one : *list)
      if (one.id == id) return one.probability;
  return std::nullopt;
}

std::string percent(float share) {
  if (share > 0 && share < 0.01f) return tr("<1 %");
  return explain::format_fixed(100 * share, 0) + " %";
}

// The change in points of per cent.
std::string change_text(const NextToken& token) {
  const float change = 100 * (token.now.probability - *token.before);
  const float size = std::abs(change);
  if (size < 0.05f) return "±0";
  return (change > 0 ? "+" : "−") + explain::format_fixed(size, size < 0.95f ? 1 : 0);
}

// What the answer says of a token.
enum class AnswerRole { kNone, kAnswer, kMinus };

AnswerRole role_of(const Ui& ui, std::uint32_t id) {
  const auto& answer = ui.analysis.answer.value;
  if (!answer) return AnswerRole::kNone;
  if (answer->token.prediction.id == id) return AnswerRole::kAnswer;
  return answer->minus && answer->minus->prediction.id == id ? AnswerRole::kMinus
                                                             : AnswerRole::kNone;
}

figure::Rgb colour_of(const Ui& ui, AnswerRole part) {
  return part == AnswerRole::kAnswer  ? ui.theme.selected
         : part == AnswerRole::kMinus ? ui.theme.danger
                                      : ui.theme.accent;
}

void bar_of(Ui& ui, const Rect& rect, const NextToken& token, AnswerRole answer) {
  const float height = std::min(rect.h * 0.6f, ui.px(12));
  const Rect bar{rect.x, rect.y + (rect.h - height) / 2, rect.w, height};
  const auto part = [&](float share) {
    return Rect{bar.x, bar.y, std::max(ui.px(2), bar.w * std::clamp(share, 0.0f, 1.0f)), bar.h};
  };
  fill_rect(ui, part(token.now.probability), colour_of(ui, answer),
            token.now.probability > 0.03f ? ui.px(2.5f) : 0);
  if (!token.before || *token.before < kNoChange) return;
  frame_rect(ui, part(*token.before).inset(-1), ui.theme.text, std::max(1.0f, ui.px(1)),
             ui.px(2.5f));
}

// The disc that pins a token, filled when it is pinned.
void pin_switch(Ui& ui, const Rect& bounds, std::uint32_t id) {
  if (click_area(ui, "next/pin/" + std::to_string(id), bounds)) toggle_pin(ui, id);
  const bool pinned = is_pinned(ui, id), pointed = is_pointed_at(ui);
  tooltip(ui, pinned ? tr("No longer keep this token in the list")
                     : tr("Keep this token in the list, however unlikely it becomes"));
  const ImVec2 centre{bounds.x + bounds.w / 2, bounds.y + bounds.h / 2};
  const figure::Rgb ink = pointed ? ui.theme.text : pinned ? ui.theme.selected : ui.theme.line;
  if (pinned)
    ui.canvas().AddCircleFilled(centre, ui.px(3.5f), pack(ink));
  else
    ui.canvas().AddCircle(centre, ui.px(3), pack(ink), 0, std::max(1.0f, ui.px(1)));
}

// The − that compares the answer with a token.
void minus_switch(Ui& ui, const Rect& bounds, std::uint32_t id, AnswerRole part) {
  if (click_area(ui, "next/minus/" + std::to_string(id), bounds)) compare_answer(ui, id);
  const bool pointed = is_pointed_at(ui);
  tooltip(ui, part == AnswerRole::kMinus
                  ? tr("No longer compare the answer with this token")
                  : tr("The other numbers are about the answer minus this token   Ctrl+click"));
  const figure::Rgb ink = part == AnswerRole::kMinus ? ui.theme.danger
                          : pointed                  ? ui.theme.text
                                                     : ui.theme.line;
  draw_text(ui, ui.fonts.bold, bounds, "−", ink, TextAlign::kCentre);
}

void switches(Ui& ui, Rect& row, std::uint32_t id, AnswerRole part) {
  pin_switch(ui, row.cut_left(ui.px(kRowSwitch)), id);
  const Rect minus = row.cut_left(ui.px(kRowSwitch));
  if (part != AnswerRole::kAnswer) minus_switch(ui, minus, id, part);
}

void change_of(Ui& ui, const Rect& bounds, const NextToken& token) {
  if (!token.before) return;
  const float change = token.now.probability - *token.before;
  const figure::Rgb ink = change < -kNoChange  ? ui.theme.danger
                          : change > kNoChange ? ui.theme.right
                                               : ui.theme.dim;
  draw_text(ui, ui.fonts.mono_small, bounds, change_text(token), ink, TextAlign::kRight);
}

}  // namespace

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

void next_row(Ui& ui, Rect row, const NextToken& token) {
  const std::uint32_t id = token.now.id;
  const AnswerRole part = role_of(ui, id);
  switches(ui, row, id, part);
  const bool clicked = click_area(ui, "next/" + std::to_string(id), row);
  const bool dragged = drag_logit(ui, {ui.analysis.predictions.value->row, id, {}});
  if (clicked && !dragged) ImGui::GetIO().KeyCtrl ? compare_answer(ui, id) : choose_answer(ui, id);
  const bool pointed = is_pointed_at(ui);
  if (pointed)
    tooltip(ui, tr("Click: this token is the answer that the other numbers are about\n"
                   "Alt + drag: give its logit another value"));
  const figure::Rgb ink = part != AnswerRole::kNone ? colour_of(ui, part)
                          : pointed                 ? ui.theme.text
                                                    : ui.theme.dim;
  draw_label(ui, row.cut_left(std::min(ui.px(kPiece), row.w * 0.34f)), piece_of(ui, id), 12.5f, ink,
             TextAlign::kRight, part == AnswerRole::kAnswer);
  row.cut_left(ui.px(8));
  change_of(ui, row.cut_right(ui.px(kChange)), token);
  draw_text(ui, ui.fonts.mono, row.cut_right(ui.px(kPercent)), percent(token.now.probability),
            ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  bar_of(ui, row, token, part);
}

}  // namespace lab::view
