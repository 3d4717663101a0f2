#include "app/view/picture_actions.h"

#include <cctype>
#include <filesystem>
#include <utility>

#include "app/figure/png_writer.h"
#include "app/figure/stage_figure.h"
#include "app/figure/stage_text.h"
#include "app/files/bytes.h"
#include "app/files/paths.h"
#include "app/view/file_actions.h"

namespace lab {
namespace {

// Letters and digits of `title`, the rest as single dashes.
std::string slug(const std::string& title) {
  std::string name;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "attention" : name;
}

// A stage of the focused head, a column of a paper wide.
FigureOptions figure_options(const Ui& ui, attention::Stage stage) {
  FigureOptions options;
  options.stage = stage;
  options.head = ui.state.head;
  if (stage == attention::Stage::kWeights) options.palette = ui.state.weights_palette;
  options.annotate = ui.state.dialog.export_values;
  options.dark = is_dark(ui.state.theme);
  return options;
}

// What the export dialog describes.
FigureOptions figure_options(const Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  FigureOptions options = figure_options(ui, dialog.export_stage);
  if (dialog.export_what == 1) options.kind = FigureKind::kHeads;
  if (dialog.export_what == 2) options.kind = FigureKind::kPipeline;
  if (dialog.export_what == 1) options.range_rule = RangeRule::kShared;
  options.width_mm = dialog.export_what == 0 ? 89 : 183;
  return options;
}

// A picture to be made aside: of the numbers as they are now.
struct Picture {
  Document document;
  attention::Trace trace;
  FigureOptions options;

  Picture(const Ui& ui, FigureOptions chosen)
      : document(ui.document()), trace(ui.trace()), options(std::move(chosen)) {}
  // Numbers that are wanted make it as wide as they need; nothing when they need too much.
  std::optional<double> width() const {
    if (!options.annotate) return options.width_mm;
    return width_for_numbers(document, trace, options, kWidestForNumbers);
  }
  Expected<std::string> png(std::optional<double> width, attention::WorkWatch& watch) const {
    FigureOptions wide = options;
    wide.width_mm = width.value_or(options.width_mm);
    return write_png(stage_figure(document, trace, wide), {wide.dpi, {}, &watch});
  }
};

}  // namespace

std::string stage_and_head(const Ui& ui, attention::Stage stage) {
  const std::string head = ", head " + std::to_string(ui.state.head + 1);
  return std::string(stage_title(stage)) + (is_per_head(stage) ? head : "");
}

void open_export_dialog(Ui& ui, attention::Stage stage) {
  ui.state.dialog.export_stage = stage;
  ui.state.dialog.export_what = 0;
  open_dialog(ui, Dialog::kExport, picture_path(ui));
}

std::string picture_path(const Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  const std::string head = "head-" + std::to_string(ui.state.head + 1);
  std::string what(stage_name(dialog.export_stage));
  if (dialog.export_what == 0 && is_per_head(dialog.export_stage)) what += "-" + head;
  if (dialog.export_what == 1) what += "-all-heads";
  if (dialog.export_what == 2) what = "pipeline-" + head;
  const auto folder = std::filesystem::path(ui.workspace.path()).parent_path();
  return (folder / (slug(ui.document().title) + "-" + what + ".png")).string();
}

void export_picture(Ui& ui, const std::string& path) {
  const auto work = [path, picture = Picture(ui, figure_options(ui))](
                        attention::WorkWatch& watch) -> Job::Finish {
    const auto width = picture.width();
    const auto written = picture.png(width, watch).and_then([&](const std::string& png) {
      return write_bytes(path, png);
    });
    if (!written) return complaint(written.error());
    const char* lack = width ? "" : ", without numbers: there are too many cells";
    return [path, lack](Ui& after) { after.state.notice = "Picture saved to " + path + lack; };
  };
  ui.jobs.start(ui, {"exporting " + file_name_of(path), work});
}

void make_card_picture(Ui& ui, std::function<void(Ui& ui, const std::string& png)> take) {
  const auto work = [take = std::move(take),
                     picture = Picture(ui, figure_options(ui, ui.state.selection.stage))](
                        attention::WorkWatch& watch) -> Job::Finish {
    const auto png = picture.png(picture.width(), watch);
    if (!png) return complaint(png.error());
    return [take, bytes = *png](Ui& after) { take(after, bytes); };
  };
  ui.jobs.start(ui, {"making the picture", work});
}

}  // namespace lab
