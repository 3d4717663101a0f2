#include "app/view/picture_actions.h"

#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/figure/explain_text.h"
#include "app/figure/picture_file.h"
#include "app/figure/stage_text.h"
#include "app/files/bytes.h"
#include "app/files/paths.h"
#include "app/files/session.h"
#include "app/view/file_actions.h"
#include "app/view/heads.h"
#include "app/view/navigation.h"

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

std::string head_text(int head) { return "head " + std::to_string(head + 1); }

// A grid, a pipeline and three maps side by side need the width of a page.
double usual_width(FigureKind kind) {
  const bool is_wide = kind == FigureKind::kHeads || kind == FigureKind::kPipeline ||
                       kind == FigureKind::kTwoHeads || kind == FigureKind::kTwoStates;
  return is_wide ? 183 : 89;
}

// The kind of the figure that is looked at in the card of `stage`.
FigureKind looked_at(const Ui& ui, attention::Stage stage) {
  const HeadView view = ui.state.heads.view;
  const bool weights = stage == attention::Stage::kWeights;
  if (ui.state.compare.shows_difference()) return FigureKind::kTwoStates;
  if (weights && (shows_two_heads(view) || view == HeadView::kDifference))
    return FigureKind::kTwoHeads;
  return FigureKind::kMap;
}

// A picture to be made aside: of the numbers as they are now.
struct Picture {
  Document document;
  attention::Trace trace;
  std::shared_ptr<const Snapshot> kept;
  FigureOptions options;

  Picture(const Ui& ui, FigureOptions chosen)
      : document(ui.document()),
        trace(ui.trace()),
        kept(ui.state.compare.a),
        options(std::move(chosen)) {
    if (options.kind != FigureKind::kTwoStates) return;
    document = ui.workspace.document(), trace = ui.workspace.trace();
  }

  template <typename Use>
  auto with_kept(Use&& use) const {
    if (!kept) return use(nullptr);
    const KeptState state{kept->document, kept->trace};
    return use(&state);
  }
  // Numbers that are wanted make it as wide as they need; nothing when they need too much.
  std::optional<double> width() const {
    if (!options.annotate) return options.width_mm;
    return with_kept([&](const KeptState* a) {
      return width_for_numbers(document, trace, options, kWidestForNumbers, a);
    });
  }
  Expected<std::string> file(const FigureFormat& format, WriteOptions writing,
                             std::optional<double> width) const {
    FigureOptions wide = options;
    wide.width_mm = width.value_or(options.width_mm);
    writing.dpi = options.dpi;
    return with_kept([&](const KeptState* a) {
      return picture_file(document, trace, wide, format, writing, a);
    });
  }
  // As large as fits into a place of that many pixels; empty where it cannot be drawn.
  FigureImage image(double width, double height) const try {
    return with_kept([&](const KeptState* a) {
      const Figure figure = stage_figure(document, trace, options, a);
      return figure_image(figure, std::min(width / figure.width, height / figure.height));
    });
  } catch (const std::out_of_range&) {
    return {};
  }
};

}  // namespace

std::string stage_and_head(const Ui& ui, attention::Stage stage) {
  const std::string head = is_per_head(stage) ? ", " + head_text(ui.state.head) : "";
  return std::string(stage_title(stage)) + head;
}

std::vector<FigureChoice> figure_choices(const Ui& ui) {
  const attention::Stage stage = ui.state.dialog.exporting.figure.stage;
  const std::string title = stage_title(stage);
  const bool several = ui.problem().config.n_heads > 1 && is_per_head(stage);
  const auto cell = selected_cell(ui.state.selection);
  std::vector<FigureChoice> choices{{FigureKind::kMap, stage_and_head(ui, stage)}};
  if (several) {
    choices.push_back({FigureKind::kHeads, title + " of all heads"});
    choices.push_back({FigureKind::kTwoHeads,
                       title + " of heads " + std::to_string(ui.state.head + 1) + " and " +
                           std::to_string(second_head(ui) + 1) + ", and their difference"});
  }
  if (ui.state.compare.a)
    choices.push_back({FigureKind::kTwoStates, title + " of A and B, and their difference"});
  choices.push_back({FigureKind::kPipeline, "All stages of " + head_text(ui.state.head)});
  choices.push_back({FigureKind::kLines, "Lines from queries to keys"});
  choices.push_back(
      {FigureKind::kArithmetic,
       "Arithmetic of " + cell_title(ui.document(), ui.state.selection.stage, cell.row, cell.col)});
  return choices;
}

void open_export_dialog(Ui& ui, attention::Stage stage) {
  FigureOptions& figure = ui.state.dialog.exporting.figure;
  figure.stage = stage;
  figure.palette.reset();
  if (stage == attention::Stage::kWeights) figure.palette = ui.state.weights_palette;
  figure.dark = is_dark(ui.state.theme);
  figure.title.reset();
  choose_figure(ui, looked_at(ui, stage));
  open_dialog(ui, Dialog::kExport, picture_path(ui));
}

void choose_figure(Ui& ui, FigureKind kind) {
  FigureOptions& figure = ui.state.dialog.exporting.figure;
  if (figure.width_mm == usual_width(figure.kind)) figure.width_mm = usual_width(kind);
  if (figure.range_rule == RangeRule::kShared) figure.range_rule = RangeRule::kAutomatic;
  if (kind == FigureKind::kHeads) figure.range_rule = RangeRule::kShared;
  figure.kind = kind;
}

FigureOptions export_options(const Ui& ui) {
  FigureOptions figure = ui.state.dialog.exporting.figure;
  figure.head = ui.state.head;
  figure.second_head = second_head(ui);
  const TokensState& tokens = ui.state.tokens;
  figure.share = tokens.share;
  if (figure.kind == FigureKind::kLines && tokens.lines != TokenLines::kAll)
    figure.row = ui.state.selection.query;
  if (figure.kind == FigureKind::kLines && tokens.lines == TokenLines::kHeads)
    for (const int head : tokens.heads)
      if (head >= 0 && head < ui.problem().config.n_heads) figure.line_heads.push_back(head);
  if (figure.kind == FigureKind::kArithmetic) {
    const Cell cell = selected_cell(ui.state.selection);
    figure.stage = ui.state.selection.stage;
    figure.row = cell.row, figure.column = cell.col;
  }
  if (ui.state.dialog.exporting.marks)
    figure.marks.pins = ui.state.reading.pins, figure.marks.selected = selected_ref(ui);
  return figure;
}

std::string picture_path(const Ui& ui) {
  const FigureOptions& figure = ui.state.dialog.exporting.figure;
  const std::string head = "head-" + std::to_string(ui.state.head + 1);
  std::string what(stage_name(figure.stage));
  if (figure.kind == FigureKind::kMap && is_per_head(figure.stage)) what += "-" + head;
  if (figure.kind == FigureKind::kHeads) what += "-all-heads";
  if (figure.kind == FigureKind::kTwoHeads)
    what += "-" + head + "-and-" + std::to_string(second_head(ui) + 1);
  if (figure.kind == FigureKind::kTwoStates) what += "-a-and-b";
  if (figure.kind == FigureKind::kPipeline) what = "pipeline-" + head;
  if (figure.kind == FigureKind::kLines) what = "lines-" + head;
  if (figure.kind == FigureKind::kArithmetic) what = "arithmetic-" + head;
  const auto folder = std::filesystem::path(ui.workspace.path()).parent_path();
  return (folder / (slug(ui.document().title) + "-" + what + ui.state.dialog.exporting.ending))
      .string();
}

Expected<void> check_picture_path(const std::string& path) {
  if (figure_format(ending_of(path)) != nullptr) return {};
  std::string endings;
  for (const FigureFormat& format : figure_formats())
    endings += (endings.empty() ? "" : ", ") + std::string(format.ending);
  return fail(ErrorKind::kUsage, "The name of a picture ends in one of: " + endings);
}

void draw_export_preview(Ui& ui, const Rect& place) {
  const FigureOptions options = export_options(ui);
  const PreviewKey key{options,
                       ui.workspace.history().state_id(),
                       ui.trace().output.version(),
                       ui.state.compare.a.get(),
                       static_cast<int>(place.w),
                       static_cast<int>(place.h)};
  ui.preview.draw(ui.canvas(), place, key, [&] {
    return Picture(ui, options).image(static_cast<double>(place.w), static_cast<double>(place.h));
  });
}

void export_picture(Ui& ui, const std::string& path) {
  ui.state.dialog.exporting.ending = ending_of(path);
  const auto work = [path, picture = Picture(ui, export_options(ui))](
                        attention::WorkWatch& watch) -> Job::Finish {
    const auto width = picture.width();
    const FigureFormat& format = *figure_format(ending_of(path));
    const auto written =
        picture.file(format, {0, carried_session_of(picture.document), &watch}, width)
            .and_then([&](const std::string& bytes) { return write_bytes(path, bytes); });
    if (!written) return complaint(written.error());
    const char* lack = width ? "" : ", without numbers: there are too many cells";
    return [path, lack](Ui& after) { after.state.notice = "Picture saved to " + path + lack; };
  };
  ui.jobs.start(ui, {"exporting " + file_name_of(path), work});
}

void make_card_picture(Ui& ui, std::function<void(Ui& ui, const std::string& png)> take) {
  FigureOptions options;
  options.stage = ui.state.selection.stage;
  options.head = ui.state.head;
  if (options.stage == attention::Stage::kWeights) options.palette = ui.state.weights_palette;
  options.dark = is_dark(ui.state.theme);
  const auto work = [take = std::move(take),
                     picture = Picture(ui, options)](attention::WorkWatch& watch) -> Job::Finish {
    const auto png = picture.file(*figure_format(".png"), {0, {}, &watch}, picture.width());
    if (!png) return complaint(png.error());
    return [take, bytes = *png](Ui& after) { take(after, bytes); };
  };
  ui.jobs.start(ui, {"making the picture", work});
}

}  // namespace lab
