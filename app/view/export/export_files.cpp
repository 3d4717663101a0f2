#include "app/view/export/export_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/figure/figure_file.h"
#include "app/files/document_session.h"
#include "app/files/io/bytes.h"
#include "app/files/io/folder_writer.h"
#include "app/files/io/paths.h"
#include "app/files/number_formats.h"
#include "app/translation/words.h"
#include "app/view/export/export_actions.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/figure_work.h"
#include "app/view/export/sentence_exports.h"
#include "app/view/session/file_actions.h"

namespace lab::view {
namespace {

namespace fs = std::filesystem;

std::string with_other_ending(const std::string& path, const std::string& ending) {
  return fs::path(path).replace_extension(ending).string();
}

// The names of the files, or of the first ones where there are many.
std::string all_names(const std::vector<std::string>& paths) {
  constexpr std::size_t kMostNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(paths.size(), kMostNamed); ++i)
    names += (names.empty() ? "" : ", ") + files::file_name_of(paths[i]);
  return paths.size() > kMostNamed ? names + " …" : names;
}

std::string written_text(const std::vector<std::string>& paths, const std::string& note) {
  const std::string saved =
      paths.size() == 1 ? tr("Saved to {}", {paths.front()})
                        : tr("Saved to {}: {}",
                             {fs::path(paths.front()).parent_path().string(), all_names(paths)});
  return note.empty() ? saved : saved + "; " + note;
}

// The other formats that the mode offers, without that of `path`.
std::vector<std::string> other_endings(const Ui& ui, const std::string& path) {
  const std::vector<ExportFormat> formats = export_formats(ui);
  std::vector<std::string> others = ui.state.dialog.exporting.others();
  std::erase_if(others, [&](const std::string& ending) {
    return ending == files::ending_of(path) ||
           std::ranges::find(formats, ending, &ExportFormat::ending) == formats.end();
  });
  return others;
}

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

std::vector<std::string> export_paths(const Ui& ui, const std::string& path) {
  std::vector<std::string> paths;
  const auto sentences =
      exports_all_sentences(ui) ? sentence_paths(ui, path) : std::vector<std::string>{path};
  for (const std::string& one : sentences) {
    paths.push_back(one);
    for (const std::string& ending : other_endings(ui, path))
      paths.push_back(with_other_ending(one, ending));
  }
  return paths;
}

std::string export_key(const Ui& ui, const std::string& path) {
  std::string key;
  for (const std::string& one : export_paths(ui, path)) key += (key.empty() ? "" : "\n") + one;
  return key;
}

bool may_write_all(Ui& ui, const std::string& path) {
  DialogState& dialog = ui.state.dialog;
  const std::vector<std::string> paths = export_paths(ui, path);
  const std::string key = export_key(ui, path);
  if (dialog.replace == key) return true;
  if (paths.size() == 1) return may_write(ui, path);
  std::vector<std::string> there;
  std::error_code none;
  std::ranges::copy_if(paths, std::back_inserter(there),
                       [&](const std::string& one) { return fs::exists(one, none); });
  if (there.empty()) return true;
  for (const std::string& one : there)
    if (!fs::is_regular_file(one, none)) return may_write(ui, one);
  dialog.replace = key;
  dialog.problem = tr_count("{1} exists. Replace?", "{1} exist. Replace?",
                            static_cast<long>(there.size()), {all_names(there)});
  return false;
}

void report_export(Ui& ui, const std::string& what) {
  ui.state.notice = what;
  if (ui.state.dialog.open == Dialog::kExport) ui.state.dialog.done = what;
}

void write_exports(Ui& ui, const std::string& path, const std::vector<ExportMaker>& makers) {
  const std::vector<std::string> paths = export_paths(ui, path);
  const auto work = [paths, makers](attention::WorkWatch& watch) -> Job::Finish {
    std::vector<std::string> contents;
    std::string note;
    const std::size_t of_each = paths.size() / makers.size();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      auto made = makers[i / of_each](files::ending_of(paths[i]), watch);
      if (!made) return report_failure(made.error());
      contents.push_back(std::move(made->bytes));
      if (note.empty()) note = made->note;
    }
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (const auto written = files::write_bytes(paths[i], contents[i]); !written)
        return report_failure(written.error());
    return [paths, note](Ui& after) { report_export(after, written_text(paths, note)); };
  };
  ui.jobs.start(ui, {tr("exporting {}", {files::file_name_of(path)}), work});
}

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
