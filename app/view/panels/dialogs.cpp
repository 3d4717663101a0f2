#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/files/paths.h"
#include "app/view/actions.h"
#include "app/view/ask_file.h"
#include "app/view/file_actions.h"
#include "app/view/imgui_compat.h"
#include "app/view/imgui_focus.h"
#include "app/view/import_actions.h"
#include "app/view/lesson_actions.h"
#include "app/view/panels/dialog_parts.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

void close_row(Ui& ui) {
  if (dialog_button(ui, "Close", "dialog/ok", true) || compat::enter_pressed()) close_dialog(ui);
}

// A file, or what may be the name of an example.
std::string chosen_source(Ui& ui) {
  std::string path = chosen_path(ui);
  std::error_code none;
  return path.empty() || std::filesystem::exists(path, none) ? path : ui.state.dialog.path;
}

void accept_open(Ui& ui) {
  const std::string source = chosen_source(ui);
  if (source.empty()) return;
  if (import_source(ui, source)) {
    if (ui.state.dialog.open == Dialog::kOpen) settle_dialog(ui);
    return;
  }
  leave_document(ui, destination::Source{source});
  if (ui.state.dialog.open == Dialog::kOpen) settle_dialog(ui);
}

void open_file(Ui& ui) {
  ImGui::TextUnformatted(
      "A session (.json), a picture that carries one (.png, .pdf), a problem\n"
      "or a layer of PyTorch (.safetensors, .npz), or the name of an example.\n"
      "A matrix (.npy, .csv) goes into Edit, vectors (.txt) to their words.");
  path_field(ui);
  if (finish_row(ui, "Open")) accept_open(ui);
}

// What is done once the session is saved.
Job::Finish leaving(const Ui& ui, bool leaves) {
  if (!leaves) return {};
  return [next = ui.state.dialog.then_go](Ui& after) { after.state.leaving = next; };
}

void accept_save_as(Ui& ui) {
  const bool leaves = ui.state.dialog.then_leave;  // and a problem would not keep all
  const std::string path = writable_path(ui, leaves ? check_session_path : check_document_path);
  if (path.empty()) return;
  if (is_problem_ending(ending_of(path))) {
    save_problem(ui, path);
  } else {
    save_session(ui, path, leaving(ui, leaves));
  }
  settle_dialog(ui);
}

void save_as(Ui& ui) {
  ImGui::TextUnformatted("Save the session (.json), or its tensors (.safetensors, .npz):");
  path_field(ui);
  if (finish_row(ui, save_label(ui))) accept_save_as(ui);
}

Expected<void> check_answers_path(const std::string& path) {
  if (ending_of(path) == ".csv") return {};
  return fail(ErrorKind::kUsage, "Answers are saved as .csv.");
}

void accept_save_answers(Ui& ui) {
  const std::string path = writable_path(ui, check_answers_path);
  if (path.empty()) return;
  save_answers(ui, path);
  settle_dialog(ui);
}

void save_answers_dialog(Ui& ui) {
  ImGui::TextUnformatted(
      "Save your answers as a table (.csv): when, which step, what,\nright or wrong. Nothing is "
      "sent anywhere.");
  path_field(ui);
  if (finish_row(ui, save_label(ui))) accept_save_answers(ui);
}

void unsaved(Ui& ui) {
  constexpr std::array kLabels{"Save", "Discard", "Cancel"};
  constexpr std::array kNames{"dialog/save", "dialog/discard", "dialog/cancel"};
  ImGui::TextUnformatted("The session has changes that are not saved.");
  ImGui::Spacing();
  const int chosen = answer_row(ui, kLabels, kNames);
  const bool save = chosen == 0, discard = chosen == 1;
  if (chosen == 2) close_dialog(ui);
  const std::string path = session_path(ui);
  if (save && path.empty()) {
    ask_session_path(ui);
    ui.state.dialog.then_leave = true;
    return;
  }
  if (!discard && !save) return;
  close_dialog(ui);
  if (discard) return leave_now(ui, ui.state.dialog.then_go);
  save_session(ui, path, leaving(ui, true));
}

void revert_question(Ui& ui) {
  constexpr std::array kLabels{"Revert", "Cancel"};
  constexpr std::array kNames{"dialog/ok", "dialog/cancel"};
  ImGui::TextUnformatted(
      "Go back to what the file holds?\nWhat was changed since it was saved is lost.");
  ImGui::Spacing();
  const int chosen = answer_row(ui, kLabels, kNames);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) revert_now(ui);
}

// While the desktop's dialog is open. It may have failed to show itself, so it is not waited for
// without a way out.
void wait_for_desktop(Ui& ui) {
  constexpr std::array kLabels{"Type a path", "Cancel"};
  constexpr std::array kNames{"dialog/type", "dialog/cancel"};
  ImGui::TextUnformatted("Choose the file in the dialog of your desktop.");
  ImGui::Spacing();
  const int chosen = answer_row(ui, kLabels, kNames);
  if (chosen == 0) {
    ui.state.dialog.asking = false;
    ui.state.dialog.just_opened = true;
  }
  if (chosen == 1) close_dialog(ui);
}

void key_row(const char* keys, const char* meaning) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(keys);
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", meaning);
}

// Scrolls the list that is being drawn by keys.
void scroll_by_keys() {
  const float line = ImGui::GetTextLineHeightWithSpacing(), page = ImGui::GetWindowHeight() - line;
  float by = 0;
  if (compat::key_pressed(Key::kUp)) by = -line;
  if (compat::key_pressed(Key::kDown)) by = line;
  if (compat::key_pressed(Key::kPageUp)) by = -page;
  if (compat::key_pressed(Key::kPageDown)) by = page;
  if (by != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
}

// The list scrolls where the window is too low for it, so that the button below stays in reach.
void shortcuts(Ui& ui) {
  constexpr float kAround = 150;
  const auto has_key = [](const Action& action) { return action.chord.key != Key::kNone; };
  const auto rows = static_cast<float>(std::ranges::count_if(all_actions(), has_key) + 18);
  const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  const float room = ImGui::GetIO().DisplaySize.y - ui.px(kAround);
  const bool scrolls = rows * line > room;
  const ImGuiTableFlags flags =
      ImGuiTableFlags_SizingFixedFit | (scrolls ? ImGuiTableFlags_ScrollY : 0);
  if (ImGui::BeginTable("keys", 2, flags, {dialog_field_width(ui), scrolls ? room : 0})) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
    for (const Action& action : all_actions()) {
      const std::string keys = chord_text(action.chord);
      if (!keys.empty()) key_row(keys.c_str(), std::string(action.name).c_str());
    }
    if (scrolls) scroll_by_keys();
    key_row("Tab, arrows, Home, End", "Lead a ring from widget to widget; Enter presses, Esc ends");
    key_row("Enter in the ring", "On cells and fields: go inside, Esc leads out");
    key_row("Alt, then arrows", "The menus, as F10 does");
    key_row("1 … 9", "Focus a head");
    key_row("F3, held", "While comparing: show A");
    key_row("Ctrl + click on a head", "Set it against the focused one");
    key_row("Click a cell", "Explain it, and mark its query and key everywhere");
    key_row("Ctrl+click a cell", "Pin it, so that it stays listed under Explain");
    key_row("Wheel, drag on a map", "Zoom around the pointer, move what is zoomed");
    key_row("Shift+drag on a map", "Sum up a block of cells");
    key_row("Drag a cell in Edit", "Change it; Shift fine, Ctrl coarse, Esc takes back");
    key_row("Shift+click, Shift+arrows", "Select a block in Edit; its labels select rows, columns");
    key_row("Ctrl+Enter", "Put the typed number into the whole block");
    key_row("Drag or Space in the mask", "Forbid and allow pairs");
    key_row("Number on a stage's cell", "Override it; Enter opens it, Delete takes that back");
    key_row("While presenting", "Arrows, Space step; P plays; digits choose a head");
    key_row("Enter, double click there", "Open the selected cell to edit it; no other key edits");
    key_row("Number, Enter, Tab", "Replace the cell and go on; arrows move, Delete is 0");
    ImGui::EndTable();
  }
  close_row(ui);
}

void about(Ui& ui) {
  ImGui::TextUnformatted(
      "Attention Lab shows multi-head attention with every number real,\n"
      "editable and explained:\n\n"
      "    MultiHead(Q, K, V) = Concat(head 1 … head h) W_O\n"
      "    head i = softmax(Q Kᵀ / √d_k) V\n\n"
      "after Vaswani et al., “Attention Is All You Need”, 2017.");
  ImGui::Spacing();
  close_row(ui);
}

struct DialogRecord {
  Dialog dialog;
  const char* title;
  void (*draw)(Ui&);
  void (*accept)(Ui&) = nullptr;  // of those that ask for a path: takes what is in the field
  float reach = 0;  // points from its top to the middle, where its height changes; 0: it is centred
  bool own_keys = false;  // the arrows and Enter are not for going from item to item
};
constexpr std::array kDialogs{
    DialogRecord{Dialog::kOpen, "Open", open_file, accept_open},
    DialogRecord{Dialog::kSaveAs, "Save as", save_as, accept_save_as},
    DialogRecord{Dialog::kExport, "Export", export_dialog, accept_export, 320},
    DialogRecord{Dialog::kImport, "Read into the session", import_dialog, nullptr, 0, true},
    DialogRecord{Dialog::kUnsaved, "Unsaved changes", unsaved, nullptr, 0, true},
    DialogRecord{Dialog::kRevert, "Revert", revert_question, nullptr, 0, true},
    DialogRecord{Dialog::kRecovery, "Unsaved work was found", recovery_dialog, nullptr, 0, true},
    DialogRecord{Dialog::kLeaveLesson, "Leave the lesson", leave_lesson_dialog, nullptr, 0, true},
    DialogRecord{Dialog::kSaveAnswers, "Save my answers", save_answers_dialog, accept_save_answers},
    DialogRecord{Dialog::kCommands, "Commands", command_palette, nullptr, 0, true},
    DialogRecord{Dialog::kShortcuts, "Keys and mouse", shortcuts, nullptr, 0, true},
    DialogRecord{Dialog::kAbout, "About Attention Lab", about, nullptr, 0, true},
};

void draw_content(Ui& ui, const DialogRecord& record) {
  if (take_chosen_file(ui)) record.accept(ui);
  if (ui.state.dialog.open != record.dialog) return;
  if (is_browsing(ui)) {
    wait_for_desktop(ui);
  } else {
    record.draw(ui);
  }
}

void draw_dialog(Ui& ui, const DialogRecord& record) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (!ImGui::IsPopupOpen(record.title)) ImGui::OpenPopup(record.title);
  const float top = std::max(0.0f, size.y / 2 - ui.px(record.reach));
  ImGui::SetNextWindowPos({size.x / 2, record.reach > 0 ? top : size.y / 2}, ImGuiCond_Always,
                          {0.5f, record.reach > 0 ? 0.0f : 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, size);  // what is higher scrolls
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_HorizontalScrollbar;
  compat::push_font(ui.fonts.text);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(22), ui.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize,
                      ui.state.theme == ThemeId::kHighContrast ? 1.0f : 0.0f);
  const ImGuiWindowFlags nav = record.own_keys ? ImGuiWindowFlags_NoNav : 0;
  if (ImGui::BeginPopupModal(record.title, nullptr, kFlags | nav)) {
    compat::push_font(ui.fonts.title);
    ImGui::TextUnformatted(record.title);
    ImGui::PopFont();
    ImGui::Spacing();
    draw_content(ui, record);
    if (compat::enter_pressed() && !ui.state.dialog.problem.empty())
      ui.state.dialog.just_opened = true;
    if (compat::key_pressed(Key::kEscape, false) && !list_has_keys(ui)) close_dialog(ui);
    if (ui.state.dialog.open != record.dialog) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(3);
  ImGui::PopFont();
}

}  // namespace

void dialogs(Ui& ui) {
  for (const DialogRecord& record : kDialogs) {
    if (ui.state.dialog.open != record.dialog) continue;
    draw_dialog(ui, record);
    break;
  }
  if (!is_browsing(ui)) ui.desktop.withdraw_file_question();
}

}  // namespace lab
