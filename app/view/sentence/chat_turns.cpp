#include "app/view/sentence/chat_turns.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/visible_text.h"
#include "app/document/model/model_document.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"
#include "app/view/widgets/wrapped_box.h"

namespace lab::view {
namespace {

using chat::Turn;

// In points. The turns have as much of the window's height as kMostOfWindow at most.
constexpr float kRole = 108, kRemove = 24, kTurnColumnGap = 8, kTurnGap = 6;
constexpr float kFooter = 24, kFooterGap = 7, kRefusal = 24, kBarPadding = 14, kBox = 36,
                kTurnScrollBar = 10;
constexpr float kMostOfWindow = 0.3f;
constexpr int kMostLines = 6;       // of a turn; more are scrolled
constexpr double kTypingPause = 3;  // seconds; what is typed after it is another undo step

std::string role_name(const std::string& role) {
  if (role == kSystemRole) return tr("System");
  if (role == kUserRole) return tr("User");
  if (role == kAssistantRole) return tr("Assistant");
  return printable(role);
}

// Whether a system turn can be added, and be first.
bool takes_system(const Ui& ui) { return ui.state.chat.takes_system; }

bool has_system(const std::vector<Turn>& turns) {
  return std::ranges::find(turns, kSystemRole, &Turn::role) != turns.end();
}

// Whose turn is next.
const char* next_role(const std::vector<Turn>& turns) {
  return !turns.empty() && turns.back().role == kUserRole ? kAssistantRole : kUserRole;
}

// What the document does not take stays in the boxes.
void change_turns(Ui& ui, StepLabel label) {
  ChatState& state = ui.state.chat;
  state.refusal.clear();
  ++state.visit;
  ui.queue(intent::Apply{SetChat{{}, state.turns}, {}, {}, std::move(label)});
}

// What is typed in one visit to a box is one undo step, unless it follows a pause.
void type_turns(Ui& ui) {
  ChatState& state = ui.state.chat;
  state.refusal.clear();
  const double now = ImGui::GetTime();
  if (now - std::exchange(state.typed_at, now) > kTypingPause) ++state.visit;
  ui.queue(intent::ApplyMerged{SetChat{{}, state.turns}, "chat" + std::to_string(state.visit)});
}

void add_turn(Ui& ui, const char* role) {
  std::vector<Turn>& turns = ui.state.chat.turns;
  const bool first = role == std::string_view(kSystemRole);
  const auto added = turns.insert(first ? turns.begin() : turns.end(), {role, {}});
  ui.state.chat.enter = static_cast<std::size_t>(added - turns.begin());
  ui.state.early_text.expect();
  change_turns(ui, [] { return tr("Add a turn"); });
}

void remove_turn(Ui& ui, std::size_t i) {
  std::vector<Turn>& turns = ui.state.chat.turns;
  turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(i));
  change_turns(ui, [] { return tr("Remove a turn"); });
}

void set_role(Ui& ui, std::size_t i, const char* role) {
  Turn& turn = ui.state.chat.turns[i];
  if (turn.role == role) return;
  turn.role = role;
  change_turns(ui, [] { return tr("Change the role of a turn"); });
}

// The blank above and below the text of a turn: one of a single line is as high as a sentence.
float turn_padding(const Ui& ui) {
  return std::floor((ui.px(kBox) - compat::font_size(*ui.fonts.words)) / 2);
}

// Pushes the font and the padding of the boxes while it exists.
class BoxStyle {
 public:
  explicit BoxStyle(const Ui& ui) {
    compat::push_font(ui.fonts.words);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), turn_padding(ui)});
    ImGui::PushStyleColor(ImGuiCol_FrameBg, pack(ui.theme.card));
    ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, pack(ui.theme.card));
  }
  ~BoxStyle() {
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    ImGui::PopFont();
  }
  BoxStyle(const BoxStyle&) = delete;
  BoxStyle& operator=(const BoxStyle&) = delete;
  BoxStyle(BoxStyle&&) = delete;
  BoxStyle& operator=(BoxStyle&&) = delete;
};

// A single turn cannot be removed.
bool can_remove(const Ui& ui) { return ui.state.chat.turns.size() > 1; }

// The width of the text of a turn in a list `width` wide.
float box_width(const Ui& ui, float width) {
  const float remove = can_remove(ui) ? kRemove + kTurnColumnGap + kTurnScrollBar : 0;
  return width - ui.px(kRole + kTurnColumnGap + remove);
}

std::vector<float> turn_heights(Ui& ui, float width) {
  const BoxStyle style(ui);
  std::vector<float> heights;
  for (const Turn& turn : ui.state.chat.turns)
    heights.push_back(wrapped_height(ui, turn.content, box_width(ui, width), kMostLines));
  return heights;
}

float list_height(const Ui& ui, const std::vector<float>& heights) {
  float all = 0;
  for (const float height : heights) all += height + ui.px(kTurnGap);
  return all;
}

// The height of the list of turns that is shown at once.
float shown_height(Ui& ui, float width) {
  const std::vector<float> heights = turn_heights(ui, width);
  const float most = std::max(ui.px(3 * kBox), ImGui::GetIO().DisplaySize.y * kMostOfWindow);
  return std::min(list_height(ui, heights), most);
}

void role_button(Ui& ui, std::size_t i, const Rect& rect) {
  const Turn& turn = ui.state.chat.turns[i];
  const std::string name = "chat/turn/" + std::to_string(i), menu = "menu/" + name;
  if (button(ui, name + "/role", rect, role_name(turn.role))) open_popup(menu);
  tooltip(ui, tr("Who says it: click to change"));
  draw_menu_mark(ui, {rect.right() - ui.px(12), rect.y + rect.h / 2});
  if (!begin_popup(ui, menu, rect)) return;
  for (const char* role : {kSystemRole, kUserRole, kAssistantRole}) {
    const bool chosen = turn.role == role;
    if (role == std::string_view(kSystemRole) && !chosen && (i > 0 || !takes_system(ui))) continue;
    if (menu_item(ui, name + "/" + role, role_name(role), {}, chosen)) set_role(ui, i, role);
  }
  end_popup();
}

// Gives the box the keyboard if it was asked for.
void enter_box(Ui& ui, std::size_t i, const std::string& name, const Rect& rect) {
  ChatState& state = ui.state.chat;
  const bool last = i + 1 == state.turns.size();
  const bool asked = last && ui.state.requests.take(request::GiveKeyboard{TextField::kSentence});
  bool enters = focus_field(ui, name, rect);
  if (asked || state.enter == i) {
    state.enter.reset();
    bring_focus(ui, name);
    enters = true;
  }
  if (!enters) return;
  go_inside(ui, Inside::kText);
  ui.state.early_text.give_keyboard();
}

void follow_keyboard(Ui& ui, std::size_t i, const std::string& name, bool active) {
  ChatState& state = ui.state.chat;
  const bool before = state.active == i;
  if (before && !active) state.active.reset();
  if (!active) return;
  state.active = i;
  ui.state.edit.focused = false;
  note_typing(ui, name);
  if (!before) ++state.visit;
}

void turn_box(Ui& ui, std::size_t i, const Rect& rect) {
  ChatState& state = ui.state.chat;
  const std::string name = "chat/turn/" + std::to_string(i) + "/text";
  ui.state.typed_words += state.turns[i].content;
  ImGui::SetCursorScreenPos(rect.min());
  enter_box(ui, i, name, rect);
  const bool escaped = state.active == i && compat::key_pressed(Key::kEscape, false);
  if (escaped) compat::leave_text_field();  // Dear ImGui would revert all that was typed
  bool changed = false;
  {
    const BoxStyle style(ui);
    changed = wrapped_box(ui, name, "##" + name, rect, state.turns[i].content,
                          ImGuiInputTextFlags_NoUndoRedo);
  }
  follow_keyboard(ui, i, name, ImGui::IsItemActive());
  const figure::Rgb border = !state.refusal.empty() ? ui.theme.danger
                             : state.active == i    ? ui.theme.accent
                                                    : ui.theme.line;
  frame_rect(ui, rect, border, std::max(1.0f, ui.px(1.3f)), ui.px(6));
  ui.name(name, rect);
  if (changed) type_turns(ui);
}

// Returns true when the turn is to be removed.
bool turn_row(Ui& ui, std::size_t i, Rect rect) {
  const float line = turn_padding(ui) * 2 + compat::font_size(*ui.fonts.words);
  Rect role = rect.cut_left(ui.px(kRole));
  rect.cut_left(ui.px(kTurnColumnGap));
  Rect remove;
  if (can_remove(ui)) {
    remove = rect.cut_right(ui.px(kRemove));
    rect.cut_right(ui.px(kTurnColumnGap));
  }
  role_button(ui, i, role.cut_top(line));
  turn_box(ui, i, rect);
  if (remove.w == 0) return false;
  const bool removed =
      button(ui, "chat/turn/" + std::to_string(i) + "/remove", remove.cut_top(line), "×");
  tooltip(ui, tr("Remove this turn"));
  return removed;
}

// The turns, which scroll where they have not room enough.
void turn_list(Ui& ui, const Rect& rect) {
  ChatState& state = ui.state.chat;
  const std::vector<float> heights = turn_heights(ui, rect.w);
  const bool first = state.enter == 0U;  // as a system turn, which is added at the top
  const bool more = state.turns.size() > std::exchange(state.drawn, state.turns.size());
  ImGui::SetCursorScreenPos(rect.min());
  compat::begin_child("chat/turns", {rect.w, rect.h}, false);
  const float top = rect.y - ImGui::GetScrollY();
  float y = top;
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const float width = rect.w - (can_remove(ui) ? ui.px(kTurnScrollBar) : 0);
    if (turn_row(ui, i, {rect.x, y, width, heights[i]})) removed = i;
    y += heights[i] + ui.px(kTurnGap);
  }
  ImGui::SetCursorScreenPos({rect.x, y - ui.px(kTurnGap)});
  ImGui::Dummy({1, ui.px(kTurnGap)});
  if (more) ImGui::SetScrollY(first ? 0 : y - top);
  ImGui::EndChild();
  if (removed) remove_turn(ui, *removed);
}

// A button below the turns, cut off the left of `row`. True when it was pressed.
bool footer_button(Ui& ui, Rect& row, const std::string& id, const std::string& label,
                   const std::string& help, bool enabled = true) {
  const float width = button_width(ui, label);
  if (width > row.w) return false;
  const Rect bounds = row.cut_left(width);
  row.cut_left(ui.px(6));
  const bool pressed = button(ui, id, bounds, label, ButtonLook::kQuiet, enabled);
  tooltip(ui, help);
  return pressed;
}

void footer(Ui& ui, Rect row) {
  const std::vector<Turn>& turns = ui.state.chat.turns;
  const char* const next = next_role(turns);
  if (footer_button(ui, row, "chat/add", tr("+ {}", {role_name(next)}),
                    tr("Adds a turn to the end of the conversation")))
    add_turn(ui, next);
  if (!has_system(turns) && takes_system(ui) &&
      footer_button(ui, row, "chat/add_system", tr("+ {}", {role_name(kSystemRole)}),
                    tr("Adds an instruction before the conversation")))
    add_turn(ui, kSystemRole);
  if (edited_model(ui)->source->causal &&
      footer_button(ui, row, "chat/answer", tr("Let it answer …"),
                    tr("The model writes the assistant's turn, token by token"), can_go_on(ui)))
    ask_go_on(ui);
}

}  // namespace

bool can_chat(const Ui& ui) {
  const ModelDocument* const model = edited_model(ui);
  return model != nullptr && (model->text.chat.on || has_chat(*model->source));
}

bool is_chat(const Ui& ui) {
  const ModelDocument* const model = edited_model(ui);
  return model != nullptr && model->text.chat.on;
}

void toggle_chat(Ui& ui) {
  if (!can_chat(ui)) return;
  const bool on = !is_chat(ui);
  ChatState& state = ui.state.chat;
  state.refusal.clear();
  state.asked_for.reset();
  if (on) state.asked_for = ui.edited().sentence;
  ui.queue(intent::Apply{SetChat{on, {}}});
}

void chat_switch(Ui& ui, Rect& rect) {
  if (!can_chat(ui)) return;
  const std::string label = tr("Chat");
  const Rect bounds = rect.cut_right(button_width(ui, label));
  rect.cut_right(ui.px(10));
  const bool on = is_chat(ui);
  if (button(ui, "button/chat", {bounds.x, bounds.y + ui.px(5), bounds.w, bounds.h - ui.px(10)},
             label, on ? ButtonLook::kActive : ButtonLook::kQuiet))
    toggle_chat(ui);
  tooltip(ui, on ? tr("The model reads a conversation, as its chat template writes it.\n"
                      "Off: it reads the sentence again")
                 : tr("The model reads a conversation, as its chat template writes it,\n"
                      "in place of a sentence"));
}

float turns_room(Ui& ui, float width) {
  if (!is_chat(ui)) return 0;
  const float row = width - ui.px(2 * kBarPadding);
  const float list = shown_height(ui, row - notes_width(ui, row));
  return std::floor(list + ui.px(kFooter + kFooterGap - kTurnGap) - ui.px(kBox));
}

float chat_room(Ui& ui, float width) {
  return turns_room(ui, width) + (ui.state.chat.refusal.empty() ? 0 : ui.px(kRefusal));
}

float notes_width(const Ui& ui, float width) {
  // In a narrow window the sentence itself comes first.
  const float least = std::min(ui.px(230), std::max(ui.px(140), width * 0.4f));
  return std::clamp(width * 0.36f, least, ui.px(580));
}

void follow_chat(Ui& ui) {
  ChatState& state = ui.state.chat;
  if (!can_chat(ui)) {
    state = {};
    return;
  }
  const ModelChat& chat = edited_model(ui)->text.chat;
  state.on = chat.on;
  const ModelSource& source = *edited_model(ui)->source;
  if (std::exchange(state.known_template, source.chat_template) != source.chat_template)
    state.takes_system = takes_system_turn(source);
  const bool changed = std::exchange(state.seen, chat.turns) != chat.turns;
  if (changed && state.turns != chat.turns) {
    state.turns = chat.turns;
    ++state.visit;  // undo and redo end a step of typing
  }
  if (!chat.on) state.turns = chat.turns;
  if (chat.on || state.asked_for != ui.edited().sentence) state.asked_for.reset();
  const bool refused = chat.on ? state.turns != chat.turns : state.asked_for.has_value();
  if (!refused)
    state.refusal.clear();
  else if (state.refusal.empty())
    state.refusal = ui.workspace.message();
  if (!chat.on) state.active.reset();
}

void chat_turns(Ui& ui, const Rect& rect) {
  Rect rest = rect;
  const Rect row = rest.cut_bottom(ui.px(kFooter));
  rest.cut_bottom(ui.px(kFooterGap - kTurnGap));
  turn_list(ui, rest);
  footer(ui, row);
}

void chat_refusal(Ui& ui, Rect& rect) {
  const std::string& refusal = ui.state.chat.refusal;
  if (refusal.empty()) return;
  const Rect row = rect.cut_top(ui.px(kRefusal));
  draw_text(ui, ui.fonts.text, row, printable(refusal), ui.theme.danger);
  pointer_area(ui, "chat/refusal", row);
  tooltip(ui, refusal);
}

}  // namespace lab::view
