#include <imgui.h>

#include <filesystem>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/lesson/worksheet_actions.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kSeedWidth = 90;

Expected<void> check_worksheet_path(const std::string& path) {
  if (files::ending_of(path) == ".pdf") return {};
  return fail(ErrorKind::kUsage, tr("A worksheet is a .pdf."));
}

// Where it will be saved, which the name alone does not tell.
void folder_line(Ui& ui) {
  const std::filesystem::path path = files::full_path(ui.state.dialog.path);
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::absolute(path, none);
  if (path.empty() || none) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect line{at.x, at.y, dialog_field_width(ui), ImGui::GetTextLineHeight()};
  ImGui::Dummy({line.w, line.h});
  ui.name_item("worksheet/folder");
  draw_text(ui, ui.fonts.text, line, tr("In the folder {}", {whole.parent_path().string()}),
            ui.theme.dim);
}

void seed_row(Ui& ui, WorksheetOptions& options) {
  begin_row(ui, tr("Other numbers"));
  row_text(ui, tr("seed"), "worksheet/seed", options.seed, kSeedWidth);
  end_row();
  ImGui::TextUnformatted(
      tr("The same seed makes the same numbers: one for each student, and one\nkey for each.")
          .c_str());
}

// The name in the field follows the options, unless it is the user's own.
void follow_options(Ui& ui, const std::string& before) {
  std::string& typed = ui.state.dialog.path;
  const std::string now = proposed_worksheet(ui);
  if (now == before || files::file_name_of(typed) != before) return;
  typed = std::filesystem::path(typed).replace_filename(now).string();
}

}  // namespace

void accept_worksheet(Ui& ui) {
  std::string& typed = ui.state.dialog.path;
  if (!typed.empty()) typed = files::with_ending(typed, ".pdf");
  const std::string path = writable_path(ui, check_worksheet_path);
  if (path.empty() || !save_worksheet(ui, path)) return;
  settle_dialog(ui);
}

void worksheet_dialog(Ui& ui) {
  WorksheetOptions& options = ui.state.dialog.worksheet;
  const std::string proposed = proposed_worksheet(ui);
  write_text(ui, worksheet_subject(ui));
  path_field(ui);
  folder_line(ui);
  begin_row(ui, tr("Answers"));
  row_tick(ui, tr("the key, with everything filled in"), "worksheet/answers", options.answers);
  end_row();
  if (takes_seed(ui)) seed_row(ui, options);
  follow_options(ui, proposed);
  if (finish_row(ui, save_label(ui))) accept_worksheet(ui);
}

}  // namespace lab::view
