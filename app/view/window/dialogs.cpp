#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/export/export_actions.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/sentence/tokenizer_actions.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/file_list.h"
#include "app/view/session/get_model.h"
#include "app/view/session/import_actions.h"
#include "app/view/session/model_texts.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"
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
  if (enters_folder(ui)) return;
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
  dialog_paragraph(
      ui,
      tr("A session (.json), a figure that contains one (.png, .pdf), a problem, a PyTorch layer "
         "or ready attention (.safetensors, .npz), or an example.\n"
         "A matrix (.npy, .csv) goes into Edit, vectors (.txt) to their words."));
  const bool chosen = file_list(ui);
  if (finish_row(ui, tr("Open")) || chosen) accept_open(ui);
}

// What to do once the session is saved.
Job::Finish leaving(const Ui& ui, bool leaves) {
  if (!leaves) return {};
  return [next = ui.state.dialog.then_go](Ui& after) {
    after.state.requests.ask(request::Leave{next});
  };
}

// A name without an ending gets that of a session, where the user sees it.
void complete_session_name(Ui& ui) {
  std::string& path = ui.state.dialog.path;
  if (!files::file_name_of(path).empty()) path = files::with_ending(path, ".json");
}

void accept_save_as(Ui& ui) {
  if (enters_folder(ui)) return;
  complete_session_name(ui);
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
  dialog_paragraph(ui, tr("Save the session (.json), or its tensors (.safetensors, .npz):"));
  const bool chosen = file_list(ui);
  if (finish_row(ui, save_label(ui)) || chosen) accept_save_as(ui);
}

void unsaved(Ui& ui) {
  const std::array labels{tr("Save"), tr("Discard"), tr("Cancel")};
  constexpr std::array kNames{"dialog/save", "dialog/discard", "dialog/cancel"};
  dialog_paragraph(ui, tr("The session has changes that are not saved."));
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
  dialog_paragraph(ui, tr("Revert to the saved file?\nChanges made since it was saved are lost."));
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
  dialog_paragraph(ui, tr("Choose the file in your desktop's dialog."));
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen == 0) {
    ui.state.dialog.asking = false;
    ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
  }
  if (chosen == 1) close_dialog(ui);
}

void about(Ui& ui) {
  dialog_paragraph(ui, tr("Attention Lab shows multi-head attention with every number real,\n"
                          "editable and explained:\n\n"
                          "    MultiHead(Q, K, V) = Concat(head 1 … head h) W_O\n"
                          "    head i = softmax(Q Kᵀ / √d_k) V\n\n"
                          "after Vaswani et al., “Attention Is All You Need”, 2017."));
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
    DialogRecord{Dialog::kOpen, tr_later("Open"), open_file, accept_open, 0, true},
    DialogRecord{Dialog::kOpenModel, tr_later("Open a model"), open_model_dialog, accept_open_model,
                 0, true},
    DialogRecord{Dialog::kGetModel, tr_later("Get a model"), get_model_dialog, nullptr, 0, true},
    DialogRecord{Dialog::kSaveAs, tr_later("Save as"), save_as, accept_save_as, 0, true},
    DialogRecord{Dialog::kExport, tr_later("Export"), export_dialog, accept_export, 320},
    DialogRecord{Dialog::kImport, tr_later("Import into the session"), import_dialog, nullptr, 0,
                 true},
    DialogRecord{Dialog::kUnsaved, tr_later("Unsaved changes"), unsaved, nullptr, 0, true},
    DialogRecord{Dialog::kRevert, tr_later("Revert"), revert_question, nullptr, 0, true},
    DialogRecord{Dialog::kRecovery, tr_later("Unsaved work was found"), recovery_dialog, nullptr, 0,
                 true},
    DialogRecord{Dialog::kLeaveLesson, tr_later("Leave the lesson"), leave_lesson_dialog, nullptr,
                 0, true},
    DialogRecord{Dialog::kRestartStep, tr_later("Begin this step again"), restart_step_dialog,
                 nullptr, 0, true},
    DialogRecord{Dialog::kSaveAnswers, tr_later("Save my answers"), save_answers_dialog,
                 accept_save_answers},
    DialogRecord{Dialog::kWorksheet, tr_later("Worksheet"), worksheet_dialog, accept_worksheet},
    DialogRecord{Dialog::kTokenizer, tr_later("Tokenizer"), tokenizer_dialog, accept_tokenizer, 0,
                 true},
    DialogRecord{Dialog::kExploredText, tr_later("A longer text"), explored_text_dialog,
                 accept_explored_text, 0, true},
    DialogRecord{Dialog::kTrainingText, tr_later("A text to learn from"), training_text_dialog,
                 accept_training_text, 0, true},
    DialogRecord{Dialog::kCommands, tr_later("Commands"), command_palette, nullptr, 0, true},
    DialogRecord{Dialog::kShortcuts, tr_later("Keys and mouse"), keys_dialog, nullptr, 0, true},
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
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_AlwaysAutoResize |
                                      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings;
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
    if (compat::key_pressed(Key::kEscape, false) && !list_has_keys(ui)) {
      if (record.dialog == Dialog::kCommands && commit_pending(ui)) ui.state.edit.focused = false;
      close_dialog(ui);
    }
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
