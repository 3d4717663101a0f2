#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/view/box_input.h"
#include "app/view/imgui_compat.h"
#include "app/view/navigation.h"
#include "app/view/panels/panels.h"
#include "app/view/popup.h"
#include "app/view/ring.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kBoxHeight = 36;
constexpr float kChipHeight = 24;
constexpr float kChipPoints = 13.5f;
constexpr float kChipGap = 6;
constexpr float kWidestChip = 220;

// What the box is to do in this frame; ImGui keeps a copy of the text while it has the keyboard.
struct BoxRequest {
  const std::string* text = nullptr;  // replaces what is in the box
  std::string insert;                 // replaces the selection
  bool* caret_to_end = nullptr;       // cleared once it is done
};

int adjust_box(ImGuiInputTextCallbackData* data) {
  const auto& request = *static_cast<const BoxRequest*>(data->UserData);
  if (request.text != nullptr) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, request.text->c_str());
  }
  if (!request.insert.empty()) {
    const auto [first, last] = std::minmax(data->SelectionStart, data->SelectionEnd);
    if (first < last) data->DeleteChars(first, last - first);
    data->InsertChars(data->CursorPos, request.insert.c_str());
  }
  if (std::exchange(*request.caret_to_end, false)) {
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  }
  return 0;
}

// Where a run of typing is broken into undo steps: at every word.
std::string merge_key(const std::string& text) {
  return "sentence " + std::to_string(std::ranges::count(text, ' '));
}

bool text_field(Ui& ui, const Rect& rect, bool replace) {
  compat::push_font(ui.fonts.field);
  const float padding = (rect.h - compat::font_size(*ui.fonts.field)) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), padding});
  ImGui::PushStyleColor(ImGuiCol_FrameBg, pack(ui.theme.card));
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, pack(ui.theme.card));
  ImGui::SetCursorScreenPos(rect.min());
  ImGui::SetNextItemWidth(rect.w);
  if (std::exchange(ui.state.focus_sentence, false)) {
    ImGui::SetKeyboardFocusHere();
    ui.state.caret_to_end = true;
  }
  if (replace) ui.state.box = ui.state.box_text.encode(ui.state.sentence);
  const std::string wanted = ui.state.box;
  const std::string typed = ui.state.box_text.encode(take_long_text(ui.state.sentence_active));
  BoxRequest request{replace ? &wanted : nullptr, typed, &ui.state.caret_to_end};
  const BoxClipboard clipboard(ui.state.box_text);
  constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackAlways;
  const bool changed = ImGui::InputText("##sentence", &ui.state.box, kFlags, adjust_box, &request);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (!changed || replace) return false;
  ui.state.sentence = ui.state.box_text.decode(ui.state.box);
  return true;
}

// Esc: the sentence and the selection are what they were when the box got the keyboard.
void take_back(Ui& ui) {
  ViewState& state = ui.state;
  state.sentence = ui.edited().sentence;
  state.box = state.box_text.encode(state.sentence);
  if (!ui.workspace.history().has_past(state.before_typing.state)) return;
  ui.queue(intent::BackTo{state.before_typing.state});
  state.selection_back = state.before_typing.selection;
}

// Notes whether the box has the keyboard. True when Esc just took it away.
bool follow_focus(Ui& ui, bool active) {
  const bool before = std::exchange(ui.state.sentence_active, active);
  if (active) ui.state.edit.focused = false;
  if (active && !before)
    ui.state.before_typing = {ui.workspace.history().state_id(), ui.state.selection};
  return before && !active && compat::key_pressed(Key::kEscape, false);
}

void sentence_box(Ui& ui, const Rect& rect) {
  ViewState& state = ui.state;
  const std::string& sentence = ui.edited().sentence;
  const bool document_changed = std::exchange(state.sentence_seen, sentence) != sentence;
  const bool replace = document_changed && state.sentence != sentence;
  if (replace) state.sentence = sentence;
  bool changed = text_field(ui, rect, replace);
  const bool active = ImGui::IsItemActive();
  if (follow_focus(ui, active)) {
    changed = false;
    take_back(ui);
  }
  ui.name("sentence", rect);
  if (ring_stop(ui, "sentence", rect)) {
    go_inside(ui, Inside::kText);
    ui.state.focus_sentence = true;
  }
  const bool refused = state.sentence != sentence;
  const Rgb border = refused && !changed ? ui.theme.danger
                     : active            ? ui.theme.accent
                                         : ui.theme.line;
  frame_rect(ui, rect, border, std::max(1.0f, ui.px(1.3f)), ui.px(7));
  if (changed)
    ui.queue(intent::ApplyMerged{SetSentence{state.sentence}, merge_key(state.sentence)});
}

void tokenizer_menu(Ui& ui, const Rect& place) {
  if (!begin_popup(ui, "menu/Tokens", place)) return;
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    const std::string name(token_mode_name(mode));
    if (menu_item(ui, "tokens/" + name, name, {}, ui.edited().token_mode == mode)) {
      ui.queue(intent::Apply{SetTokenMode{mode}});
    }
  }
  end_popup();
}

void tokenizer_button(Ui& ui, Rect rect) {
  const std::string text = "Tokens: " + std::string(token_mode_name(ui.edited().token_mode));
  Rect place = rect.cut_left(text_width(ui, ui.fonts.text, text) + ui.px(18));
  if (click_area(ui, "button/tokenizer", place)) open_popup("menu/Tokens");
  const Rgb colour = ImGui::IsItemHovered() ? ui.theme.text : ui.theme.dim;
  draw_text(ui, ui.fonts.text, place, text, colour);
  draw_menu_mark(ui, {place.right() - ui.px(8), place.y + place.h / 2});
  tokenizer_menu(ui, place);
  const auto count = ui.document().tokens.size();
  draw_text(ui, ui.fonts.text, rect,
            " ·  " + std::to_string(count) + (count == 1 ? " token" : " tokens"), ui.theme.dim);
}

float chip_width(Ui& ui, const std::string& label, const std::string& number) {
  const double text = ui.labels.metrics(label_request(ui, label, kChipPoints)).advance;
  return std::ceil(static_cast<float>(text)) + text_width(ui, ui.fonts.small, number) + ui.px(20);
}

// The chips are those of the queries, which are the keys too unless these have a sentence of
// theirs.
bool is_lit(const Ui& ui, attention::Index token) {
  const CellTokens& lit = ui.state.reading.lit.tokens;
  return lit.query == token || (!ui.problem().cross() && lit.key == token);
}

void chip(Ui& ui, const Rect& rect, attention::Index i, const std::string& label,
          const std::string& number) {
  const bool selected = ui.state.selection.query == i;
  if (click_area(ui, "chip/" + std::to_string(i), rect)) ui.state.selection.query = i;
  if (is_pointed_at(ui)) light_token(ui, i);
  const Rgb fill = selected                 ? ui.theme.selected
                   : ImGui::IsItemHovered() ? ui.theme.button_hover
                                            : ui.theme.button;
  fill_rect(ui, rect, fill, ui.px(6));
  if (is_lit(ui, i)) frame_rect(ui, rect, ui.theme.accent, std::max(1.0f, ui.px(1.5f)), ui.px(6));
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

// One that is out of sight is not drawn; that next to the seen ones is where the ring goes on.
void hidden_chip(Ui& ui, const Rect& seen, const Rect& place, const std::string& number) {
  const float reach = ui.px(kWidestChip);
  if (place.right() > seen.x - reach && place.x < seen.right() + reach)
    ring_stop(ui, "chip/" + number, place);
}

// Draws the chips that are seen. Returns the width of all of them.
float draw_chips(Ui& ui, const Rect& rect) {
  const attention::Index query = ui.state.selection.query;
  const float start = rect.x - ImGui::GetScrollX();
  float x = start;
  for (attention::Index i = 0; i < std::ssize(ui.document().tokens); ++i) {
    const std::string label = row_label(ui.document(), i), number = std::to_string(i);
    const float width = std::min(chip_width(ui, label, number), ui.px(kWidestChip));
    const Rect place{x, rect.y, width, ui.px(kChipHeight)};
    if (place.right() > rect.x && place.x < rect.right()) {
      chip(ui, place, i, label, number);
    } else {
      hidden_chip(ui, rect, place, number);
      if (i == query && ui.state.chip_in_view != query) ImGui::SetScrollX(x - start - rect.w / 2);
    }
    x += width + ui.px(kChipGap);
  }
  ui.state.chip_in_view = query;
  return x - start;
}

}  // namespace

void token_chips(Ui& ui, const Rect& rect) {
  ImGui::SetCursorScreenPos(rect.min());
  compat::begin_child("chips", {rect.w, rect.h}, false,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                          ImGuiWindowFlags_NoScrollbar);
  scroll_chips(ui);
  const float width = draw_chips(ui, rect);
  ImGui::SetCursorScreenPos({rect.x - ImGui::GetScrollX() + width, rect.y});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

void sentence_bar(Ui& ui, Rect rect) {
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.bottom() - 1, rect.w, 1}, ui.theme.line);
  rect = {rect.x + ui.px(14), rect.y + ui.px(9), rect.w - ui.px(28), rect.h - ui.px(18)};
  Rect box = rect.cut_top(ui.px(kBoxHeight));
  Rect side = box.cut_right(std::clamp(rect.w * 0.36f, ui.px(230), ui.px(580)));
  sentence_box(ui, box);
  side.cut_left(ui.px(14));
  tokenizer_button(ui, side);
  rect.cut_top(ui.px(8));
  token_chips(ui, {rect.x, rect.y, rect.w, ui.px(kChipHeight)});
}

}  // namespace lab
