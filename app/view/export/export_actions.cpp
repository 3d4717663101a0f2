#include "app/view/export/export_actions.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "app/base/names.h"
#include "app/figure/animation/animation_file.h"
#include "app/figure/figure_writers.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/export/animation_actions.h"
#include "app/view/export/export_files.h"
#include "app/view/export/export_memory.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/model_figures.h"
#include "app/view/export/number_actions.h"
#include "app/view/export/sentence_exports.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/session/file_actions.h"

namespace lab::view {
namespace {

// The first words of the sentence, otherwise of the title.
std::string name_of_document(const Document& document) {
  for (const std::string& text : {document.sentence, document.title})
    if (std::string name = short_name(text); !name.empty()) return name;
  return "attention";
}

// Converts a table of formats for menus.
template <typename Format>
std::vector<ExportFormat> offered(std::span<const Format> table) {
  std::vector<ExportFormat> formats;
  formats.reserve(table.size());
  for (const Format& format : table)
    formats.push_back({std::string(format.ending), std::string(format.name)});
  return formats;
}

std::vector<ExportFormat> number_formats_of(const NumberChoice& chosen) {
  std::vector<ExportFormat> formats = offered(files::number_formats());
  std::erase_if(formats, [&](const ExportFormat& format) {
    if (chosen.whole != WholeModel::kNone) return format.ending != ".csv";
    return chosen.all_stages && !files::find_number_format(format.ending)->holds_several;
  });
  return formats;
}

// A page shows all stages and heads by itself.
std::vector<ExportFormat> folder_formats() {
  std::vector<ExportFormat> formats = offered(figure::figure_formats());
  std::erase_if(formats, [](const ExportFormat& format) { return format.ending == ".html"; });
  for (ExportFormat& format : offered(files::number_formats()))
    formats.push_back(std::move(format));
  return formats;
}

bool offers(const std::vector<ExportFormat>& formats, const std::string& ending) {
  return std::ranges::find(formats, ending, &ExportFormat::ending) != formats.end();
}

// Why `path` cannot be the name of the file, or why the file cannot be made; empty when all is
// well.
std::string file_problem(const Ui& ui, const std::string& path) {
  const std::vector<ExportFormat> formats = export_formats(ui);
  std::string endings;
  for (const ExportFormat& format : formats)
    endings += (endings.empty() ? "" : ", ") + format.ending;
  if (!offers(formats, files::ending_of(path)))
    return tr("The name must end in one of: {}", {endings});
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none))
    return tr("There is no folder {}", {folder.string()});
  const WholeModel whole = chosen_whole_model(ui);
  if (whole != WholeModel::kNone && model_figure_numbers(ui, whole) == nullptr)
    return numbers_pending_text();
  if (ui.state.dialog.exporting.mode == ExportMode::kNumbers) return {};
  if (std::string problem = chosen_tokens(ui).problem; !problem.empty()) return problem;
  return ui.state.dialog.exporting.mode == ExportMode::kMotion ? motion_problem(ui) : "";
}

// The tokens, names and title of a figure are those of its sentence.
void begin_sentence(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const Document& document = ui.document();
  const std::string sentence = document.sentence + "\n" + document.kv_sentence;
  if (dialog.export_sentence == sentence) return;
  dialog.export_sentence = sentence;
  dialog.exporting.queries.clear(), dialog.exporting.keys.clear();
  dialog.exporting.figure.names.clear();
  dialog.exporting.figure.title.reset();
  dialog.renamed = 0;
}

bool is_offered(const Ui& ui, figure::FigureType type) {
  const std::vector<FigureChoice> choices = figure_choices(ui);
  return std::ranges::find(choices, type, &FigureChoice::type) != choices.end();
}

// The figure is of the type chosen last, but for this time of a difference where one is shown.
void choose_shown_figure(Ui& ui, attention::Stage stage) {
  DialogState& dialog = ui.state.dialog;
  choose_figure(ui, chosen_type(dialog));
  dialog.shown_figure.reset();
  const figure::FigureType chosen = dialog.exporting.figure.type, shown = looked_at(ui, stage);
  if (shown == figure::FigureType::kMap && is_offered(ui, chosen)) return;
  dialog.shown_figure = {shown, chosen};
  choose_figure(ui, shown);
}

std::vector<ExportMaker> makers_of(const Ui& ui) {
  const ExportMode mode = ui.state.dialog.exporting.mode;
  if (exports_all_sentences(ui)) return sentence_makers(ui);
  if (mode == ExportMode::kNumbers) return {numbers_maker(ui)};
  return {mode == ExportMode::kMotion ? motion_maker(ui) : figure_maker(ui)};
}

// The same for a folder.
std::string folder_problem(const Ui& ui, const std::string& path) {
  if (!offers(export_formats(ui), files::ending_of(path))) return {};
  return tr("This is the name of a file; the files go into a folder");
}

std::string stem_of(const Ui& ui) {
  switch (ui.state.dialog.exporting.mode) {
    case ExportMode::kFigure:
      return figure_stem(ui);
    case ExportMode::kNumbers:
      return numbers_stem(ui);
    case ExportMode::kFolder:
      return "all-stages-and-heads";
    case ExportMode::kMotion:
      return motion_stem(ui);
  }
  return {};
}

}  // namespace

std::vector<ExportFormat> export_formats(const Ui& ui) {
  switch (ui.state.dialog.exporting.mode) {
    case ExportMode::kFigure:
      return offered(figure::figure_formats());
    case ExportMode::kNumbers:
      return number_formats_of(chosen_numbers(ui));
    case ExportMode::kFolder:
      return folder_formats();
    case ExportMode::kMotion:
      return offered(figure::animation_formats());
  }
  return {};
}

std::string chosen_ending(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  const std::string typed = files::ending_of(ui.state.dialog.path);
  const bool named = exporting.mode != ExportMode::kFolder && offers(export_formats(ui), typed);
  return named ? typed : exporting.ending();
}

void open_export_dialog(Ui& ui, attention::Stage stage) {
  DialogState& dialog = ui.state.dialog;
  figure::FigureOptions& figure = dialog.exporting.figure;
  if (figure.stage != stage) figure.title.reset();
  figure.stage = stage;
  begin_sentence(ui);
  choose_shown_figure(ui, stage);
  if (ui.state.inspection.ranges.of(stage) != RangeChoice{}) use_shown_range(ui, stage, figure);
  dialog.done.clear();
  open_dialog(ui, Dialog::kExport, export_path(ui));
}

void save_as_figure(Ui& ui, attention::Stage stage) {
  ui.state.dialog.exporting.mode = ExportMode::kFigure;
  ui.state.dialog.exporting.whole = WholeModel::kNone;
  choose_figure(ui, figure::FigureType::kMap);
  open_export_dialog(ui, stage);
}

void save_model_figure(Ui& ui) {
  ExportState& exporting = ui.state.dialog.exporting;
  exporting.mode = ExportMode::kFigure;
  if (exporting.whole == WholeModel::kNone) exporting.whole = WholeModel::kAttention;
  open_export_dialog(ui, attention::Stage::kWeights);
}

std::string export_path(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  const std::string ending = exporting.mode == ExportMode::kFolder ? "" : exporting.ending();
  std::error_code none;
  std::filesystem::path folder = ui.state.dialog.export_folder;
  if (folder.empty() || !std::filesystem::is_directory(folder, none))
    folder = std::filesystem::path(ui.workspace.path()).parent_path();
  return (folder / (name_of_document(ui.document()) + "-" + stem_of(ui) + ending)).string();
}

bool may_export(Ui& ui, const std::string& path) {
  const bool folder = ui.state.dialog.exporting.mode == ExportMode::kFolder;
  ui.state.dialog.problem = folder ? folder_problem(ui, path) : file_problem(ui, path);
  if (!ui.state.dialog.problem.empty()) return false;
  return folder ? may_fill(ui, path) : may_write_all(ui, path);
}

void start_export(Ui& ui, const std::string& path) {
  ExportState& exporting = ui.state.dialog.exporting;
  ui.state.dialog.done.clear();
  ui.state.dialog.export_folder = std::filesystem::path(path).parent_path().string();
  keep_choices(ui.state.dialog);
  if (exporting.mode == ExportMode::kFolder) return export_folder(ui, path);
  exporting.ending() = files::ending_of(path);
  write_exports(ui, path, makers_of(ui));
  ui.state.dialog.replace = export_key(ui, path);  // what it has written it may write again
}

bool can_copy_export(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  if (exporting.mode == ExportMode::kNumbers) return is_text_format(exporting.ending());
  return exporting.mode == ExportMode::kFigure;
}

void copy_export(Ui& ui) {
  ui.state.dialog.exporting.mode == ExportMode::kNumbers ? copy_export_numbers(ui)
                                                         : copy_export_figure(ui);
}

}  // namespace lab::view
