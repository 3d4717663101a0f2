#include "app/files/problem/stage_numbers.h"

#include "app/base/machine_numbers.h"
#include "app/document/matrix_labels.h"
#include "app/files/import/csv.h"

namespace lab::files {

using attention::Index;
using attention::Matrix;
using attention::Stage;

namespace {

bool stacks_heads(Stage stage, std::optional<Index> head) {
  return attention::is_per_head(stage) && !head;
}

// How many heads have a matrix of their own; those that share keys and values count as one.
Index head_count(const attention::Problem& problem, Stage stage) {
  const attention::Config& config = problem.config;
  return is_per_kv_head(stage) ? kv_head_count(config) : config.n_heads;
}

// The matrices of the heads stacked: [heads·rows × cols].
Matrix stacked_heads(const Document& document, const attention::Trace& trace, Stage stage) {
  const attention::Shape shape = stage_shape(document.problem, stage);
  const Index count = head_count(document.problem, stage);
  const Index sharing = document.problem.config.n_heads / count;
  Matrix stacked(count * shape.rows, shape.cols);
  for (Index head = 0; head < count; ++head) {
    stacked.middleRows(head * shape.rows, shape.rows) =
        *stage_matrix(document.problem, trace, stage, head * sharing);
  }
  return stacked;
}

// An index and its label, each followed by a comma.
std::string long_fields(const std::vector<std::string>& labels, Index index) {
  return std::to_string(index) + ',' + csv_field(labels[static_cast<std::size_t>(index)]) + ',';
}

}  // namespace

std::vector<std::int64_t> tensor_shape(const attention::Problem& problem, Stage stage,
                                       std::optional<Index> head) {
  const attention::Shape shape = stage_shape(problem, stage);
  if (!stacks_heads(stage, head)) return {shape.rows, shape.cols};
  return {head_count(problem, stage), shape.rows, shape.cols};
}

Tensor stage_tensor(const Document& document, const attention::Trace& trace, Stage stage,
                    std::optional<Index> head) {
  const Matrix values = stacks_heads(stage, head)
                            ? stacked_heads(document, trace, stage)
                            : *stage_matrix(document.problem, trace, stage, head.value_or(0));
  return {std::string(attention::stage_name(stage)),
          tensor_shape(document.problem, stage, head),
          {values.data(), values.data() + values.size()}};
}

std::string stage_csv(const Document& document, const attention::Trace& trace, Stage stage,
                      std::optional<Index> head) {
  std::vector<std::string> rows = row_texts(document, stage);
  if (!stacks_heads(stage, head)) {
    const Matrix& values = *stage_matrix(document.problem, trace, stage, head.value_or(0));
    return write_csv(values, rows, column_texts(document, stage, values.cols()));
  }
  const Matrix stacked = stacked_heads(document, trace, stage);
  Matrix values(stacked.rows(), stacked.cols() + 1);
  values.rightCols(stacked.cols()) = stacked;
  std::vector<std::string> labels;
  const Index heads = head_count(document.problem, stage);
  for (Index head_number = 1; head_number <= heads; ++head_number) {
    const auto count = static_cast<Index>(rows.size());
    values.col(0)
        .segment((head_number - 1) * count, count)
        .setConstant(static_cast<float>(head_number));
    labels.insert(labels.end(), rows.begin(), rows.end());
  }
  std::vector<std::string> columns = column_texts(document, stage, stacked.cols());
  columns.insert(columns.begin(), heads < document.problem.config.n_heads ? "kv_head" : "head");
  return write_csv(values, labels, columns);
}

std::string stage_long_csv(const Document& document, const attention::Trace& trace, Stage stage,
                           std::optional<Index> head) {
  const std::vector<std::string> rows = row_texts(document, stage);
  const Index first = head.value_or(0);
  const Index last = stacks_heads(stage, head) ? document.problem.config.n_heads - 1 : first;
  std::string lines;
  for (Index h = first; h <= last; ++h) {
    const Matrix& values = *stage_matrix(document.problem, trace, stage, h);
    const auto columns = column_texts(document, stage, values.cols());
    const std::string prefix = std::string(attention::stage_name(stage)) + ',' +
                               (attention::is_per_head(stage) ? std::to_string(h + 1) : "") + ',';
    for (Index i = 0; i < values.rows(); ++i)
      for (Index j = 0; j < values.cols(); ++j) {
        lines += prefix + long_fields(rows, i) + long_fields(columns, j);
        append_float(lines, values(i, j));
        lines += '\n';
      }
  }
  return lines;
}

}  // namespace lab::files
