#include <imgui.h>

#include <filesystem>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/widgets/option_rows.h"

namespace lab::view {
namespace {

constexpr float kStudentWidth = 260;

Expected<void> check_answers_path(const std::string& path) {
  if (files::ending_of(path) == ".csv") return {};
  return fail(ErrorType::kUsage, tr("Answers are saved as .csv."));
}

}  // namespace

void accept_save_answers(Ui& ui) {
  const std::string path = writable_path(ui, check_answers_path);
  if (path.empty()) return;
  ui.state.dialog.answers_folder = std::filesystem::path(path).parent_path().string();
  save_answers(ui, path);
  settle_dialog(ui);
}

void save_answers_dialog(Ui& ui) {
  const std::string proposed = proposed_answers(ui);
  dialog_paragraph(ui, tr("Save your answers as a table (.csv): when, which step, what, right or "
                          "wrong. Nothing is sent anywhere."));
  path_field(ui);
  folder_line(ui, "answers/folder");
  begin_row(ui, tr("Your name"));
  row_text(ui, tr("if your teacher wants it"), "answers/student", ui.state.dialog.student,
           kStudentWidth);
  end_row();
  follow_options(ui, proposed, proposed_answers(ui));
  if (finish_row(ui, save_label(ui))) accept_save_answers(ui);
}

}  // namespace lab::view
