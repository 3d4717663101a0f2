#include "app/view/session/dialog_parts.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/export/export_memory.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/file_list.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kDialogFieldWidth = 480;

float dialog_button_width(const Ui& ui, const std::string& label) {
  return std::max(ui.px(110), ImGui::CalcTextSize(label.c_str()).x + ui.px(24));
}

// The button for the desktop's file dialog, at the right end of the row of buttons.
bool browse_button(Ui& ui) {
  if (!ui.desktop.has_file_dialog()) return false;
  const std::string label = tr("Browse…");
  ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + dialog_field_width(ui) -
                  dialog_button_width(ui, label));
  const bool clicked = dialog_button(ui, label, "dialog/browse");
  tooltip(ui, tr("Choose in the desktop's file dialog   Ctrl+B"));
  if (clicked || (ImGui::GetIO().KeyCtrl && compat::key_pressed(Key::kB, false))) browse(ui);
  return clicked;
}

}  // namespace

float dialog_field_width(const Ui& ui) {
  return std::min(ui.px(kDialogFieldWidth), option_row_width(ui));
}

void dialog_paragraph(Ui& ui, const std::string& text, bool dim) {
  ImGui::PushStyleColor(ImGuiCol_Text, pack(dim ? ui.theme.dim : ui.theme.text));
  write_wrapped_text(ui, text, dialog_field_width(ui));
  ImGui::PopStyleColor();
}

void dialog_heading(Ui& ui, const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect line{at.x, at.y, dialog_field_width(ui), ImGui::GetTextLineHeight()};
  ImGui::Dummy({line.w, line.h});
  draw_text(ui, ui.fonts.bold, line, text, ui.theme.text);
}

void dialog_problem(Ui& ui) {
  const std::string& problem = ui.state.dialog.problem;
  if (problem.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.danger));
  write_wrapped_text(ui, problem, dialog_field_width(ui));
  ImGui::PopStyleColor();
}

void close_dialog(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  if (dialog.open == Dialog::kExport) keep_choices(dialog);
  ui.state.dialog.open = Dialog::kNone;
  ui.state.dialog.problem.clear();
}

bool dialog_button(Ui& ui, const std::string& label, const std::string& name, bool primary) {
  if (primary) {
    ImGui::PushStyleColor(ImGuiCol_Button, pack(ui.theme.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, pack(ui.theme.accent, 0.85f));
    ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.on_accent));
  }
  const bool clicked =
      ImGui::Button((label + "##" + name).c_str(), {dialog_button_width(ui, label), 0});
  if (primary) ImGui::PopStyleColor(3);
  ui.name_item(name);
  const bool is_stop = is_tab_stop(ui, name);
  if (is_stop) {
    const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    draw_focus_ring_around(ui, {from.x, from.y, size.x, size.y});
  }
  return clicked || ((is_stop || compat::is_marked_item()) && compat::enter_pressed());
}

int answer_row(Ui& ui, std::span<const std::string> labels, std::span<const char* const> names) {
  const int count = static_cast<int>(labels.size());
  int& choice = ui.state.dialog.choice;
  const bool tab = compat::key_pressed(Key::kTab), back = ImGui::GetIO().KeyShift;
  if ((tab && !back) || compat::key_pressed(Key::kRight)) choice = (choice + 1) % count;
  if ((tab && back) || compat::key_pressed(Key::kLeft)) choice = (choice + count - 1) % count;
  int chosen = compat::enter_pressed() ? choice : -1;
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    if (i > 0) ImGui::SameLine();
    if (dialog_button(ui, labels[index], names[index], i == choice)) chosen = i;
  }
  return chosen;
}

void path_field(Ui& ui) {
  ImGui::SetNextItemWidth(dialog_field_width(ui));
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kDialog}))
    ui.state.early_text.give_keyboard();
  // A new field for every dialog that is opened: a reused one would select as much of the new path
  // as the old one was long.
  const std::string label = "##path" + std::to_string(ui.state.dialog.number);
  words_field(ui, label, {}, ui.state.dialog.path);
  ui.name_item("dialog/path");
  show_end(ui, "dialog/path/end", ui.state.dialog.path);
}

void folder_line(Ui& ui, const std::string& name) {
  const std::filesystem::path path = absolute_path(ui);
  if (path.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect line{at.x, at.y, dialog_field_width(ui), ImGui::GetTextLineHeight()};
  ImGui::Dummy({line.w, line.h});
  ui.name_item(name);
  draw_text(ui, ui.fonts.text, line, tr("In the folder {}", {path.parent_path().string()}),
            ui.theme.dim);
}

void follow_options(Ui& ui, const std::string& before, const std::string& now) {
  std::string& typed = ui.state.dialog.path;
  if (now == before || files::file_name_of(typed) != before) return;
  typed = std::filesystem::path(typed).replace_filename(now).string();
}

bool finish_row(Ui& ui, const std::string& label, bool (*more)(Ui&), const std::string& leave) {
  dialog_problem(ui);
  ImGui::Spacing();
  const bool entered = compat::enter_pressed() && !ImGui::IsWindowAppearing() && !list_has_keys(ui);
  const bool accepted = dialog_button(ui, label, "dialog/ok", true);
  ImGui::SameLine();
  const bool cancelled = dialog_button(ui, leave.empty() ? tr("Cancel") : leave, "dialog/cancel");
  if (cancelled) close_dialog(ui);
  const bool other = more != nullptr && more(ui);
  const bool browsed = browse_button(ui);
  return accepted || (entered && !cancelled && !other && !browsed);
}

void settle_dialog(Ui& ui) {
  ui.state.dialog.problem = std::exchange(ui.state.error, {});
  if (ui.state.dialog.problem.empty()) close_dialog(ui);
}

std::string absolute_path(const Ui& ui) {
  const std::string path = files::full_path(ui.state.dialog.path);
  std::error_code none;  // the typed path is good enough
  const std::filesystem::path absolute = std::filesystem::absolute(path, none);
  return path.empty() || none ? path : absolute.string();
}

std::string chosen_path(Ui& ui) {
  std::string path = absolute_path(ui);
  if (path.empty()) ui.state.dialog.problem = tr("Type a name first.");
  return path;
}

std::string save_label(const Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  const bool replaces = !dialog.replace.empty() && dialog.replace == absolute_path(ui);
  return replaces ? tr("Replace") : tr("Save");
}

std::string writable_path(Ui& ui, Expected<void> (*check)(const std::string&)) {
  std::string path = chosen_path(ui);
  if (path.empty()) return {};
  if (const auto fits = check(path); !fits) {
    ui.state.dialog.problem = fits.error().message;
    return {};
  }
  return may_write(ui, path) ? path : std::string();
}

bool list_has_keys(const Ui& ui) {
  return ui.state.dialog.list_frame >= ImGui::GetFrameCount() - 1;
}

}  // namespace lab::view
