#include <algorithm>

#include "app/translation/words.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kHistoryList = "history";
constexpr float kHistoryWidth = 620, kHistoryLine = 26, kNoteGap = 12;
constexpr float kAroundWords = 40;             // beside them, with a scroll bar
constexpr std::size_t kMostHistoryLines = 16;  // a longer list scrolls

// The width that the window leaves for the list of a popup that begins at its button, or ends there
// where the window ends soon (see begin_popup).
float room_for_list(const Ui& ui, const Rect& anchor) {
  constexpr float kAroundList = 40;
  const float window = ImGui::GetIO().DisplaySize.x;
  const bool begins_there = anchor.x + ui.px(260) < window;
  return (begins_there ? window - anchor.x : anchor.right()) - ui.px(kAroundList);
}

// As wide as the longest line, where the window is.
float list_width(const Ui& ui, const Rect& anchor) {
  const History& history = ui.workspace.history();
  const auto entries = history.entries();
  float width = ui.px(kHistoryWidth);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string note = history.entry_note(i);
    const float words = entries[i].label ? text_width(ui, ui.fonts.text, entries[i].label()) : 0;
    const float noted = note.empty() ? 0 : text_width(ui, ui.fonts.small, note) + ui.px(kNoteGap);
    width = std::max(width, words + noted + ui.px(kAroundWords));
  }
  return std::min(width, room_for_list(ui, anchor));
}

std::size_t index_of(const std::vector<HistoryEntry>& entries, std::size_t state) {
  const auto found = std::ranges::find(entries, state, &HistoryEntry::state);
  return static_cast<std::size_t>(found - entries.begin());
}

// The arrows move through the states and show each one; Enter stays there.
void handle_arrows(Ui& ui) {
  const History& history = ui.workspace.history();
  const auto entries = history.entries();
  if (compat::key_pressed(Key::kUp) && history.can_undo()) ui.queue(intent::Undo{});
  if (compat::key_pressed(Key::kDown) && history.can_redo()) ui.queue(intent::Redo{});
  if (compat::key_pressed(Key::kHome, false)) ui.queue(intent::JumpTo{entries.front().state});
  if (compat::key_pressed(Key::kEnd, false)) ui.queue(intent::JumpTo{entries.back().state});
  if (compat::key_pressed(Key::kEnter, false)) ImGui::CloseCurrentPopup();
}

// The name of a step and its note, which gets up to half of the line beside a long name.
void state_words(Ui& ui, Rect line, const std::string& text, std::size_t number, figure::Rgb colour,
                 figure::Rgb note_colour) {
  const std::string note = ui.workspace.history().entry_note(number);
  const float width = text_width(ui, ui.fonts.text, text), gap = ui.px(kNoteGap);
  const float noted = note.empty() ? 0 : text_width(ui, ui.fonts.small, note) + gap;
  const Rect words = line.cut_left(std::min(width, std::max(line.w - noted, line.w / 2)));
  draw_text(ui, ui.fonts.text, words, text, colour);
  if (!note.empty()) {
    line.cut_left(gap);
    draw_text(ui, ui.fonts.small, line, note, note_colour);
    ui.name("history/" + std::to_string(number) + "/note", line);
  }
  const bool cut = width > words.w || noted > line.w + gap;
  if (cut) tooltip(ui, note.empty() ? text : text + "\n" + note);
}

std::string state_name(const Ui& ui, const HistoryEntry& entry) {
  if (entry.label) return entry.label();
  return ui.workspace.history().has_discarded() ? tr("Older steps were discarded") : tr("Start");
}

void state_line(Ui& ui, const HistoryEntry& entry, std::size_t number, std::size_t now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect bounds{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(kHistoryLine)};
  if (click_area(ui, "history/" + std::to_string(number), bounds))
    ui.queue(intent::JumpTo{entry.state});
  const bool present = number == now;
  if (present) fill_rect(ui, bounds, ui.theme.accent, ui.px(5));
  if (!present && ImGui::IsItemHovered()) fill_rect(ui, bounds, ui.theme.button_hover, ui.px(5));
  const figure::Rgb later = number > now ? ui.theme.dim : ui.theme.text;
  if (!ImGui::IsRectVisible(bounds.min(), bounds.max())) {
    return ImGui::SetCursorScreenPos({at.x, at.y + bounds.h});
  }
  const std::string text = state_name(ui, entry);
  if (!entry.label && ui.workspace.history().has_discarded()) ui.name("history/discarded", bounds);
  state_words(ui, {bounds.x + ui.px(10), bounds.y, bounds.w - ui.px(20), bounds.h}, text, number,
              present ? ui.theme.on_accent : later, present ? ui.theme.on_accent : ui.theme.dim);
  ImGui::SetCursorScreenPos({at.x, at.y + bounds.h});
}

void state_lines(Ui& ui, float width) {
  const auto entries = ui.workspace.history().entries();
  const std::size_t now = index_of(entries, ui.workspace.history().state_id());
  const float line = ui.px(kHistoryLine);
  const auto shown = static_cast<float>(std::min(entries.size(), kMostHistoryLines));
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  compat::begin_child("states", {width, line * shown + spacing}, false);
  const float top = static_cast<float>(now) * line;
  const bool appears = ImGui::IsWindowAppearing();
  if (appears || top < ImGui::GetScrollY() || top + line > ImGui::GetScrollY() + line * shown)
    ImGui::SetScrollY(std::max(0.0f, top - line * (shown - 1) / 2));
  for (std::size_t i = 0; i < entries.size(); ++i) state_line(ui, entries[i], i, now);
  ImGui::Dummy({1, 0});
  ImGui::EndChild();
}

}  // namespace

void history_list(Ui& ui, const Rect& anchor) {
  open_requested_popup(ui, kHistoryList);
  if (!begin_popup(ui, kHistoryList, anchor, true)) return;
  const float width = list_width(ui, anchor);
  draw_text(ui, ui.fonts.bold,
            {ImGui::GetCursorScreenPos().x + ui.px(10), ImGui::GetCursorScreenPos().y, width,
             ui.px(kHistoryLine)},
            tr("History"), ui.theme.text);
  ImGui::Dummy({width, ui.px(kHistoryLine)});
  handle_arrows(ui);
  state_lines(ui, width);
  end_popup();
}

}  // namespace lab::view
