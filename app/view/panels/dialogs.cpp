#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <utility>

#include "app/view/actions.h"
#include "app/view/file_actions.h"
#include "app/view/imgui_compat.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kFieldWidth = 480;

void close(Ui& ui) {
  ui.state.dialog.open = Dialog::kNone;
  ui.state.dialog.problem.clear();
}

void name_item(Ui& ui, const std::string& name) {
  const ImVec2 min = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  ui.name(name, {min.x, min.y, size.x, size.y});
}

bool dialog_button(Ui& ui, const char* label, const std::string& name, bool primary = false) {
  if (primary) {
    ImGui::PushStyleColor(ImGuiCol_Button, pack(ui.theme.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, pack(ui.theme.accent, 0.85f));
    ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.on_accent));
  }
  const bool clicked = ImGui::Button(label, {ui.px(110), 0});
  if (primary) ImGui::PopStyleColor(3);
  name_item(ui, name);
  return clicked;
}

// The text field for a path; true when Enter was pressed in it.
bool path_field(Ui& ui) {
  ImGui::SetNextItemWidth(ui.px(kFieldWidth));
  if (std::exchange(ui.state.dialog.just_opened, false)) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputText("##path", &ui.state.dialog.path, ImGuiInputTextFlags_EnterReturnsTrue);
  name_item(ui, "dialog/path");
  return entered;
}

void problem_text(Ui& ui) {
  const std::string& problem = ui.state.dialog.problem;
  if (problem.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.danger));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(kFieldWidth));
  ImGui::TextUnformatted(problem.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

// OK and Cancel; returns true for OK.
bool finish_row(Ui& ui, const char* label, bool entered) {
  problem_text(ui);
  ImGui::Spacing();
  const bool accepted = dialog_button(ui, label, "dialog/ok", true) || entered;
  ImGui::SameLine();
  if (dialog_button(ui, "Cancel", "dialog/cancel")) close(ui);
  return accepted;
}

// Moves what an attempt complained about from the window to the dialog, or closes the dialog.
void settle(Ui& ui) {
  ui.state.dialog.problem = std::exchange(ui.state.error, {});
  if (ui.state.dialog.problem.empty()) close(ui);
}

void open_file(Ui& ui) {
  ImGui::TextUnformatted(
      "A session (.json), a problem (.safetensors, .npz), or the name of an example:");
  if (!finish_row(ui, "Open", path_field(ui))) return;
  const std::string source = ui.state.dialog.path;
  if (ui.workspace.modified()) {
    leave_document(ui, source);
    return;
  }
  open_source(ui, source);
  settle(ui);
}

void save_as(Ui& ui) {
  ImGui::TextUnformatted("Save the session as:");
  if (!finish_row(ui, "Save", path_field(ui))) return;
  save_session(ui, ui.state.dialog.path);
  settle(ui);
}

void export_choices(Ui& ui) {
  constexpr std::array kWhat{"This stage", "All heads", "The whole pipeline"};
  const bool own_path = ui.state.dialog.path != picture_path(ui);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), ui.px(2)});
  for (int i = 0; i < std::ssize(kWhat); ++i) {
    if (i > 0) ImGui::SameLine(0, ui.px(18));
    ImGui::RadioButton(kWhat[static_cast<std::size_t>(i)], &ui.state.dialog.export_what, i);
    name_item(ui, "dialog/what/" + std::to_string(i));
  }
  if (!own_path) ui.state.dialog.path = picture_path(ui);
  ImGui::Checkbox("Numbers inside the cells", &ui.state.dialog.export_values);
  name_item(ui, "dialog/values");
  ImGui::PopStyleVar();
}

void export_figure(Ui& ui) {
  ImGui::TextUnformatted("Save a picture (PNG, 300 dpi) of:");
  export_choices(ui);
  if (finish_row(ui, "Save", path_field(ui)) && export_picture(ui)) close(ui);
}

void unsaved(Ui& ui) {
  ImGui::TextUnformatted("The session has changes that are not saved.");
  ImGui::Spacing();
  const std::string next = ui.state.dialog.then_open;
  const bool save = dialog_button(ui, "Save", "dialog/save", true);
  ImGui::SameLine();
  const bool discard = dialog_button(ui, "Discard", "dialog/discard");
  ImGui::SameLine();
  if (dialog_button(ui, "Cancel", "dialog/cancel")) close(ui);
  if (save && ui.workspace.path().empty()) return open_dialog(ui, Dialog::kSaveAs, "session.json");
  if (!discard && !(save && save_session(ui, ui.workspace.path()))) return;
  close(ui);
  if (next.empty()) {
    ui.state.quit = true;
  } else {
    open_source(ui, next);
  }
}

void key_row(const char* keys, const char* meaning) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(keys);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(meaning);
}

void shortcuts(Ui& ui) {
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit, {ui.px(kFieldWidth), 0})) {
    for (const Action& action : all_actions()) {
      const std::string keys = chord_text(action.chord);
      if (!keys.empty()) key_row(keys.c_str(), std::string(action.name).c_str());
    }
    key_row("1 … 9", "Focus a head");
    key_row("Click a cell", "Explain it, and mark its query and key everywhere");
    key_row("Drag a cell in Edit", "Change it; Shift fine, Ctrl coarse, Esc takes back");
    key_row("Number, Enter, Tab", "Replace the cell and go on; arrows move, Delete is 0");
    ImGui::EndTable();
  }
  if (dialog_button(ui, "Close", "dialog/ok", true)) close(ui);
}

void about(Ui& ui) {
  ImGui::TextUnformatted(
      "Attention Lab shows multi-head attention with every number real,\n"
      "editable and explained:\n\n"
      "    MultiHead(Q, K, V) = Concat(head 1 … head h) W_O\n"
      "    head i = softmax(Q Kᵀ / √d_k) V\n\n"
      "after Vaswani et al., “Attention Is All You Need”, 2017.");
  ImGui::Spacing();
  if (dialog_button(ui, "Close", "dialog/ok", true)) close(ui);
}

struct DialogRecord {
  Dialog dialog;
  const char* title;
  void (*draw)(Ui&);
};
constexpr std::array kDialogs{
    DialogRecord{Dialog::kOpen, "Open", open_file},
    DialogRecord{Dialog::kSaveAs, "Save as", save_as},
    DialogRecord{Dialog::kExport, "Export picture", export_figure},
    DialogRecord{Dialog::kUnsaved, "Unsaved changes", unsaved},
    DialogRecord{Dialog::kShortcuts, "Keys and mouse", shortcuts},
    DialogRecord{Dialog::kAbout, "About Attention Lab", about},
};

void draw_dialog(Ui& ui, const DialogRecord& record) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (!ImGui::IsPopupOpen(record.title)) ImGui::OpenPopup(record.title);
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_AlwaysAutoResize |
                                      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings;
  compat::push_font(ui.fonts.text);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(22), ui.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  if (ImGui::BeginPopupModal(record.title, nullptr, kFlags)) {
    compat::push_font(ui.fonts.title);
    ImGui::TextUnformatted(record.title);
    ImGui::PopFont();
    ImGui::Spacing();
    record.draw(ui);
    if (compat::key_pressed(Key::kEscape, false)) close(ui);
    if (ui.state.dialog.open != record.dialog) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
}

}  // namespace

void dialogs(Ui& ui) {
  for (const DialogRecord& record : kDialogs) {
    if (ui.state.dialog.open == record.dialog) return draw_dialog(ui, record);
  }
}

}  // namespace lab
