#include "app/view/lesson/worksheet_actions.h"

#include <filesystem>

#include "app/base/machine_numbers.h"
#include "app/figure/figure_writers.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/lessons/paper/worksheet.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/session/ask_file.h"

namespace lab::view {
namespace {

using Pages = Expected<std::vector<figure::Figure>>;

// A function that makes the pages without access to the window.
std::function<Pages()> pages_to_make(const Ui& ui, const lessons::WorksheetOptions& options) {
  if (!lesson_is_open(ui.state))
    return [document = ui.document(), options] {
      return lessons::session_worksheet(document, options);
    };
  const std::string folder = std::filesystem::path(ui.state.lesson.path).parent_path().string();
  return [lesson = ui.state.lesson.run->lesson(), folder, options] {
    return lessons::lesson_worksheet(lesson, folder, options);
  };
}

Expected<void> write_pages(const Pages& pages, const std::string& path) {
  if (!pages) return tl::make_unexpected(pages.error());
  const auto pdf = figure::write_pdf_pages(*pages, {});
  if (!pdf) return tl::make_unexpected(pdf.error());
  return files::write_bytes(path, *pdf);
}

// The name of the lesson, or of the session's file.
std::string proposed_name(const Ui& ui) {
  const bool is_lesson = lesson_is_open(ui.state);
  if (is_lesson)
    if (const auto built_in = lessons::built_in_lesson_at(ui.state.lesson.path))
      return built_in->name;
  const std::filesystem::path path = is_lesson ? ui.state.lesson.path : ui.workspace.path();
  return path.empty() ? tr("worksheet") : path.stem().string();
}

std::optional<std::uint64_t> seed_of(const Ui& ui) {
  if (!takes_seed(ui)) return std::nullopt;
  return parse_number<std::uint64_t>(ui.state.dialog.worksheet.seed);
}

}  // namespace

std::string proposed_worksheet(const Ui& ui) {
  std::string name = proposed_name(ui);
  if (const auto seed = seed_of(ui)) name += "-" + std::to_string(*seed);
  return (ui.state.dialog.worksheet.answers ? tr("{}-answers", {name}) : name) + ".pdf";
}

void ask_worksheet_path(Ui& ui) { ask_file(ui, Dialog::kWorksheet, proposed_worksheet(ui)); }

std::string worksheet_subject(const Ui& ui) {
  if (lesson_is_open(ui.state))
    return tr("This lesson for pencil and paper, with what it asks for left out (.pdf).");
  return tr("Head {} for pencil and paper, with some of its numbers left out (.pdf).",
            {std::to_string(ui.state.head + 1)});
}

bool takes_seed(const Ui& ui) {
  return !lesson_is_open(ui.state) || ui.state.lesson.run->lesson().seeds;
}

bool save_worksheet(Ui& ui, const std::string& path) {
  const WorksheetOptions& options = ui.state.dialog.worksheet;
  const auto seed = seed_of(ui);
  if (takes_seed(ui) && !seed && !options.seed.empty()) {
    ui.state.dialog.problem = tr("The seed is a whole number, such as 7.");
    return false;
  }
  const auto make = pages_to_make(ui, {ui.state.head, options.answers, seed, ui.state.digits});
  const auto work = [path, make](attention::WorkWatch&) -> Job::Finish {
    const auto written = write_pages(make(), path);
    if (!written) return report_failure(written.error());
    return [path](Ui& after) { after.state.notice = tr("Saved the worksheet to {}", {path}); };
  };
  ui.state.dialog.worksheet.seed.clear();  // the next sheet only has new numbers on request
  ui.jobs.start(ui, {tr("writing {}", {files::file_name_of(path)}), work, false});
  return true;
}

}  // namespace lab::view
