#include <algorithm>
#include <cmath>

#include "app/figure/number_text.h"
#include "app/figure/range.h"
#include "app/figure/stage_sheet.h"
#include "core/combine.h"

namespace lab {
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

/// One range for all heads where that is asked for, and where heads are compared.
bool shares_range(const FigureOptions& options) {
  return options.range_rule == RangeRule::kShared || options.kind == FigureKind::kTwoHeads;
}

Range range_of(const FigureSource& source, Stage stage, Index head) {
  const FigureOptions& options = source.options;
  if (options.range_rule == RangeRule::kFixed) return options.range;
  Range range = own_range(source, stage, head);
  if (shares_range(options) && attention::is_per_head(stage))
    for (Index h = 0; h < source.heads(); ++h) range = united(range, own_range(source, stage, h));
  return options.centre ? centred(range, *options.centre) : range;
}

std::vector<std::string> cell_texts(const FigureOptions& options, const Matrix& values) {
  constexpr Index kMostNumbers = 40000;  // beyond it no cell of any page has room for a number
  if (!options.annotate || values.size() > kMostNumbers) return {};
  std::vector<std::string> texts;
  for (Index i = 0; i < values.size(); ++i)
    texts.push_back(options.significant ? format_significant(values.data()[i], options.decimals)
                                        : format_fixed(values.data()[i], options.decimals));
  return texts;
}

void add_mark(Panel& panel, PanelMark::Kind kind, Index row, Index column) {
  if (row < panel.values->rows() && column < panel.values->cols())
    panel.marks.push_back({kind, row, column});
}

void add_marks(const FigureSource& source, Panel& panel, Stage stage, Index head) {
  const FigureMarks& marks = source.options.marks;
  const auto is_here = [&](const CellRef& cell) {
    return cell.matrix == attention::stage_name(stage) &&
           (cell.head == head || !attention::is_per_head(stage));
  };
  for (const attention::Override& o : source.document.problem.overrides)
    if (marks.overrides && o.stage == stage && (o.head == head || !attention::is_per_head(stage)))
      add_mark(panel, PanelMark::kOverride, o.row, o.col);
  for (const CellRef& pin : marks.pins)
    if (is_here(pin)) add_mark(panel, PanelMark::kPin, pin.row, pin.col);
  if (marks.selected && is_here(*marks.selected))
    add_mark(panel, PanelMark::kSelected, marks.selected->row, marks.selected->col);
}

}  // namespace

std::string head_name(Index head) { return "head " + std::to_string(head + 1); }

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
  add_marks(source, panel, stage, head);
  return panel;
}

Panel difference_panel(const FigureSource& source, const Panel& like, const Matrix& from,
                       const Matrix& to) {
  Panel panel = like;
  const Matrix difference = attention::difference(from, to);
  panel.values = attention::SharedMatrix(difference);
  panel.marks.clear();
  panel.palette = Palette::kRedBlue;
  panel.range = automatic_range(Stage::kScores, difference);
  if (source.common != nullptr)
    panel.range = source.common->range(source.options.stage, CommonLook::kDifference, panel.range);
  panel.cell_texts = cell_texts(source.options, difference);
  return panel;
}

}  // namespace lab
