#include <algorithm>
#include <stdexcept>

#include "app/document/matrix_labels.h"
#include "app/figure/compose/range.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using attention::Axis;
using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::Stage;

// The number of the matrix among those of its type.
Index number_of(const Document& document, MatrixId id, Index head) {
  const bool shared = attention::is_per_kv_head(id);
  return shared ? attention::kv_head_of(document.problem.config, static_cast<int>(head)) : head;
}

template <typename Label>
std::vector<std::string> labels_by(Index count, Label label) {
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) labels.push_back(label(i));
  return labels;
}

Range range_of_numbers(const FigureOptions& options, const Matrix& values) {
  Range range = options.range_rule == RangeRule::kFixed    ? options.range
                : options.range_rule == RangeRule::kRobust ? robust_range(Stage::kX, values)
                                                           : automatic_range(Stage::kX, values);
  if (options.centre && options.range_rule != RangeRule::kFixed)
    range = centred(range, *options.centre);
  range.spread = options.spread;
  return range;
}

// Heads are named where there are several matrices.
std::string title_of_matrix(const FigureSource& source, MatrixId id, Index head) {
  const std::string name(attention::matrix_name(id));
  const bool several =
      attention::is_per_head(id) && attention::matrix_count(source.document.problem.config, id) > 1;
  return several ? tr("{}, {}", {name, head_name(source.document, head)}) : name;
}

}  // namespace

Sheet matrix_sheet(const FigureSource& source, MatrixId id, Index head) {
  const Document& document = source.document;
  Panel panel;
  panel.values = matrix_of(document.problem, id, number_of(document, id, head));
  if (panel.values.empty())
    throw std::out_of_range("There is no " + std::string(attention::matrix_name(id)) +
                            " in this model.");
  const attention::Shape shape = panel.values.shape();
  if (source.options.row_labels)
    panel.row_labels =
        labels_by(shape.rows, [&](Index i) { return matrix_row_label(document, id, i); });
  if (source.options.column_labels)
    panel.column_labels =
        labels_by(shape.cols, [&](Index j) { return matrix_column_label(document, id, j); });
  const bool named = std::ranges::any_of(panel.column_labels, [](const std::string& label) {
    return label.find_first_not_of("0123456789") != std::string::npos;
  });
  panel.number_columns = !named;
  panel.square = attention::matrix_info(id).cols == Axis::kKeys;
  panel.palette = source.options.palette.value_or(default_palette(Stage::kX));
  panel.range = range_of_numbers(source.options, *panel.values);
  panel.cell_texts = number_texts(source.options, *panel.values);
  Sheet sheet;
  sheet.title = title_of_matrix(source, id, head);
  sheet.panels.push_back(std::move(panel));
  sheet.lines = {{1, 1}};
  return sheet;
}

}  // namespace lab::figure
