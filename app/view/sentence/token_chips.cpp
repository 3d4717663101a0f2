#include "app/view/sentence/sentence_parts.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/visible_text.h"
#include "app/translation/words.h"
#include "app/view/editor/second_sentence.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/maps/navigation.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kChipPoints = 13.5f;
constexpr float kChipGap = 6;
constexpr float kWidestChip = 220;
constexpr float kFadedEnd = 28;

float chip_width(Ui& ui, const std::string& label, const std::string& number) {
  const double text = ui.labels.metrics(label_request(ui, label, kChipPoints)).advance;
  return std::ceil(static_cast<float>(text)) + text_width(ui, ui.fonts.small, number) + ui.px(20);
}

// The sentence of a row of chips. The chips of the first sentence are the queries, and also the
// keys unless these have their own sentence.
struct ChipsOf {
  std::string name;
  const std::vector<Token>& (*tokens)(const Document&);
  std::string (*label)(const Document&, attention::Index);
  attention::Index (*selected)(const Selection&);
  void (*select)(Ui&, attention::Index);
  bool (*is_highlighted)(const Ui&, attention::Index);
  void (*light)(Ui&, attention::Index);
  SentenceState& (*state)(ViewState&);
};

// The piece of a tokenizer as its vocabulary spells it, and its number there.
std::string piece_text(const Token& token) {
  const std::string text = printable(token.text) + "   " + tr("id {}", {std::to_string(*token.id)});
  if (token.bytes.empty()) return text + "   " + tr("added by the tokenizer");
  return token.from_template ? text + "   " + tr("from the chat template") : text;
}

// Below the label of a token that the chat template wrote.
void underline_template(Ui& ui, const Rect& label, figure::Rgb colour) {
  const float thick = std::max(1.0f, ui.px(1));
  fill_rect(ui, {label.x, label.bottom() - ui.px(4), label.w, thick}, colour, 0, 0.6f);
}

// Draws one chip; true when it is pointed at.
bool chip(Ui& ui, const ChipsOf& of, const Rect& rect, attention::Index i,
          const std::string& label) {
  const std::string number = std::to_string(i);
  const bool selected = of.selected(ui.state.selection) == i;
  const Token& token = of.tokens(ui.document())[static_cast<std::size_t>(i)];
  if (click_area(ui, of.name + "/" + number, rect)) of.select(ui, i);
  const bool pointed = is_pointed_at(ui);
  if (pointed) of.light(ui, i);
  if (token.id) tooltip(ui, piece_text(token));
  const figure::Rgb fill = selected                 ? ui.theme.selected
                           : ImGui::IsItemHovered() ? ui.theme.button_hover
                                                    : ui.theme.button;
  fill_rect(ui, rect, fill, ui.px(6));
  if (of.is_highlighted(ui, i))
    frame_rect(ui, rect, ui.theme.accent, std::max(1.0f, ui.px(1.5f)), ui.px(6));
  Rect content{rect.x + ui.px(8), rect.y, rect.w - ui.px(16), rect.h};
  const Rect bounds = content.cut_right(text_width(ui, ui.fonts.small, number));
  draw_text(ui, ui.fonts.small, {bounds.x, bounds.y + 1, bounds.w, bounds.h}, number,
            selected ? ui.theme.on_selected : ui.theme.dim);
  const figure::Rgb ink = selected              ? ui.theme.on_selected
                          : token.from_template ? ui.theme.dim
                                                : ui.theme.text;
  draw_label(ui, content, label, kChipPoints, ink, TextAlign::kLeft);
  if (token.from_template) underline_template(ui, content, ink);
  return pointed;
}

// One row of chips; when they do not fit, the wheel scrolls them sideways.
void scroll_chips(Ui& ui) {
  const float wheel = ImGui::GetIO().MouseWheel + ImGui::GetIO().MouseWheelH;
  if (ImGui::IsWindowHovered() && wheel != 0) {
    ImGui::SetScrollX(ImGui::GetScrollX() - wheel * ui.px(80));
  }
}

// Hidden chips are not drawn; those next to the visible ones let the keyboard focus move on.
void hidden_chip(Ui& ui, const ChipsOf& of, const Rect& visible, const Rect& bounds,
                 attention::Index i) {
  const float reach = ui.px(kWidestChip);
  if (bounds.right() > visible.x - reach && bounds.x < visible.right() + reach)
    focus_stop(ui, of.name + "/" + std::to_string(i), bounds);
}

// A dashed line around `rect`.
void dash(Ui& ui, const Rect& rect) {
  const float step = ui.px(4), thick = std::max(1.0f, ui.px(1.2f));
  const ImU32 colour = pack(ui.theme.accent);
  for (float x = rect.x; x < rect.right(); x += 2 * step)
    for (const float y : {rect.y, rect.bottom() - thick})
      ui.canvas().AddRectFilled({x, y}, {std::min(x + step, rect.right()), y + thick}, colour);
  for (float y = rect.y; y < rect.bottom(); y += 2 * step)
    for (const float x : {rect.x, rect.right() - thick})
      ui.canvas().AddRectFilled({x, y}, {x + thick, std::min(y + step, rect.bottom())}, colour);
}

// What a trained model would say next: a click takes it. Returns the width that it takes.
float next_chip(Ui& ui, Rect rect) {
  const attention::Index last = ui.document().problem.seq_len() - 1;
  if (shown_model(ui) == nullptr || !can_append(ui)) return 0;
  ui.requested.predictions = true;  // also where the card of the next token is out of sight
  const auto& predictions = ui.analysis.predictions;
  const bool known =
      predictions.value && predictions.value->row == last && !predictions.value->top.empty();
  if (!known) return 0;
  const Prediction& top = predictions.value->top.front();
  const std::string label = piece_of(ui, top.id);
  const std::string share = std::to_string(std::lround(100 * top.probability)) + " %";
  rect.w = std::min(chip_width(ui, label, share), ui.px(kWidestChip));
  if (click_area(ui, "chip/next", rect) && predictions.current) append_token(ui, top.id);
  tooltip(ui, tr("What the model expects next: a click or Enter adds it to the sentence"));
  dash(ui, rect);
  Rect content{rect.x + ui.px(8), rect.y, rect.w - ui.px(16), rect.h};
  draw_text(ui, ui.fonts.small, content.cut_right(text_width(ui, ui.fonts.small, share)), share,
            ui.theme.accent);
  draw_label(ui, content, label, kChipPoints, ui.theme.accent, TextAlign::kLeft);
  return rect.w + ui.px(kChipGap);
}

// What was drawn of a row of chips.
struct DrawnChips {
  float width = 0;                          // of all chips
  std::optional<attention::Index> pointed;  // the token that is pointed at
};

// Draws the visible chips.
DrawnChips draw_chips(Ui& ui, const ChipsOf& of, const Rect& rect) {
  const attention::Index selected = of.selected(ui.state.selection);
  auto& in_view = of.state(ui.state).chip_in_view;
  const float start = rect.x - ImGui::GetScrollX();
  float x = start;
  DrawnChips drawn;
  for (attention::Index i = 0; i < std::ssize(of.tokens(ui.document())); ++i) {
    const std::string label = of.label(ui.document(), i);
    const float width = std::min(chip_width(ui, label, std::to_string(i)), ui.px(kWidestChip));
    const Rect bounds{x, rect.y, width, rect.h};
    if (bounds.right() > rect.x && bounds.x < rect.right()) {
      if (chip(ui, of, bounds, i, label)) drawn.pointed = i;
    } else {
      hidden_chip(ui, of, rect, bounds, i);
    }
    const float end = ui.px(kFadedEnd), before = i == 0 ? 0 : end;
    const bool whole = bounds.x >= rect.x + before && bounds.right() <= rect.right() - end;
    if (i == selected && in_view != selected && !whole) ImGui::SetScrollX(x - start - rect.w / 2);
    x += width + ui.px(kChipGap);
  }
  in_view = selected;
  if (of.name == "chip") x += next_chip(ui, {x, rect.y, 0, rect.h});
  drawn.width = x - start;
  // Where chips come and go, such as the dashed one, the selected one is brought into view again.
  if (std::exchange(of.state(ui.state).chips_width, drawn.width) != drawn.width) in_view.reset();
  return drawn;
}

// At an end beyond which there are more chips: they fade out there.
void fade_out(Ui& ui, const std::string& name, const Rect& rect, bool right) {
  const float width = ui.px(kFadedEnd);
  const Rect end{right ? rect.right() - width : rect.x, rect.y, width, rect.h};
  constexpr int kSteps = 7;
  for (int i = 0; i < kSteps; ++i) {
    const float share = static_cast<float>(i) / kSteps, step = width / kSteps;
    const float x = right ? end.x + share * width : end.right() - share * width - step;
    fill_rect(ui, {x, end.y, step, end.h}, ui.theme.card, 0, (share + 1.0f / kSteps) * 0.9f);
  }
  draw_text(ui, ui.fonts.bold, end, right ? "›" : "‹", ui.theme.accent,
            right ? TextAlign::kRight : TextAlign::kLeft);
  ui.name(name + (right ? "/more" : "/less"), end);
}

std::optional<attention::Index> chips(Ui& ui, const ChipsOf& of, const Rect& rect) {
  ImGui::SetCursorScreenPos(rect.min());
  compat::begin_child(of.name.c_str(), {rect.w, rect.h}, false,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                          ImGuiWindowFlags_NoScrollbar);
  scroll_chips(ui);
  const DrawnChips drawn = draw_chips(ui, of, rect);
  ImGui::SetCursorScreenPos({rect.x - ImGui::GetScrollX() + drawn.width, rect.y});
  ImGui::Dummy({1, 1});
  const float scrolled = ImGui::GetScrollX(), beyond = drawn.width - ui.px(kChipGap) - rect.w;
  if (scrolled > 1) fade_out(ui, of.name, rect, false);
  if (scrolled < beyond - 1) fade_out(ui, of.name, rect, true);
  ImGui::EndChild();
  return drawn.pointed;
}

const ChipsOf kQueryChips{
    "chip",
    [](const Document& document) -> const std::vector<Token>& { return document.tokens; },
    [](const Document& document, attention::Index i) { return row_label(document, i); },
    [](const Selection& selection) { return selection.query; },
    [](Ui& ui, attention::Index i) { ui.state.selection.query = i; },
    [](const Ui& ui, attention::Index i) {
      const CellTokens& highlight = ui.state.inspection.highlight.tokens;
      return highlight.query == i || (!ui.problem().has_second_text() && highlight.key == i);
    },
    light_token,
    [](ViewState& state) -> SentenceState& { return state.sentence; }};

const ChipsOf kKeyChips{
    "kv_chip",
    [](const Document& document) -> const std::vector<Token>& { return document.kv_tokens; },
    [](const Document& document, attention::Index i) { return key_label(document, i); },
    [](const Selection& selection) { return selection.key; },
    select_key,
    [](const Ui& ui, attention::Index i) { return ui.state.inspection.highlight.tokens.key == i; },
    light_key,
    [](ViewState& state) -> SentenceState& { return state.kv_sentence; }};

}  // namespace

std::optional<attention::Index> token_chips(Ui& ui, const Rect& rect) {
  return chips(ui, kQueryChips, rect);
}

std::optional<attention::Index> key_chips(Ui& ui, const Rect& rect) {
  return chips(ui, kKeyChips, rect);
}

}  // namespace lab::view
