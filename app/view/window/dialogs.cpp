#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/actions/actions_panels.h"
#include "app/view/export/export_panels.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/import_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

void close_row(Ui& ui) {
  if (dialog_button(ui, tr("Close"), "dialog/ok", true) || compat::enter_pressed())
    close_dialog(ui);
}

// The chosen file, or possibly the name of an example.
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
      tr("A session (.json), a figure that contains one (.png, .pdf), a problem\n"
         "or a PyTorch layer (.safetensors, .npz), or the name of an example.\n"
         "A matrix (.npy, .csv) goes into Edit, vectors (.txt) to their words.")
          .c_str());
  path_field(ui);
  if (finish_row(ui, tr("Open"))) accept_open(ui);
}

// What to do once the session is saved.
Job::Finish leaving(const Ui& ui, bool leaves) {
  if (!leaves) return {};
  return [next = ui.state.dialog.then_go](Ui& after) {
    after.state.requests.ask(request::Leave{next});
  };
}

void accept_save_as(Ui& ui) {
  const bool leaves = ui.state.dialog.then_leave;  // and a problem file would not keep everything
  const std::string path =
      writable_path(ui, leaves ? files::check_session_path : files::check_document_path);
  if (path.empty()) return;
  if (files::is_problem_ending(files::ending_of(path))) {
    save_problem(ui, path);
  } else {
    save_session(ui, path, leaving(ui, leaves));
  }
  settle_dialog(ui);
}

void save_as(Ui& ui) {
  ImGui::TextUnformatted(
      tr("Save the session (.json), or its tensors (.safetensors, .npz):").c_str());
  path_field(ui);
  if (finish_row(ui, save_label(ui))) accept_save_as(ui);
}

Expected<void> check_answers_path(const std::string& path) {
  if (files::ending_of(path) == ".csv") return {};
  return fail(ErrorKind::kUsage, tr("Answers are saved as .csv."));
}

void accept_save_answers(Ui& ui) {
  const std::string path = writable_path(ui, check_answers_path);
  if (path.empty()) return;
  save_answers(ui, path);
  settle_dialog(ui);
}

void save_answers_dialog(Ui& ui) {
  ImGui::TextUnformatted(tr("Save your answers as a table (.csv): when, which step, what,\n"
                            "right or wrong. Nothing is sent anywhere.")
                             .c_str());
  path_field(ui);
  if (finish_row(ui, save_label(ui))) accept_save_answers(ui);
}

void unsaved(Ui& ui) {
  const std::array labels{tr("Save"), tr("Discard"), tr("Cancel")};
  constexpr std::array kNames{"dialog/save", "dialog/discard", "dialog/cancel"};
  ImGui::TextUnformatted(tr("The session has changes that are not saved.").c_str());
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
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
  const std::array labels{tr("Revert"), tr("Cancel")};
  constexpr std::array kNames{"dialog/ok", "dialog/cancel"};
  ImGui::TextUnformatted(
      tr("Revert to the saved file?\nChanges made since it was saved are lost.").c_str());
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) revert_now(ui);
}

// Shown while the desktop's dialog is open. That may have failed to appear, so there is a way to
// cancel.
void wait_for_desktop(Ui& ui) {
  const std::array labels{tr("Type a path"), tr("Cancel")};
  constexpr std::array kNames{"dialog/type", "dialog/cancel"};
  ImGui::TextUnformatted(tr("Choose the file in your desktop's dialog.").c_str());
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen == 0) {
    ui.state.dialog.asking = false;
    ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
  }
  if (chosen == 1) close_dialog(ui);
}

// Keys and pointer gestures besides the shortcuts of actions.
constexpr std::array kMoreKeys = std::to_array<std::pair<const char*, const char*>>({
    {tr_later("Tab, arrows, Home, End"),
     tr_later("Move a ring from widget to widget; Enter presses, Esc ends")},
    {tr_later("Enter in the ring"), tr_later("On cells and fields: go inside, Esc goes back out")},
    {tr_later("Alt, then arrows"), tr_later("The menus, like F10")},
    {tr_later("1 … 9"), tr_later("Focus a head")},
    {tr_later("F3, held"), tr_later("While comparing: show A")},
    {tr_later("Ctrl + click on a head"), tr_later("Compare it with the focused one")},
    {tr_later("Click a cell"), tr_later("Explain it, and mark its query and key everywhere")},
    {tr_later("Ctrl+click a cell"), tr_later("Pin it, so that it stays listed under Explain")},
    {tr_later("Wheel, drag on a map"), tr_later("Zoom around the pointer, move a zoomed map")},
    {tr_later("Click a colour bar"), tr_later("Choose the range and the spread of its colours")},
    {tr_later("Shift+drag on a map"), tr_later("Summarise a block of cells")},
    {tr_later("Drag a cell in Edit"), tr_later("Change it; Shift fine, Ctrl coarse, Esc cancels")},
    {tr_later("Shift+click, Shift+arrows"),
     tr_later("Select a block in Edit; its labels select rows, columns")},
    {tr_later("Ctrl+Enter"), tr_later("Put the typed number into the whole block")},
    {tr_later("Drag or Space in the mask"), tr_later("Forbid and allow pairs")},
    {tr_later("Number on a stage's cell"),
     tr_later("Override it; Enter opens it, Delete removes the override")},
    {tr_later("While presenting"),
     tr_later("Arrows, Space step; P plays; digits choose a head; C changes the contrast")},
    {tr_later("Enter, double click there"),
     tr_later("Open the selected cell to edit it; no other key edits")},
    {tr_later("In a lesson there"),
     tr_later("Page Up, Page Down, Space go from step to step; A shows the answers")},
    {tr_later("Number, Enter, Tab"),
     tr_later("Replace the cell and go on; arrows move, Delete is 0")},
});

void key_row(const std::string& keys, const std::string& meaning) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(keys.c_str());
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", meaning.c_str());
}

// The buttons below the list of keys.
void keys_row(Ui& ui) {
  const std::array labels{tr("Close"), tr("Guide")};
  constexpr std::array kNames{"dialog/ok", "dialog/guide"};
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen == 0) close_dialog(ui);
  if (chosen == 1) open_guide(ui);
}

// The list scrolls when the window is too low for it, so that the button below stays reachable.
void shortcuts(Ui& ui) {
  constexpr float kAround = 150;
  const auto has_key = [](const Action& action) { return action.chord.key != Key::kNone; };
  const auto rows =
      static_cast<float>(std::ranges::count_if(all_actions(), has_key) + std::ssize(kMoreKeys));
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
      if (!keys.empty()) key_row(keys, tr(action.name));
    }
    if (scrolls) compat::scroll_by_keys(ImGui::GetTextLineHeightWithSpacing());
    for (const auto& [keys, meaning] : kMoreKeys) key_row(tr(keys), tr(meaning));
    ImGui::EndTable();
  }
  keys_row(ui);
}

void about(Ui& ui) {
  ImGui::TextUnformatted(tr("Attention Lab shows multi-head attention with every number real,\n"
                            "editable and explained:\n\n"
                            "    MultiHead(Q, K, V) = Concat(head 1 … head h) W_O\n"
                            "    head i = softmax(Q Kᵀ / √d_k) V\n\n"
                            "after Vaswani et al., “Attention Is All You Need”, 2017.")
                             .c_str());
  ImGui::Spacing();
  close_row(ui);
}

struct DialogRecord {
  Dialog dialog;
  const char* title;
  void (*draw)(Ui&);
  void (*accept)(Ui&) = nullptr;  // for dialogs that ask for a path: accepts the field
  float reach = 0;  // points from its top to the middle, where its height changes; 0: it is centred
  bool own_keys = false;  // arrows and Enter do not navigate between items
};
constexpr std::array kDialogs{
    DialogRecord{Dialog::kOpen, tr_later("Open"), open_file, accept_open},
    DialogRecord{Dialog::kSaveAs, tr_later("Save as"), save_as, accept_save_as},
    DialogRecord{Dialog::kExport, tr_later("Export"), export_dialog, accept_export, 320},
    DialogRecord{Dialog::kImport, tr_later("Import into the session"), import_dialog, nullptr, 0,
                 true},
    DialogRecord{Dialog::kUnsaved, tr_later("Unsaved changes"), unsaved, nullptr, 0, true},
    DialogRecord{Dialog::kRevert, tr_later("Revert"), revert_question, nullptr, 0, true},
    DialogRecord{Dialog::kRecovery, tr_later("Unsaved work was found"), recovery_dialog, nullptr, 0,
                 true},
    DialogRecord{Dialog::kLeaveLesson, tr_later("Leave the lesson"), leave_lesson_dialog, nullptr,
                 0, true},
    DialogRecord{Dialog::kSaveAnswers, tr_later("Save my answers"), save_answers_dialog,
                 accept_save_answers},
    DialogRecord{Dialog::kWorksheet, tr_later("Worksheet"), worksheet_dialog, accept_worksheet},
    DialogRecord{Dialog::kCommands, tr_later("Commands"), command_palette, nullptr, 0, true},
    DialogRecord{Dialog::kShortcuts, tr_later("Keys and mouse"), shortcuts, nullptr, 0, true},
    DialogRecord{Dialog::kGuide, tr_later("Guide"), guide_dialog, nullptr, 0, true},
    DialogRecord{Dialog::kAbout, tr_later("About Attention Lab"), about, nullptr, 0, true},
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
  ImGui::SetNextWindowSizeConstraints({0, 0}, size);  // higher content scrolls
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_HorizontalScrollbar;
  compat::push_font(ui.fonts.text);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(22), ui.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize,
                      ui.state.theme == figure::ThemeId::kHighContrast ? 1.0f : 0.0f);
  const ImGuiWindowFlags nav = record.own_keys ? ImGuiWindowFlags_NoNav : 0;
  if (ImGui::BeginPopupModal(record.title, nullptr, kFlags | nav)) {
    compat::push_font(ui.fonts.title);
    ImGui::TextUnformatted(tr(record.title).c_str());
    ImGui::PopFont();
    ImGui::Spacing();
    draw_content(ui, record);
    if (compat::enter_pressed() && !ui.state.dialog.problem.empty())
      ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
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

}  // namespace lab::view
