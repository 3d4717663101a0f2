#include <algorithm>
#include <cmath>
#include <limits>

#include "app/explain/number_text.h"
#include "app/figure/compose/range.h"
#include "app/figure/compose/shown_tokens.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/translation/words.h"
#include "core/analysis/combine.h"

namespace lab::figure {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Matrix;
using attention::Stage;

// The label of a row or a column of a stage.
using LabelAt = std::string (*)(const Document&, Stage, Index);

std::vector<std::string> labels_of(const Document& document, Stage stage, LabelAt label,
                                   const std::vector<Index>& shown) {
  std::vector<std::string> labels;
  labels.reserve(shown.size());
  for (const Index i : shown) labels.push_back(label(document, stage, i));
  return labels;
}

void add_labels(Panel& panel, const FigureSource& source, Stage stage, attention::Shape whole) {
  const ShownCells shown = shown_cells(source.options, stage);
  const auto positions = [](const auto& chosen, Index count) {
    return shown_positions(chosen.value_or(std::vector<Index>()), count);
  };
  if (source.options.row_labels)
    panel.row_labels =
        labels_of(source.document, stage, row_label, positions(shown.rows, whole.rows));
  if (source.options.column_labels)
    panel.column_labels =
        labels_of(source.document, stage, column_label, positions(shown.columns, whole.cols));
}

// The automatic range of weights is that of all tokens, also where only some are shown: as in the
// window, and so that figures of different tokens can be compared.
attention::SharedMatrix values_for_range(const FigureSource& source, Stage stage, Index head) {
  const bool whole = attention::holds_weights(coloured_as(source.options, stage)) &&
                     source.options.range_rule != RangeRule::kRobust;
  return whole ? source.values(stage, head) : shown_values(source, stage, head);
}

Range separate_range(const FigureSource& source, Stage stage, Index head) {
  const attention::SharedMatrix values = values_for_range(source, stage, head);
  const Stage like = coloured_as(source.options, stage);
  const Range separate = source.options.range_rule == RangeRule::kRobust
                             ? robust_range(like, *values)
                             : automatic_range(like, *values);
  return source.common == nullptr ? separate : source.common->range(stage, head, separate);
}

/// One range for all heads if requested, or when heads are compared.
bool shares_range(const FigureOptions& options) {
  return options.range_rule == RangeRule::kShared || options.type == FigureType::kTwoHeads;
}

Range with_spread(Range range, const FigureOptions& options) {
  range.spread = options.spread;
  return range;
}

Range range_of(const FigureSource& source, Stage stage, Index head) {
  const FigureOptions& options = source.options;
  if (options.range_rule == RangeRule::kFixed) return with_spread(options.range, options);
  Range range = separate_range(source, stage, head);
  if (shares_range(options) && attention::is_per_head(stage))
    for (Index h = 0; h < source.heads(); ++h)
      range = united(range, separate_range(source, stage, h));
  return with_spread(options.centre ? centred(range, *options.centre) : range, options);
}

std::string digits_in_figure(const FigureOptions& options, float value) {
  if (options.significant) return explain::format_significant(value, options.decimals);
  return options.exact ? explain::format_fixed(value, options.decimals)
                       : explain::adaptive_text(value, options.decimals);
}

// Smaller numbers are 0 beside the largest number of the map: adding it to that changes nothing. An
// exponent for it, "−6.3e−32", would make the numbers of all cells small.
float least_beside(const Matrix& values) {
  float largest = 0;
  for (const float value : values.reshaped())
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest * std::numeric_limits<float>::epsilon() / 2;
}

}  // namespace

std::vector<std::string> number_texts(const FigureOptions& options, const Matrix& values) {
  constexpr Index kMostNumbers = 40000;  // beyond it no cell of any page has room for a number
  if (!options.annotate || values.size() > kMostNumbers) return {};
  const float least = least_beside(values);
  std::vector<std::string> texts;
  for (Index i = 0; i < values.size(); ++i) {
    const float value = values.data()[i], shown = std::abs(value) < least ? 0 : value;
    texts.push_back(explain::with_minus_signs(digits_in_figure(options, shown)));
  }
  return texts;
}

Stage coloured_as(const FigureOptions& options, Stage stage) {
  return options.gradient_of.empty() ? stage : Stage::kScores;
}

attention::SharedMatrix shown_values(const FigureSource& source, Stage stage, Index head) {
  return shown_cells(source.options, stage).of(source.values(stage, head));
}

std::string head_name(const Document& document, Index head) {
  return tr("head {}", {head_number(document, head)});
}

std::vector<PanelMark> stage_marks(const FigureSource& source, Stage stage, Index head) {
  const FigureMarks& marked = source.options.marks;
  const attention::Shape shape = source.values(stage, head).shape();
  const ShownCells shown = shown_cells(source.options, stage);
  const bool any_head = !attention::is_per_head(stage);
  std::vector<PanelMark> marks;
  const auto add = [&](PanelMark::Type type, Index row, Index column) {
    if (row >= shape.rows || column >= shape.cols) return;
    if (const auto cell = shown.shown_cell({{}, head, row, column}))
      marks.push_back({type, cell->row, cell->col});
  };
  const auto add_cell = [&](PanelMark::Type type, const CellRef& cell) {
    if (cell.matrix == attention::stage_name(stage) && (cell.head == head || any_head))
      add(type, cell.row, cell.col);
  };
  for (const attention::Override& o : source.document.problem.overrides)
    if (marked.overrides && o.stage == stage && (o.head == head || any_head))
      add(PanelMark::kOverride, o.row, o.col);
  for (const CellRef& pin : marked.pins) add_cell(PanelMark::kPin, pin);
  if (marked.selected) add_cell(PanelMark::kSelected, *marked.selected);
  return marks;
}

Panel stage_panel(const FigureSource& source, Stage stage, Index head) {
  Panel panel;
  panel.values = shown_values(source, stage, head);
  add_labels(panel, source, stage, source.values(stage, head).shape());
  const bool keys = attention::has_key_columns(stage);
  panel.number_columns = !keys && (source.document.dimensions.empty() ||
                                   !has_dimension_columns(source.document, stage));
  panel.square = keys;
  panel.block = stage == Stage::kConcat ? source.document.problem.config.d_v : 0;
  panel.palette =
      source.options.palette.value_or(default_palette(coloured_as(source.options, stage)));
  panel.range = range_of(source, stage, head);
  panel.cell_texts = number_texts(source.options, *panel.values);
  panel.marks = stage_marks(source, stage, head);
  return panel;
}

Panel difference_panel(const FigureSource& source, const Panel& like, const Matrix& from,
                       const Matrix& to) {
  Panel panel = like;
  const Matrix difference = attention::difference(from, to);
  panel.values = attention::SharedMatrix(difference);
  std::erase_if(panel.marks, [](const PanelMark& m) { return m.type == PanelMark::kOverride; });
  panel.palette = Palette::kRedBlue;
  panel.range = automatic_range(Stage::kScores, difference);
  if (source.common != nullptr)
    panel.range = source.common->range(source.options.stage, CommonLook::kDifference, panel.range);
  panel.range.spread = source.options.spread;
  panel.cell_texts = number_texts(source.options, difference);
  return panel;
}

}  // namespace lab::figure
