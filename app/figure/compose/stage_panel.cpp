#include <algorithm>
#include <cmath>

#include "app/explain/number_text.h"
#include "app/figure/compose/range.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/translation/words.h"
#include "core/analysis/combine.h"

namespace lab::figure {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Matrix;
using attention::Stage;

std::vector<std::string> row_labels(const Document& document, Stage stage, Index count) {
  std::vector<std::string> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(row_label(document, stage, i));
  return labels;
}

std::vector<std::string> column_labels(const Document& document, Stage stage, Index count) {
  std::vector<std::string> labels;
  for (Index j = 0; j < count; ++j) labels.push_back(column_label(document, stage, j));
  return labels;
}

Range own_range(const FigureSource& source, Stage stage, Index head) {
  const Matrix& values = *source.values(stage, head);
  const Range own = source.options.range_rule == RangeRule::kRobust
                        ? robust_range(stage, values)
                        : automatic_range(stage, values);
  return source.common == nullptr ? own : source.common->range(stage, head, own);
}

/// One range for all heads if requested, or when heads are compared.
bool shares_range(const FigureOptions& options) {
  return options.range_rule == RangeRule::kShared || options.kind == FigureKind::kTwoHeads;
}

Range with_spread(Range range, const FigureOptions& options) {
  range.spread = options.spread;
  return range;
}

Range range_of(const FigureSource& source, Stage stage, Index head) {
  const FigureOptions& options = source.options;
  if (options.range_rule == RangeRule::kFixed) return with_spread(options.range, options);
  Range range = own_range(source, stage, head);
  if (shares_range(options) && attention::is_per_head(stage))
    for (Index h = 0; h < source.heads(); ++h) range = united(range, own_range(source, stage, h));
  return with_spread(options.centre ? centred(range, *options.centre) : range, options);
}

std::string number_in_figure(const FigureOptions& options, float value) {
  if (options.significant) return explain::format_significant(value, options.decimals);
  return options.exact ? explain::format_fixed(value, options.decimals)
                       : explain::adaptive_text(value, options.decimals);
}

std::vector<std::string> cell_texts(const FigureOptions& options, const Matrix& values) {
  constexpr Index kMostNumbers = 40000;  // beyond it no cell of any page has room for a number
  if (!options.annotate || values.size() > kMostNumbers) return {};
  std::vector<std::string> texts;
  for (Index i = 0; i < values.size(); ++i)
    texts.push_back(number_in_figure(options, values.data()[i]));
  return texts;
}

}  // namespace

std::string head_name(Index head) { return tr("head {}", {std::to_string(head + 1)}); }

std::vector<PanelMark> stage_marks(const FigureSource& source, Stage stage, Index head) {
  const FigureMarks& wanted = source.options.marks;
  const attention::Shape shape = source.values(stage, head).shape();
  const bool any_head = !attention::is_per_head(stage);
  std::vector<PanelMark> marks;
  const auto add = [&](PanelMark::Kind kind, Index row, Index column) {
    if (row < shape.rows && column < shape.cols) marks.push_back({kind, row, column});
  };
  const auto add_cell = [&](PanelMark::Kind kind, const CellRef& cell) {
    if (cell.matrix == attention::stage_name(stage) && (cell.head == head || any_head))
      add(kind, cell.row, cell.col);
  };
  for (const attention::Override& o : source.document.problem.overrides)
    if (wanted.overrides && o.stage == stage && (o.head == head || any_head))
      add(PanelMark::kOverride, o.row, o.col);
  for (const CellRef& pin : wanted.pins) add_cell(PanelMark::kPin, pin);
  if (wanted.selected) add_cell(PanelMark::kSelected, *wanted.selected);
  return marks;
}

Panel stage_panel(const FigureSource& source, Stage stage, Index head) {
  Panel panel;
  panel.values = source.values(stage, head);
  panel.row_labels = row_labels(source.document, stage, panel.values->rows());
  panel.column_labels = column_labels(source.document, stage, panel.values->cols());
  const bool keys = attention::has_key_columns(stage);
  panel.number_columns = !keys && (source.document.dimensions.empty() ||
                                   !has_dimension_columns(source.document, stage));
  panel.square = keys;
  panel.block = stage == Stage::kConcat ? source.document.problem.config.d_v : 0;
  panel.palette = source.options.palette.value_or(default_palette(stage));
  panel.range = range_of(source, stage, head);
  panel.colour_bar = source.options.colour_bar;
  panel.cell_texts = cell_texts(source.options, *panel.values);
  panel.marks = stage_marks(source, stage, head);
  return panel;
}

Panel difference_panel(const FigureSource& source, const Panel& like, const Matrix& from,
                       const Matrix& to) {
  Panel panel = like;
  const Matrix difference = attention::difference(from, to);
  panel.values = attention::SharedMatrix(difference);
  std::erase_if(panel.marks, [](const PanelMark& m) { return m.kind == PanelMark::kOverride; });
  panel.palette = Palette::kRedBlue;
  panel.range = automatic_range(Stage::kScores, difference);
  if (source.common != nullptr)
    panel.range = source.common->range(source.options.stage, CommonLook::kDifference, panel.range);
  panel.range.spread = source.options.spread;
  panel.cell_texts = cell_texts(source.options, difference);
  return panel;
}

}  // namespace lab::figure
