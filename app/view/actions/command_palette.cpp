#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "app/base/wording.h"
#include "app/explain/stage_text.h"
#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/session/file_actions.h"
#include "app/view/state/layout.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/search.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kPaletteWidth = 560, kPaletteRow = 30, kPaletteAround = 190, kGroupWidth = 78;
constexpr std::size_t kMostRows = 12;

// Something that can be found by its name.
struct Entry {
  std::string id;     // stable name of its row
  std::string group;  // shown before the name: "View"
  std::string name;   // searched first
  std::string words;  // also searched
  std::string keys;
  bool enabled = true;
  std::function<void(Ui&)> run;
  Match match = {};
};

// The synonyms of a name in the user's language and in English, and its English name, which the
// user may have read somewhere.
std::string in_both(std::string_view name, std::string_view words) {
  std::string both(words);
  if (language() == Language::kEnglish) return both;
  return tr(words).append(" ").append(name).append(" ").append(both);
}

void add_actions(const Ui& ui, std::vector<Entry>& entries) {
  for (const Action& action : all_actions()) {
    if (action.id == "help.commands") continue;
    entries.push_back({"command/" + std::string(action.id), tr(action.menu), tr(action.name),
                       in_both(action.name, action.words), chord_text(action.chord),
                       is_enabled(ui, action), [&action](Ui& in) { action.execute(in); }});
  }
}

void add_heads(const Ui& ui, std::vector<Entry>& entries) {
  for (int head = 0; head < ui.problem().config.n_heads; ++head) {
    const std::string number = std::to_string(head + 1);
    entries.push_back({"command/head/" + number, tr("Heads"), tr("Focus head {}", {number}),
                       in_both("Focus head", tr_later("show select go to")),
                       head < 9 ? number : std::string(), ui.state.head != head,
                       [head](Ui& target) { target.state.head = head; }});
  }
}

void add_stages(const Ui& ui, std::vector<Entry>& entries) {
  for (const attention::Stage stage : shown_stages(ui.problem())) {
    entries.push_back(
        {"command/stage/" + std::string(stage_name(stage)), tr("Explain"),
         tr("Explain {}", {explain::stage_title(stage)}),
         in_both("Explain", tr_later("show go to stage")).append(" ").append(stage_name(stage)), "",
         ui.state.selection.stage != stage, [stage](Ui& target) { target.select_stage(stage); }});
  }
}

struct Editable {
  MatrixId id;
  const char* words;
};
constexpr std::array kEditable{
    Editable{MatrixId::kX, tr_later("embeddings tokens vectors input matrix")},
    Editable{MatrixId::kXKv, tr_later("embeddings keys values second sentence matrix")},
    Editable{MatrixId::kWQ, tr_later("wq query weights projection matrix")},
    Editable{MatrixId::kWK, tr_later("wk key weights projection matrix")},
    Editable{MatrixId::kWV, tr_later("wv value weights projection matrix")},
    Editable{MatrixId::kWO, tr_later("wo output weights projection matrix")},
    Editable{MatrixId::kBQ, tr_later("query bias")},
    Editable{MatrixId::kBK, tr_later("key bias")},
    Editable{MatrixId::kBV, tr_later("value bias")},
    Editable{MatrixId::kBO, tr_later("output bias")},
    Editable{MatrixId::kPositionTable, tr_later("learned positions table")},
    Editable{MatrixId::kGamma, tr_later("layer norm factors")},
    Editable{MatrixId::kBeta, tr_later("layer norm offsets")},
    Editable{MatrixId::kNormQ, tr_later("norm of queries factors rms")},
    Editable{MatrixId::kNormK, tr_later("norm of keys factors rms")},
    Editable{MatrixId::kSink, tr_later("attention sink score without key")},
};

void add_matrices(const Ui& ui, std::vector<Entry>& entries) {
  for (const auto& [id, words] : kEditable) {
    if (!is_editable(ui.edited().problem, id)) continue;
    const std::string name(matrix_name(id));
    entries.push_back({"command/matrix/" + name, tr("Edit"), tr("Edit {}", {name_in_words(name)}),
                       in_both("Edit", words), "", true,
                       [id = id](Ui& target) { show_matrix(target, id); }});
  }
}

void add_examples(std::vector<Entry>& entries) {
  for (const files::ExampleInfo& example : files::examples()) {
    entries.push_back(
        {"command/example/" + example.name, tr("Example"), tr("Open {}", {example.title}),
         in_both("Open", tr_later("example demo sample load")) + " " + example.name, "", true,
         [name = example.name](Ui& target) { leave_document(target, destination::Source{name}); }});
  }
}

// The entries that match what was typed, the best first; among equals, those that can be run now.
std::vector<Entry> found_entries(const Ui& ui) {
  std::vector<Entry> entries;
  add_actions(ui, entries);
  add_heads(ui, entries);
  add_stages(ui, entries);
  add_matrices(ui, entries);
  add_examples(entries);
  std::erase_if(entries, [&ui](Entry& entry) {
    auto found = match(ui.state.dialog.search, entry.name, entry.group + " " + entry.words);
    if (found) entry.match = std::move(*found);
    return !found;
  });
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return std::pair(a.match.score, a.enabled) > std::pair(b.match.score, b.enabled);
  });
  return entries;
}

// Draws the name of the entry, with the matched parts in bold.
void draw_name(Ui& ui, Rect row, const Entry& entry, figure::Rgb ink) {
  const std::string_view name = entry.name;
  const auto draw = [&](const ImFont* font, std::size_t start, std::size_t end) {
    if (start >= end || row.w <= 0) return;
    const std::string_view text = name.substr(start, end - start);
    draw_text(ui, font, row, text, ink);
    row.cut_left(text_width(ui, font, text));
  };
  std::size_t at = 0;
  for (const TextPart& part : entry.match.parts) {
    draw(ui.fonts.text, at, part.start);
    at = part.start + part.length;
    draw(ui.fonts.bold, part.start, at);
  }
  draw(ui.fonts.text, at, name.size());
}

void search_field(Ui& ui, float width) {
  std::string& text = ui.state.dialog.search;
  const std::string before = text;
  ImGui::SetNextItemWidth(width);
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kDialog}))
    ui.state.early_text.give_keyboard();
  ImGui::InputTextWithHint("##search", tr("What do you want to do?").c_str(), &text);
  ui.name_item("command/search");
  if (text != before) ui.state.dialog.choice = 0;
}

// Arrows move through the list and wrap around.
void handle_arrows(Ui& ui, std::size_t count) {
  int& choice = ui.state.dialog.choice;
  const int last = static_cast<int>(count) - 1;
  if (compat::key_pressed(Key::kDown)) choice = choice >= last ? 0 : choice + 1;
  if (compat::key_pressed(Key::kUp)) choice = choice <= 0 ? last : choice - 1;
  choice = std::clamp(choice, 0, std::max(last, 0));
}

bool entry_row(Ui& ui, const Entry& entry, float width, bool chosen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect row{at.x, at.y, width, ui.px(kPaletteRow)};
  const bool clicked = click_area(ui, entry.id, row);
  if (chosen) fill_rect(ui, row, ui.theme.accent, ui.px(6));
  if (!chosen && ImGui::IsItemHovered()) fill_rect(ui, row, ui.theme.button, ui.px(6));
  const figure::Rgb ink = chosen          ? ui.theme.on_accent
                          : entry.enabled ? ui.theme.text
                                          : ui.theme.dim;
  Rect text{row.x + ui.px(10), row.y, row.w - ui.px(20), row.h};
  if (!entry.keys.empty()) {
    const Rect keys = text.cut_right(text_width(ui, ui.fonts.mono_small, entry.keys) + ui.px(4));
    draw_text(ui, ui.fonts.mono_small, keys, entry.keys, chosen ? ink : ui.theme.dim,
              TextAlign::kRight);
  }
  const Rect group = text.cut_left(ui.px(kGroupWidth));
  draw_text(ui, ui.fonts.small, group, entry.group, chosen ? ink : ui.theme.dim);
  draw_name(ui, text, entry, ink);
  if (chosen && ImGui::GetScrollMaxY() > 0 && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  ImGui::SetCursorScreenPos({at.x, row.bottom()});
  return clicked;
}

// The row that was clicked; nothing when none was.
const Entry* entry_list(Ui& ui, const std::vector<Entry>& entries, float width) {
  const float room = ImGui::GetIO().DisplaySize.y - ui.px(kPaletteAround);
  const auto rows = static_cast<float>(std::clamp<std::size_t>(entries.size(), 1, kMostRows));
  const Entry* clicked = nullptr;
  compat::begin_child("found", {width, std::min(rows * ui.px(kPaletteRow), room)}, false);
  if (entries.empty()) ImGui::TextUnformatted(tr("Nothing has that name.").c_str());
  const float bar =
      static_cast<float>(entries.size()) * ui.px(kPaletteRow) > ImGui::GetWindowHeight()
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
  const float width = std::min(ui.px(kPaletteWidth), ImGui::GetIO().DisplaySize.x - ui.px(60));
  search_field(ui, width);
  const std::vector<Entry> entries = found_entries(ui);
  handle_arrows(ui, entries.size());
  const Entry* chosen = entry_list(ui, entries, width);
  if (compat::enter_pressed() && !entries.empty()) {
    chosen = &entries[static_cast<std::size_t>(ui.state.dialog.choice)];
  }
  if (chosen == nullptr || !chosen->enabled) return;
  ui.state.dialog.open = Dialog::kNone;
  const bool for_cells = chosen->group == tr("Edit");
  if (!for_cells && commit_pending(ui)) ui.state.edit.focused = false;
  chosen->run(ui);
}

}  // namespace lab::view
