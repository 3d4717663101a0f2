#include "app/view/export/figure_actions.h"

#include <utility>

#include "app/base/typed_number.h"
#include "app/document/matrix_labels.h"
#include "app/document/token_choice.h"
#include "app/explain/explain_text.h"
#include "app/explain/stage_text.h"
#include "app/figure/animation/animation_types.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/figure/figure_writers.h"
#include "app/files/document_session.h"
#include "app/translation/words.h"
#include "app/view/export/animation_actions.h"
#include "app/view/export/figure_preview.h"
#include "app/view/export/figure_work.h"
#include "app/view/export/model_figures.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

// A grid, a pipeline and three maps side by side need the width of a page.
double default_width(figure::FigureType type) {
  const bool is_wide =
      type == figure::FigureType::kHeads || type == figure::FigureType::kPipeline ||
      type == figure::FigureType::kTwoHeads || type == figure::FigureType::kTwoStates;
  return is_wide ? 183 : 89;
}

// What is not chosen in the dialog is as in the window.
void use_window_look(const Ui& ui, figure::FigureOptions& figure) {
  figure.dark = ui.state.dialog.exporting.dark.value_or(figure::is_dark(ui.state.theme));
  if (!figure.palette && figure.stage == attention::Stage::kWeights &&
      !takes_sensitivity(ui, figure))
    figure.palette = ui.state.weights_palette;
}

void use_tokens(const Ui& ui, figure::FigureOptions& figure) {
  ChosenTokens chosen = chosen_tokens(ui);
  figure.queries = std::move(chosen.queries);
  figure.keys = std::move(chosen.keys);
}

void copy_to_clipboard(Ui& ui, FigureWork figure, const std::string& notice) {
  const auto work = [notice,
                     figure = std::move(figure)](attention::WorkWatch& watch) -> Job::Finish {
    const auto png = figure.file(*figure::figure_format(".png"), {0, {}, &watch});
    if (!png) return report_failure(png.error());
    return [notice, bytes = *png](Ui& after) {
      const auto copied = after.desktop.copy_picture(bytes);
      if (copied) return report_export(after, notice);
      after.state.error = copied.error().message;
    };
  };
  ui.jobs.start(ui, {tr("making the figure"), work});
}

}  // namespace

std::string stage_and_head(const Ui& ui, attention::Stage stage) {
  const std::string title = explain::stage_title(stage);
  return is_per_head(stage) ? tr("{}, {}", {title, head_in_text(ui.document(), ui.state.head)})
                            : title;
}

std::vector<FigureChoice> figure_choices(const Ui& ui) {
  const attention::Stage stage = ui.state.dialog.exporting.figure.stage;
  const std::string title = explain::stage_title(stage);
  const bool several = ui.problem().config.n_heads > 1 && is_per_head(stage);
  const auto cell = selected_cell(ui.state.selection);
  const std::string head = head_number(ui.document(), ui.state.head);
  std::vector<FigureChoice> choices{{figure::FigureType::kMap, stage_and_head(ui, stage)}};
  if (several) {
    choices.push_back({figure::FigureType::kHeads, tr("{} of all heads", {title})});
    choices.push_back({figure::FigureType::kTwoHeads,
                       tr("{} of heads {} and {}, and their difference",
                          {title, head, head_number(ui.document(), second_head(ui))})});
  }
  if (several && stage == attention::Stage::kWeights)
    choices.push_back({figure::FigureType::kMean, figure::title_of_mean(ui.document())});
  if (ui.state.compare.a)
    choices.push_back(
        {figure::FigureType::kTwoStates, compared_stage(ui, stage, ui.state.head).fits()
                                             ? tr("{} of A and B, and their difference", {title})
                                             : tr("{} of A and B", {title})});
  choices.push_back({figure::FigureType::kPipeline, tr("All stages of head {}", {head})});
  choices.push_back({figure::FigureType::kLines, tr("Lines from queries to keys")});
  choices.push_back(
      {figure::FigureType::kArithmetic,
       tr("Arithmetic of {}",
          {explain::cell_title(ui.document(), ui.state.selection.stage, cell.row, cell.col)})});
  if (ui.state.dialog.exporting.mode == ExportMode::kFigure)
    for (const ModelFigureChoice& one : model_figure_choices(ui))
      choices.push_back({figure::FigureType::kMap, one.name, one.whole});
  return choices;
}

figure::FigureType looked_at(const Ui& ui, attention::Stage stage) {
  const HeadView view = ui.state.heads.view;
  const bool weights = stage == attention::Stage::kWeights;
  if (ui.state.compare.shows_difference()) return figure::FigureType::kTwoStates;
  const bool of_stage = view == HeadView::kBeside || view == HeadView::kDifference;
  if ((weights && shows_two_heads(view)) || (is_per_head(stage) && of_stage))
    return figure::FigureType::kTwoHeads;
  return weights && view == HeadView::kMean ? figure::FigureType::kMean : figure::FigureType::kMap;
}

void choose_figure(Ui& ui, figure::FigureType type) {
  figure::FigureOptions& figure = ui.state.dialog.exporting.figure;
  if (figure.width_mm == default_width(figure.type)) figure.width_mm = default_width(type);
  if (figure.range_rule == figure::RangeRule::kShared)
    figure.range_rule = figure::RangeRule::kAutomatic;
  if (type == figure::FigureType::kHeads) figure.range_rule = figure::RangeRule::kShared;
  figure.type = type;
}

ChosenTokens chosen_tokens(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  const Document& document = ui.document();
  const bool same = exporting.keys.empty() && !document.problem.cross();
  const auto queries =
      lab::chosen_tokens(exporting.queries, row_labels(document, attention::Stage::kQ));
  const auto keys = lab::chosen_tokens(same ? exporting.queries : exporting.keys,
                                       row_labels(document, attention::Stage::kK));
  ChosenTokens chosen;
  if (!queries) chosen.problem = queries.error().message;
  if (!keys) chosen.problem = keys.error().message;
  if (chosen.problem.empty()) chosen.queries = *queries, chosen.keys = *keys;
  return chosen;
}

figure::FigureOptions export_options(const Ui& ui) {
  figure::FigureOptions figure = ui.state.dialog.exporting.figure;
  figure.head = ui.state.head;
  figure.second_head = second_head(ui);
  use_window_look(ui, figure);
  use_tokens(ui, figure);
  const TokensState& tokens = ui.state.tokens;
  figure.share = tokens.share;
  if (figure.type == figure::FigureType::kLines && tokens.lines != TokenLines::kAll)
    figure.row = ui.state.selection.query;
  if (figure.type == figure::FigureType::kLines && tokens.lines == TokenLines::kHeads)
    for (const int head : tokens.heads)
      if (head >= 0 && head < ui.problem().config.n_heads) figure.line_heads.push_back(head);
  if (figure.type == figure::FigureType::kArithmetic) {
    const Cell cell = selected_cell(ui.state.selection);
    figure.stage = ui.state.selection.stage;
    figure.row = cell.row, figure.column = cell.col;
  }
  if (figure.range.lo > figure.range.hi) std::swap(figure.range.lo, figure.range.hi);
  if (figure.range_rule == figure::RangeRule::kFixed && !(figure.range.lo < figure.range.hi))
    figure.range_rule = figure::RangeRule::kAutomatic;  // while the limits are typed
  if (ui.state.dialog.exporting.mode == ExportMode::kMotion && chosen_motion(ui) == Motion::kWalk &&
      !figure::is_walked(figure.type))
    figure.type = figure::FigureType::kMap;
  if (ui.state.dialog.exporting.mode == ExportMode::kFolder) figure.type = figure::FigureType::kMap;
  if (ui.state.dialog.exporting.marks)
    figure.marks.pins = ui.state.inspection.pins, figure.marks.selected = selected_ref(ui);
  return figure;
}

namespace {

std::string stem_of_figure(const Ui& ui, const figure::FigureOptions& figure) {
  const std::string head = "head-" + head_number(ui.document(), ui.state.head);
  std::string stage(stage_name(figure.stage));
  switch (figure.type) {
    case figure::FigureType::kMean:
      if (figure.stage == attention::Stage::kWeights) return stage + "-mean";
      return is_per_head(figure.stage) ? stage + "-" + head : stage;
    case figure::FigureType::kMaximum:
      if (figure.stage == attention::Stage::kWeights) return stage + "-maximum";
      [[fallthrough]];
    case figure::FigureType::kMap:
      return is_per_head(figure.stage) ? stage + "-" + head : stage;
    case figure::FigureType::kHeads:
      return stage + "-all-heads";
    case figure::FigureType::kTwoHeads:
      return stage + "-" + head + "-and-" + head_number(ui.document(), second_head(ui));
    case figure::FigureType::kTwoStates:
      return stage + "-a-and-b";
    case figure::FigureType::kPipeline:
      return "pipeline-" + head;
    case figure::FigureType::kLines:
      return "lines-" + head;
    case figure::FigureType::kArithmetic:
      return "arithmetic-" + head;
  }
  return stage;
}

}  // namespace

std::string figure_stem(const Ui& ui) {
  if (const WholeModel whole = chosen_whole_model(ui); whole != WholeModel::kNone)
    return whole_model_stem(whole);
  const figure::FigureOptions figure = export_options(ui);
  return (takes_sensitivity(ui, figure) ? "sensitivity-" : "") + stem_of_figure(ui, figure);
}

PreviewKey preview_key(const Ui& ui, const Rect& bounds) {
  return {export_options(ui),
          ui.workspace.history().state_id(),
          ui.trace().output.version(),
          ui.state.compare.a.get(),
          static_cast<int>(bounds.w),
          static_cast<int>(bounds.h),
          std::nullopt,
          {},
          language(),
          decimal_comma(),
          chosen_whole_model(ui),
          model_figure_numbers(ui, chosen_whole_model(ui)),
          shows_sensitivity(ui) ? ui.sensitivity.number() : 0};
}

void draw_export_preview(Ui& ui, const Rect& bounds) {
  want_model_figure(ui, chosen_whole_model(ui));
  const PreviewKey key = preview_key(ui, bounds);
  if (key.whole != WholeModel::kNone && key.model_numbers == nullptr)
    return draw_text(ui, ui.fonts.text, bounds, tr("computing"), ui.theme.dim, TextAlign::kCentre);
  ui.preview.draw(ui.canvas(), bounds, key, [&] {
    const FigureWork work(ui, key.options, key.whole);
    ui.state.dialog.numbers_note = work.numbers_note();
    return work.image(static_cast<double>(bounds.w), static_cast<double>(bounds.h));
  });
}

ExportMaker figure_maker(const Ui& ui) {
  return [figure = FigureWork(ui, export_options(ui), chosen_whole_model(ui))](
             const std::string& ending, attention::WorkWatch& watch) -> Expected<ExportedFile> {
    const figure::FigureFormat& format = *figure::figure_format(ending);
    auto bytes = figure.file(
        format, {0, files::embedded_document_session(figure.session_document()), &watch});
    if (!bytes) return tl::make_unexpected(bytes.error());
    return ExportedFile{std::move(*bytes), format.write ? figure.numbers_note() : ""};
  };
}

void copy_export_figure(Ui& ui) {
  copy_to_clipboard(ui, FigureWork(ui, export_options(ui), chosen_whole_model(ui)),
                    tr("Copied the picture"));
}

void copy_card_picture(Ui& ui) {
  figure::FigureOptions options;
  options.stage = ui.state.selection.stage;
  options.head = ui.state.head;
  if (options.stage == attention::Stage::kWeights && !takes_sensitivity(ui, options))
    options.palette = ui.state.weights_palette;
  options.dark = figure::is_dark(ui.state.theme);
  use_shown_range(ui, options.stage, options);
  copy_to_clipboard(ui, FigureWork(ui, options),
                    tr("Copied the picture of {}", {stage_and_head(ui, options.stage)}));
}

}  // namespace lab::view
