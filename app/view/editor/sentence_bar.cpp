#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/document/words/new_words.h"
#include "app/translation/words.h"
#include "app/view/editor/editor_panels.h"
#include "app/view/editor/second_sentence.h"
#include "app/view/editor/sentence_box.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/navigation.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kBoxHeight = 36;
constexpr float kChipHeight = 24;
constexpr float kRowGap = 8;
constexpr float kChipPoints = 13.5f;
constexpr float kChipGap = 6;
constexpr float kWidestChip = 220;
constexpr const char* kTokensMenu = "menu/Tokens";
constexpr const char* kSourceMenu = "menu/Source";
constexpr const char* kSharedMenu = "menu/SharedWords";

std::string count_text(std::size_t count) {
  return tr_count("{} token", "{} tokens", static_cast<long>(count));
}

void tokenizer_menu(Ui& ui, const Rect& place) {
  open_requested_popup(ui, kTokensMenu);
  if (!begin_popup(ui, kTokensMenu, place)) return;
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    const std::string name(token_mode_name(mode));
    if (menu_item(ui, "tokens/" + name, tr(name), {}, ui.edited().token_mode == mode)) {
      ui.queue(intent::Apply{SetTokenMode{mode}});
    }
  }
  end_popup();
}

float text_button_width(const Ui& ui, const std::string& text) {
  return text_width(ui, ui.fonts.text, text) + ui.px(18);
}

// Draws dim text that opens a menu, cut off the left of `rect`.
void text_button(Ui& ui, Rect& rect, const std::string& id, const std::string& text,
                 const char* menu) {
  const Rect place = rect.cut_left(text_button_width(ui, text));
  if (click_area(ui, id, place)) open_popup(menu);
  const figure::Rgb colour = ImGui::IsItemHovered() ? ui.theme.text : ui.theme.dim;
  draw_text(ui, ui.fonts.text, place, text, colour);
  draw_menu_mark(ui, {place.right() - ui.px(8), place.y + place.h / 2});
}

void source_menu(Ui& ui, const Rect& place) {
  if (!begin_popup(ui, kSourceMenu, place)) return;
  const bool cross = is_cross(ui);
  if (menu_item(ui, "source/same", tr("this sentence (self-attention)"), {}, !cross) && cross)
    toggle_cross(ui);
  if (menu_item(ui, "source/second", tr("another sentence (cross-attention)"), {}, cross) && !cross)
    toggle_cross(ui);
  end_popup();
}

// The source of keys and values, if there is room for it.
void source_button(Ui& ui, Rect rect) {
  if (is_cross(ui)) return;
  for (const std::string& text :
       {tr("Keys and values: this sentence"), tr("Keys: this sentence"), tr("Keys")}) {
    if (text_button_width(ui, text) > rect.w) continue;
    const Rect whole = rect;
    text_button(ui, rect, "button/source", text, kSourceMenu);
    return source_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
  }
}

std::string split_text(TokenMode mode) { return tr("Tokens: {}", {tr(token_mode_name(mode))}); }

std::string queries_text(const Ui& ui, std::size_t tokens) {
  return is_cross(ui) ? tr(" ·  {}, the queries", {count_text(tokens)})
                      : " ·  " + count_text(tokens);
}

// The most room that how the sentence is split and the number of tokens usually take.
float usual_notes_width(const Ui& ui) {
  constexpr std::size_t kUsual = 888;  // as wide as any number with three digits
  return std::max(text_button_width(ui, split_text(TokenMode::kWords)),
                  text_button_width(ui, split_text(TokenMode::kCharacters))) +
         text_width(ui, ui.fonts.text, queries_text(ui, kUsual));
}

// Beside the first box: how it is split, the number of tokens, and the source of the keys. Each
// menu starts at the same place whatever the others say, where there is room.
void token_notes(Ui& ui, Rect rect) {
  const Rect whole = rect;
  text_button(ui, rect, "button/tokenizer", split_text(ui.edited().token_mode), kTokensMenu);
  tokenizer_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
  const std::string count = queries_text(ui, ui.document().tokens.size());
  const float width = text_width(ui, ui.fonts.text, count);
  if (width > rect.w) return;
  draw_text(ui, ui.fonts.text, rect, count, ui.theme.dim);
  ui.name("sentence/count", {rect.x, rect.y, width, rect.h});
  const float used = whole.w - rect.w + width;
  rect = whole;
  rect.cut_left(std::max(used, usual_notes_width(ui)) + ui.px(22));
  source_button(ui, rect);
}

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
  bool (*is_lit)(const Ui&, attention::Index);
  void (*light)(Ui&, attention::Index);
  SentenceState& (*state)(ViewState&);
};

void chip(Ui& ui, const ChipsOf& of, const Rect& rect, attention::Index i,
          const std::string& label) {
  const std::string number = std::to_string(i);
  const bool selected = of.selected(ui.state.selection) == i;
  if (click_area(ui, of.name + "/" + number, rect)) of.select(ui, i);
  if (is_pointed_at(ui)) of.light(ui, i);
  const figure::Rgb fill = selected                 ? ui.theme.selected
                           : ImGui::IsItemHovered() ? ui.theme.button_hover
                                                    : ui.theme.button;
  fill_rect(ui, rect, fill, ui.px(6));
  if (of.is_lit(ui, i))
    frame_rect(ui, rect, ui.theme.accent, std::max(1.0f, ui.px(1.5f)), ui.px(6));
  Rect content{rect.x + ui.px(8), rect.y, rect.w - ui.px(16), rect.h};
  const Rect place = content.cut_right(text_width(ui, ui.fonts.small, number));
  draw_text(ui, ui.fonts.small, {place.x, place.y + 1, place.w, place.h}, number,
            selected ? ui.theme.on_selected : ui.theme.dim);
  draw_label(ui, content, label, kChipPoints, selected ? ui.theme.on_selected : ui.theme.text,
             TextAlign::kLeft);
}

// One row of chips; when they do not fit, the wheel scrolls them sideways.
void scroll_chips(Ui& ui) {
  const float wheel = ImGui::GetIO().MouseWheel + ImGui::GetIO().MouseWheelH;
  if (ImGui::IsWindowHovered() && wheel != 0) {
    ImGui::SetScrollX(ImGui::GetScrollX() - wheel * ui.px(80));
  }
}

// Hidden chips are not drawn; those next to the visible ones let the ring move on.
void hidden_chip(Ui& ui, const ChipsOf& of, const Rect& seen, const Rect& place,
                 attention::Index i) {
  const float reach = ui.px(kWidestChip);
  if (place.right() > seen.x - reach && place.x < seen.right() + reach)
    ring_stop(ui, of.name + "/" + std::to_string(i), place);
}

// Draws the visible chips. Returns the width of all chips.
float draw_chips(Ui& ui, const ChipsOf& of, const Rect& rect) {
  const attention::Index selected = of.selected(ui.state.selection);
  auto& in_view = of.state(ui.state).chip_in_view;
  const float start = rect.x - ImGui::GetScrollX();
  float x = start;
  for (attention::Index i = 0; i < std::ssize(of.tokens(ui.document())); ++i) {
    const std::string label = of.label(ui.document(), i);
    const float width = std::min(chip_width(ui, label, std::to_string(i)), ui.px(kWidestChip));
    const Rect place{x, rect.y, width, ui.px(kChipHeight)};
    if (place.right() > rect.x && place.x < rect.right()) {
      chip(ui, of, place, i, label);
    } else {
      hidden_chip(ui, of, rect, place, i);
    }
    const bool whole = place.x >= rect.x && place.right() <= rect.right();
    if (i == selected && in_view != selected && !whole) ImGui::SetScrollX(x - start - rect.w / 2);
    x += width + ui.px(kChipGap);
  }
  in_view = selected;
  return x - start;
}

void chips(Ui& ui, const ChipsOf& of, const Rect& rect) {
  ImGui::SetCursorScreenPos(rect.min());
  compat::begin_child(of.name.c_str(), {rect.w, rect.h}, false,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                          ImGuiWindowFlags_NoScrollbar);
  scroll_chips(ui);
  const float width = draw_chips(ui, of, rect);
  ImGui::SetCursorScreenPos({rect.x - ImGui::GetScrollX() + width, rect.y});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

SentenceState& queries_state(ViewState& state) { return state.sentence; }
SentenceState& keys_state(ViewState& state) { return state.kv_sentence; }

const ChipsOf kQueryChips{
    "chip",
    [](const Document& document) -> const std::vector<Token>& { return document.tokens; },
    [](const Document& document, attention::Index i) { return row_label(document, i); },
    [](const Selection& selection) { return selection.query; },
    [](Ui& ui, attention::Index i) { ui.state.selection.query = i; },
    [](const Ui& ui, attention::Index i) {
      const CellTokens& lit = ui.state.reading.lit.tokens;
      return lit.query == i || (!ui.problem().cross() && lit.key == i);
    },
    light_token,
    queries_state};

const ChipsOf kKeyChips{
    "kv_chip",
    [](const Document& document) -> const std::vector<Token>& { return document.kv_tokens; },
    [](const Document& document, attention::Index i) { return key_label(document, i); },
    [](const Selection& selection) { return selection.key; },
    select_key,
    [](const Ui& ui, attention::Index i) { return ui.state.reading.lit.tokens.key == i; },
    light_key,
    keys_state};

const SentenceOf kQuerySentence{
    "sentence",
    TextField::kSentence,
    true,
    queries_state,
    [](const Document& document) -> const std::string& { return document.sentence; },
    [](const Document& document, std::string text) -> Command {
      return with_fitting_words(document, SetSentence{std::move(text)});
    }};

const SentenceOf kKvSentence{
    "kv_sentence",
    TextField::kKvSentence,
    false,
    keys_state,
    [](const Document& document) -> const std::string& { return document.kv_sentence; },
    [](const Document& document, std::string text) -> Command {
      return with_fitting_words(document, SetKvSentence{std::move(text)});
    }};

void shared_words_menu(Ui& ui, const Rect& place) {
  if (!begin_popup(ui, kSharedMenu, place)) return;
  const bool shared = shares_words(ui), apart = words_apart(ui.edited()) > 0;
  if (menu_item(ui, "shared_words/on", tr("Equal words share one vector"), {}, shared && !apart))
    ui.queue(intent::Apply{SetSharedWords{true}});
  if (menu_item(ui, "shared_words/off", tr("Each sentence has its own vectors"), {}, !shared))
    ui.queue(intent::Apply{SetSharedWords{false}});
  end_popup();
}

// Whether equal words share their vectors, if there is room for it.
void shared_words_button(Ui& ui, Rect rect) {
  const std::size_t apart = words_apart(ui.edited());
  std::vector<std::string> texts = {tr("Own vectors")};
  if (shares_words(ui)) {
    texts = {tr("Equal words share vectors"), tr("Shared vectors")};
    const std::string note =
        " · " + tr_count("{} word apart", "{} words apart", static_cast<long>(apart));
    if (apart > 0) texts = {texts[0] + note, texts[1] + note, texts[1]};
  }
  for (const std::string& text : texts) {
    if (text_width(ui, ui.fonts.text, text) + ui.px(18) > rect.w) continue;
    const Rect whole = rect;
    text_button(ui, rect, "button/shared_words", text, kSharedMenu);
    return shared_words_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
  }
}

// Beside the second box: what it is for, whether its words are those of the first, and a button to
// return to one sentence.
void kv_notes(Ui& ui, Rect rect) {
  const Rect close = rect.cut_right(ui.px(26));
  if (button(ui, "button/one_sentence", {close.x, close.y + ui.px(5), close.w, close.h - ui.px(10)},
             "×"))
    toggle_cross(ui);
  tooltip(ui, tr("Keys and values come from the first sentence again"));
  const std::string note =
      tr("keys and values ·  {}", {count_text(ui.document().kv_tokens.size())});
  draw_text(ui, ui.fonts.text, rect, note, ui.theme.dim);
  rect.cut_left(text_width(ui, ui.fonts.text, note) + ui.px(22));
  shared_words_button(ui, rect);
}

// One sentence: its box with the notes beside it, and its chips below.
void sentence_rows(Ui& ui, Rect& rect, const SentenceOf& of, void (*notes)(Ui&, Rect),
                   const ChipsOf& chips_of) {
  Rect box = rect.cut_top(ui.px(kBoxHeight));
  // In a narrow window the sentence itself comes first.
  const float least = std::min(ui.px(230), std::max(ui.px(140), rect.w * 0.4f));
  Rect side = box.cut_right(std::clamp(rect.w * 0.36f, least, ui.px(580)));
  sentence_box(ui, of, box);
  side.cut_left(ui.px(14));
  notes(ui, side);
  rect.cut_top(ui.px(kRowGap));
  chips(ui, chips_of, rect.cut_top(ui.px(kChipHeight)));
  rect.cut_top(ui.px(kRowGap));
}

}  // namespace

void token_chips(Ui& ui, const Rect& rect) { chips(ui, kQueryChips, rect); }

namespace {

// The text box, how it is split into tokens, and one chip per token.
void sentence_bar(Ui& ui, const Rect& whole) {
  fill_rect(ui, whole, ui.theme.card);
  fill_rect(ui, {whole.x, whole.bottom() - 1, whole.w, 1}, ui.theme.line);
  Rect rect{whole.x + ui.px(14), whole.y + ui.px(9), whole.w - ui.px(28), whole.h - ui.px(18)};
  sentence_rows(ui, rect, kQuerySentence, token_notes, kQueryChips);
  if (is_cross(ui)) sentence_rows(ui, rect, kKvSentence, kv_notes, kKeyChips);
}

}  // namespace

extern constexpr PanelInfo kSentencePanel{
    .name = "sentence",
    .place = PanelPlace::kSentence,
    .draw = sentence_bar,
    .of_edited = true,
    .entrance = [](const ViewState& state) -> std::string {
      return state.present.on ? "chip/" + std::to_string(state.selection.query) : "sentence";
    },
    .has_keys =
        [](const ViewState& state) { return state.sentence.active || state.kv_sentence.active; }};

}  // namespace lab::view
