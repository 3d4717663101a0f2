#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "app/figure/stage_text.h"
#include "app/files/open.h"
#include "app/view/actions.h"
#include "app/view/file_actions.h"
#include "app/view/imgui_compat.h"
#include "app/view/layout.h"
#include "app/view/panels/panels.h"
#include "app/view/search.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kWidth = 560, kRowHeight = 30, kAround = 190;
constexpr std::size_t kMostRows = 12;

// Something that can be asked for by its name.
struct Entry {
  std::string id;    // stable name of its row
  std::string name;  // what is searched and shown
  std::string keys;
  bool enabled = true;
  std::function<void(Ui&)> run;
  int score = 0;
};

void add_actions(const Ui& ui, std::vector<Entry>& entries) {
  for (const Action& action : all_actions()) {
    if (action.id == "help.commands") continue;
    const std::string name = std::string(action.menu) + ": " + std::string(action.name);
    entries.push_back({"command/" + std::string(action.id), name, chord_text(action.chord),
                       is_enabled(ui, action), action.run});
  }
}

void add_heads(const Ui& ui, std::vector<Entry>& entries) {
  for (int head = 0; head < ui.problem().config.n_heads; ++head) {
    const std::string number = std::to_string(head + 1);
    entries.push_back({"command/head/" + number, "Focus head " + number,
                       head < 9 ? number : std::string(), ui.state.head != head,
                       [head](Ui& target) { target.state.head = head; }});
  }
}

void add_stages(const Ui& ui, std::vector<Entry>& entries) {
  for (const attention::Stage stage : shown_stages(ui.problem())) {
    entries.push_back({"command/stage/" + std::string(stage_name(stage)),
                       "Explain " + std::string(stage_title(stage)), "",
                       ui.state.selection.stage != stage,
                       [stage](Ui& target) { target.select_stage(stage); }});
  }
}

void add_examples(std::vector<Entry>& entries) {
  for (const ExampleInfo& example : examples()) {
    entries.push_back({"command/example/" + example.name, "Open example: " + example.title, "",
                       true, [name = example.name](Ui& target) { leave_document(target, name); }});
  }
}

// What was typed finds these, the best first, those that can be run now before the others.
std::vector<Entry> found_entries(const Ui& ui) {
  std::vector<Entry> entries;
  add_actions(ui, entries);
  add_heads(ui, entries);
  add_stages(ui, entries);
  add_examples(entries);
  std::erase_if(entries, [&ui](Entry& entry) {
    const auto score = match_score(ui.state.dialog.search, entry.name);
    entry.score = score.value_or(0);
    return !score;
  });
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return std::pair(a.enabled, a.score) > std::pair(b.enabled, b.score);
  });
  return entries;
}

void search_field(Ui& ui, float width) {
  std::string& text = ui.state.dialog.search;
  const std::string before = text;
  ImGui::SetNextItemWidth(width);
  if (std::exchange(ui.state.dialog.just_opened, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextWithHint("##search", "What do you want to do?", &text);
  ui.name_item("command/search");
  if (text != before) ui.state.dialog.choice = 0;
}

// Arrows walk through the list, round its ends.
void take_arrows(Ui& ui, std::size_t count) {
  int& choice = ui.state.dialog.choice;
  const int last = static_cast<int>(count) - 1;
  if (compat::key_pressed(Key::kDown)) choice = choice >= last ? 0 : choice + 1;
  if (compat::key_pressed(Key::kUp)) choice = choice <= 0 ? last : choice - 1;
  choice = std::clamp(choice, 0, std::max(last, 0));
}

bool entry_row(Ui& ui, const Entry& entry, float width, bool chosen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect row{at.x, at.y, width, ui.px(kRowHeight)};
  const bool clicked = click_area(ui, entry.id, row);
  if (chosen) fill_rect(ui, row, ui.theme.accent, ui.px(6));
  if (!chosen && ImGui::IsItemHovered()) fill_rect(ui, row, ui.theme.button, ui.px(6));
  const Rgb ink = chosen ? ui.theme.on_accent : entry.enabled ? ui.theme.text : ui.theme.dim;
  Rect text{row.x + ui.px(10), row.y, row.w - ui.px(20), row.h};
  if (!entry.keys.empty()) {
    const Rect keys = text.cut_right(text_width(ui, ui.fonts.mono_small, entry.keys) + ui.px(4));
    draw_text(ui, ui.fonts.mono_small, keys, entry.keys, chosen ? ink : ui.theme.dim,
              TextAlign::kRight);
  }
  draw_text(ui, ui.fonts.text, text, entry.name, ink);
  if (chosen && ImGui::GetScrollMaxY() > 0 && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  ImGui::SetCursorScreenPos({at.x, row.bottom()});
  return clicked;
}

// The row that was clicked; nothing when none was.
const Entry* entry_list(Ui& ui, const std::vector<Entry>& entries, float width) {
  const float room = ImGui::GetIO().DisplaySize.y - ui.px(kAround);
  const auto rows = static_cast<float>(std::clamp<std::size_t>(entries.size(), 1, kMostRows));
  const Entry* clicked = nullptr;
  compat::begin_child("found", {width, std::min(rows * ui.px(kRowHeight), room)}, false);
  if (entries.empty()) ImGui::TextUnformatted("Nothing is called that.");
  const float bar =
      static_cast<float>(entries.size()) * ui.px(kRowHeight) > ImGui::GetWindowHeight()
          ? ImGui::GetStyle().ScrollbarSize + 2
          : 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool chosen = static_cast<int>(i) == ui.state.dialog.choice;
    if (entry_row(ui, entries[i], width - bar, chosen)) clicked = &entries[i];
  }
  ImGui::EndChild();
  return clicked;
}

}  // namespace

void command_palette(Ui& ui) {
  const float width = std::min(ui.px(kWidth), ImGui::GetIO().DisplaySize.x - ui.px(60));
  search_field(ui, width);
  const std::vector<Entry> entries = found_entries(ui);
  take_arrows(ui, entries.size());
  const Entry* wanted = entry_list(ui, entries, width);
  if (compat::enter_pressed() && !entries.empty()) {
    wanted = &entries[static_cast<std::size_t>(ui.state.dialog.choice)];
  }
  if (wanted == nullptr || !wanted->enabled) return;
  ui.state.dialog.open = Dialog::kNone;
  wanted->run(ui);
}

}  // namespace lab
