#include "app/view/sentence/sentence_parts.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/base/strings.h"
#include "app/base/text_direction.h"
#include "app/document/model/model_document.h"
#include "app/document/model/text_limit.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/model_heads.h"
#include "app/view/toolkit/box_input.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

// Changes to the box in this frame; ImGui keeps a copy of the text while the box has the keyboard
// focus.
struct BoxRequest {
  const std::string* text = nullptr;  // replaces what is in the box
  std::string insert;                 // replaces the selection
  CaretTo* caret = nullptr;           // kStay once it is done
  bool all_selected = false;          // afterwards
};

void change_box(ImGuiInputTextCallbackData* data, const BoxRequest& request) {
  if (request.text != nullptr) {
    const auto [first, last] = std::minmax(data->SelectionStart, data->SelectionEnd);
    const bool all = first == 0 && last > 0 && last == data->BufTextLen;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, request.text->c_str());
    // A new session's sentence arrives after the request to select it.
    if (all && *request.caret == CaretTo::kStay) *request.caret = CaretTo::kAll;
  }
  if (!request.insert.empty()) {
    const auto [first, last] = std::minmax(data->SelectionStart, data->SelectionEnd);
    if (first < last) data->DeleteChars(first, last - first);
    data->InsertChars(data->CursorPos, request.insert.c_str());
  }
  const CaretTo caret = std::exchange(*request.caret, CaretTo::kStay);
  if (caret == CaretTo::kStay) return;
  data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  if (caret == CaretTo::kAll) data->SelectionStart = 0;
}

int adjust_box(ImGuiInputTextCallbackData* data) {
  auto& request = *static_cast<BoxRequest*>(data->UserData);
  change_box(data, request);
  const auto [first, last] = std::minmax(data->SelectionStart, data->SelectionEnd);
  request.all_selected = first == 0 && last > 0 && last == data->BufTextLen;
  return 0;
}

// What is typed in one visit to the box is one undo step, unless it replaces all of the text or
// follows a pause.
constexpr double kPause = 3;  // seconds

void begin_step_of_typing(SentenceState& state, bool replaces_all) {
  const double now = ImGui::GetTime();
  const double before = std::exchange(state.typed_at, now);
  if (replaces_all || now - before > kPause) ++state.visit;
}

std::string merge_key(const SentenceOf& of, const SentenceState& state) {
  return of.name + std::to_string(state.visit);
}

constexpr float kTextPadding = 12;

std::string field_label(const SentenceOf& of) { return "##" + of.name; }

bool text_field(Ui& ui, const SentenceOf& of, const Rect& rect, bool replace) {
  SentenceState& state = of.state(ui.state);
  compat::push_font(ui.fonts.field);
  const float padding = (rect.h - compat::font_size(*ui.fonts.field)) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(kTextPadding), padding});
  ImGui::PushStyleColor(ImGuiCol_FrameBg, pack(ui.theme.card));
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, pack(ui.theme.card));
  ImGui::SetCursorScreenPos(rect.min());
  ImGui::SetNextItemWidth(rect.w);
  if (ui.state.requests.take(request::GiveKeyboard{of.field})) {
    ui.state.early_text.give_keyboard();
    if (state.caret == CaretTo::kStay) state.caret = CaretTo::kEnd;
  }
  const bool escaped = state.active && compat::key_pressed(Key::kEscape, false);
  if (escaped) compat::leave_text_field();  // Dear ImGui would revert all that was typed
  // Of a field that has the keyboard only the request replaces the text: for Dear ImGui the size of
  // this string is that of its own buffer, which would be too small for a longer one.
  const std::string requested = replace ? ui.state.box_text.encode(state.text) : state.box;
  if (!state.active) state.box = requested;
  const std::string typed = ui.state.box_text.encode(take_long_text(state.active));
  BoxRequest request{replace ? &requested : nullptr, typed, &state.caret};
  const BoxClipboard clipboard(ui.state.box_text);
  constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackAlways;
  const std::string label = field_label(of);
  const bool changed = ImGui::InputText(label.c_str(), &state.box, kFlags, adjust_box, &request);
  if (replace) state.box = requested;
  const bool replaces_all = std::exchange(state.all_selected, request.all_selected);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (!changed || replace) return false;
  state.text = ui.state.box_text.decode(state.box);
  begin_step_of_typing(state, replaces_all);
  return true;
}

// Records whether the box has the keyboard focus.
void follow_focus(Ui& ui, const SentenceOf& of, bool active) {
  SentenceState& state = of.state(ui.state);
  const bool before = std::exchange(state.active, active);
  if (!active) return;
  ui.state.edit.focused = false;
  note_typing(ui, of.name);
  if (!before) ++state.visit;
}

// Draws the box; true when the user changed its text.
bool edited_by_user(Ui& ui, const SentenceOf& of, const Rect& rect) {
  SentenceState& state = of.state(ui.state);
  const std::string& sentence = of.text(ui.edited());
  const bool document_changed = std::exchange(state.seen, sentence) != sentence;
  const bool replace = document_changed && state.text != sentence;
  if (replace) {
    state.text = sentence;
    ++state.visit;  // undo and redo end a step of typing
  }
  const bool changed = text_field(ui, of, rect, replace);
  follow_focus(ui, of, ImGui::IsItemActive());
  return changed;
}

// A box that was left empty shows the sentence in use again; not before a click that left it is
// over, because the button for undo brings back what was deleted.
void refill_when_left(Ui& ui, const SentenceOf& of) {
  SentenceState& state = of.state(ui.state);
  const bool clicking = ImGui::IsMouseDown(0) || ImGui::IsMouseReleased(0);
  const std::string& sentence = of.text(ui.edited());
  if (state.active || clicking || state.text == sentence || !trimmed(state.text).empty()) return;
  state.text = sentence;
  state.box = ui.state.box_text.encode(sentence);
}

// Dear ImGui writes letters one by one from left to right. While nobody types, a text of another
// script is written over that as its readers know it.
void show_as_read(Ui& ui, const SentenceOf& of, const Rect& rect) {
  constexpr float kFieldSize = 17;  // points, as Fonts::field
  const SentenceState& state = of.state(ui.state);
  const auto runs = direction_runs(state.text);
  if (state.active || std::ranges::none_of(runs, &DirectionRun::right_to_left)) return;
  fill_rect(ui, rect.inset(2), ui.theme.card, ui.px(6));
  const Rect line{rect.x + ui.px(kTextPadding), rect.y, rect.w - 2 * ui.px(kTextPadding), rect.h};
  draw_label(ui, line, state.text, kFieldSize, ui.theme.text,
             runs_right_to_left(state.text) ? TextAlign::kRight : TextAlign::kLeft);
  ui.name(of.name + "/as_read", line);
}

// Keeps the reason for as long as the box shows a text that is refused; an empty box is only on its
// way to another text.
void follow_refusal(Ui& ui, SentenceState& state, bool refused, bool changed) {
  if (!refused || changed || trimmed(state.text).empty()) {
    state.refusal.clear();
    state.beginning.reset();
    return;
  }
  const std::string& message = ui.workspace.message();
  if (message.empty() || !state.refusal.empty()) return;
  state.refusal = message;
  const ModelDocument* const model = ui.edited().layer.model.get();
  if (model == nullptr) return;
  const bool of_decoder = model->network.encoder && !is_of_encoder(ui.edited());
  state.beginning = readable_beginning(*model->source, state.text, of_decoder);
  if (state.beginning)
    state.refusal =
        tr("Too long: the model reads {} tokens", {std::to_string(most_tokens(*model->source))});
}

}  // namespace

void sentence_box(Ui& ui, const SentenceOf& of, const Rect& rect) {
  SentenceState& state = of.state(ui.state);
  const bool changed = edited_by_user(ui, of, rect);
  if (!changed) refill_when_left(ui, of);
  show_as_read(ui, of, rect);
  ui.name(of.name, rect);
  if (focus_stop(ui, of.name, rect)) {
    go_inside(ui, Inside::kText);
    ui.state.requests.ask(request::GiveKeyboard{of.field});
  }
  const bool refused = state.text != of.text(ui.edited());
  follow_refusal(ui, state, refused, changed);
  const figure::Rgb border = refused && !changed ? ui.theme.danger
                             : state.active      ? ui.theme.accent
                                                 : ui.theme.line;
  frame_rect(ui, rect, border, std::max(1.0f, ui.px(1.3f)), ui.px(7));
  if (changed && (of.may_be_empty || !state.text.empty()))
    ui.queue(intent::ApplyMerged{of.command(ui.edited(), state.text), merge_key(of, state)});
}

void mark_token(Ui& ui, const SentenceOf& of, const Rect& rect, std::size_t position) {
  const SentenceState& state = of.state(ui.state);
  const std::string& sentence = of.text(ui.document());
  if (state.text != sentence) return;
  const auto all = token_bytes(sentence, ui.document().splitting, of.tokens(ui.document()));
  if (position >= all.size() || all[position].empty()) return;
  const tokenizer::TextRange bytes = all[position];
  const float scrolled = state.active ? compat::text_scroll(field_label(of).c_str()) : 0;
  const auto x_of = [&](std::uint32_t byte) {
    const std::string before = ui.state.box_text.encode(sentence.substr(0, byte));
    return compat::text_size(*ui.fonts.field, before).x - scrolled;
  };
  const float left = rect.x + ui.px(kTextPadding), right = rect.right() - ui.px(kTextPadding);
  const float from = std::clamp(left + x_of(bytes.first), left, right);
  const float to = std::clamp(left + x_of(bytes.last), left, right);
  const float height = compat::font_size(*ui.fonts.field) + ui.px(6);
  const Rect mark{from, rect.y + (rect.h - height) / 2, to - from, height};
  fill_rect(ui, mark, ui.theme.accent, ui.px(3), 0.25f);
  ui.name(of.name + "/mark", mark);
}

}  // namespace lab::view
