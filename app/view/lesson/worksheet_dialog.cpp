#include <imgui.h>

#include <filesystem>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/lesson/worksheet_actions.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/widgets/option_rows.h"

namespace lab::view {
namespace {

constexpr float kSeedWidth = 90;

Expected<void> check_worksheet_path(const std::string& path) {
  if (files::ending_of(path) == ".pdf") return {};
  return fail(ErrorType::kUsage, tr("A worksheet is a .pdf."));
}

void seed_row(Ui& ui, WorksheetOptions& options) {
  begin_row(ui, tr("Other numbers"));
  row_text(ui, tr("seed"), "worksheet/seed", options.seed, kSeedWidth);
  end_row();
  dialog_paragraph(
      ui, tr("The same seed makes the same numbers: one for each student, and one key for each."));
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
  dialog_paragraph(ui, worksheet_subject(ui));
  path_field(ui);
  folder_line(ui, "worksheet/folder");
  begin_row(ui, tr("Answers"));
  row_tick(ui, tr("the key, with everything filled in"), "worksheet/answers", options.answers);
  end_row();
  if (takes_seed(ui)) seed_row(ui, options);
  follow_options(ui, proposed, proposed_worksheet(ui));
  if (finish_row(ui, save_label(ui))) accept_worksheet(ui);
}

}  // namespace lab::view
