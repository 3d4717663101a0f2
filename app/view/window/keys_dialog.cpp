#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/toolkit/search.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr float kHighest = 560, kAround = 220, kKeysWidth = 168;

// A group of keys, as in the guide.
enum class KeyGroup { kEditing, kReading, kHeads, kPresenting, kFiles, kWindow, kNoMouse };

constexpr std::array kGroups = std::to_array<std::pair<KeyGroup, const char*>>({
    {KeyGroup::kEditing, tr_later("Editing")},
    {KeyGroup::kReading, tr_later("Reading")},
    {KeyGroup::kHeads, tr_later("Heads and comparing")},
    {KeyGroup::kPresenting, tr_later("Presenting and lessons")},
    {KeyGroup::kFiles, tr_later("Files and commands")},
    {KeyGroup::kWindow, tr_later("The window")},
    {KeyGroup::kNoMouse, tr_later("Without a mouse")},
});

// The group of an action by the beginning of its id; the first that fits counts.
constexpr std::array kActionGroups = std::to_array<std::pair<std::string_view, KeyGroup>>({
    {"edit.", KeyGroup::kEditing},
    {"view.zoom", KeyGroup::kReading},
    {"view.previous", KeyGroup::kReading},
    {"view.next", KeyGroup::kReading},
    {"view.larger", KeyGroup::kWindow},
    {"view.large", KeyGroup::kReading},
    {"explain.", KeyGroup::kReading},
    {"cell.", KeyGroup::kReading},
    {"block.", KeyGroup::kReading},
    {"find.", KeyGroup::kReading},
    {"heads.", KeyGroup::kHeads},
    {"compare.", KeyGroup::kHeads},
    {"view.present", KeyGroup::kPresenting},
    {"view.play", KeyGroup::kPresenting},
    {"lesson.", KeyGroup::kPresenting},
    {"file.", KeyGroup::kFiles},
    {"help.", KeyGroup::kFiles},
    {"part.", KeyGroup::kNoMouse},
});

KeyGroup group_of(std::string_view id) {
  const auto starts = [id](const auto& known) { return id.starts_with(known.first); };
  const auto found = std::ranges::find_if(kActionGroups, starts);
  return found == kActionGroups.end() ? KeyGroup::kWindow : found->second;
}

// Keys and pointer gestures besides the shortcuts of actions.
struct MoreKeys {
  KeyGroup group;
  const char* keys;
  const char* meaning;
};
constexpr std::array kMoreKeys{
    MoreKeys{KeyGroup::kEditing, tr_later("Drag a cell in Edit"),
             tr_later("Change it; Shift fine, Ctrl coarse, Esc cancels")},
    MoreKeys{KeyGroup::kEditing, tr_later("Number, Enter, Tab"),
             tr_later("In Edit: replace the cell and go on; arrows move, Delete is 0")},
    MoreKeys{
        KeyGroup::kEditing, tr_later("Enter, F2, double click"),
        tr_later("Edit the cell; on a computed one, override it. Delete removes the override")},
    MoreKeys{KeyGroup::kEditing, tr_later("Shift+click, Shift+arrows"),
             tr_later("Select a block in Edit; its labels select rows, columns")},
    MoreKeys{KeyGroup::kEditing, tr_later("Ctrl+Enter"),
             tr_later("Put the typed number into the whole block")},
    MoreKeys{KeyGroup::kEditing, tr_later("Drag or Space in the mask"),
             tr_later("Forbid and allow pairs")},
    MoreKeys{KeyGroup::kEditing, tr_later("Esc in a sentence"),
             tr_later("Leave the box and keep the text; undo takes it back")},
    MoreKeys{KeyGroup::kReading, tr_later("Click a cell"),
             tr_later("Explain it, and mark its query and key everywhere")},
    MoreKeys{KeyGroup::kReading, tr_later("Ctrl+click a cell"),
             tr_later("Pin it, so that it stays listed under Explain")},
    MoreKeys{KeyGroup::kEditing, tr_later("Alt + drag on a map"),
             tr_later("Give a computed cell another value by the smallest change")},
    MoreKeys{KeyGroup::kReading, tr_later("Wheel, drag on a map"),
             tr_later("Zoom around the pointer, move a zoomed map")},
    MoreKeys{KeyGroup::kReading, tr_later("Click a colour bar"),
             tr_later("Choose the range and the spread of its colours")},
    MoreKeys{KeyGroup::kReading, tr_later("Shift+drag on a map"),
             tr_later("Summarise a block of cells")},
    MoreKeys{KeyGroup::kHeads, tr_later("1 … 9"), tr_later("Focus a head")},
    MoreKeys{KeyGroup::kHeads, tr_later("Ctrl + click on a head"),
             tr_later("Compare it with the focused one")},
    MoreKeys{KeyGroup::kHeads, tr_later("Shift + click on a head"),
             tr_later("Select it besides, for M, S, K and G")},
    MoreKeys{KeyGroup::kHeads, tr_later("F3, held"), tr_later("While comparing: show A")},
    MoreKeys{KeyGroup::kPresenting, tr_later("While presenting"),
             tr_later("Arrows, Space step; P plays; digits choose a head; C changes the contrast")},
    MoreKeys{
        KeyGroup::kPresenting, tr_later("In a lesson there"),
        tr_later("Page Up, Page Down, Space change the step; ↑ ↓ scroll; A shows the answers")},
    MoreKeys{KeyGroup::kPresenting, tr_later("Tab in an answer"),
             tr_later("Go to Check, to Hint, and into the next question")},
    MoreKeys{KeyGroup::kNoMouse, tr_later("Tab, arrows, Home, End"),
             tr_later("Move a ring from widget to widget; Enter presses, Esc ends")},
    MoreKeys{KeyGroup::kNoMouse, tr_later("Enter in the ring"),
             tr_later("On cells and fields: go inside, Esc goes back out")},
    MoreKeys{KeyGroup::kNoMouse, tr_later("Alt, then arrows"), tr_later("The menus, like F10")},
};

// A line of the list.
struct KeyLine {
  std::string id;  // of the widget
  std::string keys, meaning;
  std::string words;  // also searched
};

std::vector<KeyLine> lines_of(KeyGroup group) {
  std::vector<KeyLine> lines;
  for (const Action& action : all_actions()) {
    std::string keys = chord_text(action.chord);
    if (keys.empty() || group_of(action.id) != group) continue;
    lines.push_back({std::string(action.id), std::move(keys), tr(action.name),
                     tr(action.words).append(" ").append(action.name)});
  }
  for (const MoreKeys& more : kMoreKeys)
    if (more.group == group)
      lines.push_back({more.keys, tr(more.keys), tr(more.meaning), more.keys});
  return lines;
}

// The lines of the group that contain every word of the search, or all if its name does.
std::vector<KeyLine> found_lines(const Ui& ui, KeyGroup group, const std::string& name) {
  const std::string& typed = ui.state.dialog.search;
  std::vector<KeyLine> lines = lines_of(group);
  std::erase_if(lines, [&](const KeyLine& line) {
    return !match(typed, {}, name + " " + line.keys + " " + line.meaning + " " + line.words);
  });
  return lines;
}

void heading_row(Ui& ui, const std::string& name, bool first) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (!first) ImGui::Dummy({0, ui.px(6)});
  compat::push_font(ui.fonts.bold);
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopFont();
}

void key_row(Ui& ui, const KeyLine& line) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", line.keys.c_str());
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", line.meaning.c_str());
  ui.name_item("key/" + line.id);
}

// Returns the number of lines found.
std::size_t group_rows(Ui& ui) {
  std::size_t count = 0;
  for (const auto& [group, label] : kGroups) {
    const std::string name = tr(label);
    const std::vector<KeyLine> lines = found_lines(ui, group, name);
    if (lines.empty()) continue;
    heading_row(ui, name, count == 0);
    for (const KeyLine& line : lines) key_row(ui, line);
    count += lines.size();
  }
  return count;
}

// Of the same height whatever is found, so that nothing moves while one types.
void key_list(Ui& ui, float width) {
  const float room = ImGui::GetIO().DisplaySize.y - ui.px(kAround);
  const ImVec2 size{width, std::clamp(room, ui.px(60), ui.px(kHighest))};
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollY, size))
    return;
  const float keys = std::min(ui.px(kKeysWidth), width * 0.4f);
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, keys);
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  if (group_rows(ui) == 0) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", tr("No key is found.").c_str());
  }
  compat::scroll_by_keys(ImGui::GetTextLineHeightWithSpacing());
  ImGui::EndTable();
}

void keys_search(Ui& ui, float width) {
  ImGui::SetNextItemWidth(width);
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kDialog}))
    ui.state.early_text.give_keyboard();
  ImGui::InputTextWithHint("##keys", tr("Search the keys").c_str(), &ui.state.dialog.search);
  ui.name_item("keys/search");
}

}  // namespace

void keys_dialog(Ui& ui) {
  const float width = dialog_field_width(ui);
  keys_search(ui, width);
  ImGui::Spacing();
  key_list(ui, width);
  ImGui::Spacing();
  const std::array labels{tr("Close"), tr("Guide")};
  constexpr std::array kNames{"dialog/ok", "dialog/guide"};
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen == 0) close_dialog(ui);
  if (chosen == 1) open_guide(ui);
}

}  // namespace lab::view
