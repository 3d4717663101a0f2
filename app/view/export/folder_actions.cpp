#include "app/view/export/folder_actions.h"

#include <algorithm>
#include <filesystem>

#include "app/figure/figure_file.h"
#include "app/files/document_session.h"
#include "app/files/io/folder_writer.h"
#include "app/files/io/paths.h"
#include "app/files/number_formats.h"
#include "app/translation/words.h"
#include "app/view/export/export_files.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/figure_work.h"

namespace lab::view {
namespace {

Expected<std::string> encode(const FigureWork& figure, const std::string& ending,
                             const std::string& session, const figure::StageOfHead& what) {
  if (const files::NumberFormat* numbers = files::find_number_format(ending))
    return numbers->encode(figure.document(), figure.trace(), {what.stage, what.head});
  return figure.file_of(*figure::figure_format(ending), {0, session, nullptr}, what.stage,
                        what.head.value_or(0));
}

// The endings of the files for one stage and head.
std::vector<std::string> folder_endings(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  std::vector<std::string> endings{exporting.ending()};
  for (const std::string& other : exporting.others())
    if (other != exporting.ending()) endings.push_back(other);
  return endings;
}

}  // namespace

std::size_t folder_file_count(const Ui& ui) {
  return figure::all_stages_of_heads(ui.problem()).size() * folder_endings(ui).size();
}

bool may_fill(Ui& ui, const std::string& folder) {
  DialogState& dialog = ui.state.dialog;
  std::error_code none;
  if (dialog.replace == folder || !std::filesystem::exists(folder, none)) return true;
  if (!std::filesystem::is_directory(folder, none)) {
    dialog.problem = tr("{} is a file, not a folder.", {files::file_name_of(folder)});
    return false;
  }
  long there = 0;
  for (const std::string& ending : folder_endings(ui))
    there += std::ranges::count_if(
        figure::file_names(figure::all_stages_of_heads(ui.problem()), ending),
        [&](const std::string& name) {
          return std::filesystem::exists(std::filesystem::path(folder) / name, none);
        });
  if (there == 0) return true;
  dialog.replace = folder;
  dialog.problem = tr_count("{1} has {0} file with these names. Replace?",
                            "{1} has {0} files with these names. Replace?", there,
                            {files::file_name_of(folder)});
  return false;
}

void export_folder(Ui& ui, const std::string& folder) {
  const auto work =
      [folder, endings = folder_endings(ui),
       figure = FigureWork(ui, export_options(ui))](attention::WorkWatch& watch) -> Job::Finish {
    const auto all = figure::all_stages_of_heads(figure.document().problem);
    const std::string session = files::embedded_document_session(figure.document());
    const auto count = static_cast<long>(all.size() * endings.size());
    watch.expect(count);
    for (const std::string& ending : endings) {
      const auto written = files::write_folder(
          folder, figure::file_names(all, ending),
          [&](std::size_t i) { return encode(figure, ending, session, all[i]); },
          [&](std::size_t) { watch.did(1); });
      if (!written) return report_failure(written.error());
    }
    return [folder, count](Ui& after) {
      report_export(after,
                    tr_count("{} file saved to {}", "{} files saved to {}", count, {folder}));
    };
  };
  ui.jobs.start(ui, {tr("exporting to {}", {files::file_name_of(folder)}), work});
}

}  // namespace lab::view
