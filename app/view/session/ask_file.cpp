#include "app/view/session/ask_file.h"

#include <filesystem>

#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/export/export_actions.h"
#include "app/view/session/file_actions.h"

namespace lab::view {
namespace {

namespace fs = std::filesystem;

FileFilter sessions() { return {tr("Sessions"), {"*.json"}}; }
FileFilter problems() { return {tr("Tensors"), {"*.safetensors", "*.npz"}}; }
FileFilter tables() { return {tr("Tables"), {"*.csv"}}; }
FileFilter all_files() { return {tr("All files"), {"*"}}; }

// The chosen format comes first.
std::vector<FileFilter> export_filters(const Ui& ui) {
  std::vector<FileFilter> filters;
  for (const ExportFormat& format : export_formats(ui)) {
    const bool chosen = format.ending == ui.state.dialog.exporting.ending();
    filters.insert(chosen ? filters.begin() : filters.end(),
                   {tr(format.name), {"*" + format.ending}});
  }
  return filters;
}

FileQuestion export_question(const Ui& ui) {
  if (ui.state.dialog.exporting.mode == ExportMode::kFolder)
    return {FileQuestion::Type::kFolder, tr("The folder for the files"), {}, {}, {}};
  return {FileQuestion::Type::kSave, tr("Export"), export_filters(ui), {}, {}};
}

FileQuestion question_of(const Ui& ui) {
  const FileFilter readable{
      tr("Sessions, problems, figures, matrices, vectors, lessons"),
      {"*.json", "*.safetensors", "*.npz", "*.png", "*.svg", "*.pdf", "*.webp", "*.html", "*.npy",
       "*.csv", "*.tsv", "*.txt", "*.vec", "*.md"}};
  switch (ui.state.dialog.open) {
    case Dialog::kSaveAs:
      return {FileQuestion::Type::kSave,
              tr("Save the session"),
              {sessions(), problems(), all_files()},
              {},
              {}};
    case Dialog::kSaveAnswers:
      return {FileQuestion::Type::kSave, tr("Save my answers"), {tables(), all_files()}, {}, {}};
    case Dialog::kWorksheet:
      return {
          FileQuestion::Type::kSave, tr("Worksheet"), {{"PDF", {"*.pdf"}}, all_files()}, {}, {}};
    case Dialog::kTokenizer:
      return {FileQuestion::Type::kOpen,
              tr("Tokenizer"),
              {{"tokenizer.json", {"*.json"}}, all_files()},
              {},
              {}};
    case Dialog::kExport:
      return export_question(ui);
    case Dialog::kExploredText:
      return {FileQuestion::Type::kOpen,
              tr("A longer text"),
              {{tr("Texts"), {"*.txt", "*.md"}}, all_files()},
              {},
              {}};
    case Dialog::kTrainingText:
      return {FileQuestion::Type::kOpen,
              tr("A text to learn from"),
              {{tr("Texts"), {"*.txt", "*.md"}}, all_files()},
              {},
              {}};
    case Dialog::kOpenModel:
      return {FileQuestion::Type::kFolder, tr("The folder of a model"), {}, {}, {}};
    default:
      return {FileQuestion::Type::kOpen, tr("Open"), {readable, all_files()}, {}, {}};
  }
}

std::string absolute_folder(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return error ? std::string() : absolute.parent_path().string();
}

// The folder of the proposed path, otherwise of the open file, otherwise of the last chosen file.
std::string start_folder(const Ui& ui, const fs::path& proposed) {
  if (proposed.has_parent_path()) return absolute_folder(proposed);
  if (!ui.workspace.path().empty()) return absolute_folder(ui.workspace.path());
  return ui.state.dialog.folder;
}

std::string completed(const DialogState& dialog, const std::string& path) {
  if (dialog.open == Dialog::kSaveAs) return files::with_ending(path, ".json");
  if (dialog.open == Dialog::kWorksheet) return files::with_ending(path, ".pdf");
  if (dialog.open == Dialog::kSaveAnswers) return files::with_ending(path, ".csv");
  const bool file = dialog.open == Dialog::kExport && dialog.exporting.mode != ExportMode::kFolder;
  return file ? files::with_ending(path, dialog.exporting.ending()) : path;
}

}  // namespace

void ask_file(Ui& ui, Dialog dialog, const std::string& path) {
  open_dialog(ui, dialog, path);
  browse(ui);
}

void browse(Ui& ui) {
  const fs::path proposed = files::full_path(ui.state.dialog.path);
  FileQuestion question = question_of(ui);
  question.folder = start_folder(ui, proposed);
  if (question.type == FileQuestion::Type::kSave) question.name = proposed.filename().string();
  ui.state.dialog.problem.clear();
  ui.state.dialog.choice = 0;
  ui.state.dialog.asking = ui.desktop.ask_file(question);
}

std::string default_folder(const Ui& ui) {
  std::string folder = start_folder(ui, {});
  std::error_code none;
  return folder.empty() ? fs::current_path(none).string() : folder;
}

bool is_browsing(const Ui& ui) {
  return ui.state.dialog.open != Dialog::kNone && ui.state.dialog.asking;
}

bool take_chosen_file(Ui& ui) {
  if (!is_browsing(ui)) return false;
  const auto answer = ui.desktop.take_file_answer();
  if (!answer) return false;
  DialogState& dialog = ui.state.dialog;
  dialog.asking = false;
  ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
  dialog.problem = answer->problem;
  const bool has_choices = dialog.open == Dialog::kExport || dialog.open == Dialog::kWorksheet ||
                           dialog.open == Dialog::kSaveAnswers;  // which stay open until it is made
  if (answer->type == FileAnswer::Type::kCancelled && !has_choices) dialog.open = Dialog::kNone;
  if (answer->type != FileAnswer::Type::kChosen) return false;
  dialog.path = completed(dialog, answer->path);
  dialog.folder = fs::path(answer->path).parent_path().string();
  const bool asked = question_of(ui).type == FileQuestion::Type::kSave;  // about replacing a file
  if (asked && dialog.path == answer->path) dialog.replace = dialog.path;
  return true;
}

}  // namespace lab::view
