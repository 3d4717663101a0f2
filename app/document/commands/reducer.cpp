#include "app/document/commands/reducer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "app/document/commands/reduce.h"
#include "app/document/model/layer_command.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::MatrixView;
using attention::Shape;
using attention::SharedMatrix;

namespace {

// The matrix that is used when `ref` is absent; `ref` itself when there is none.
const SharedMatrix& serving(const Document& document, MatrixRef ref) {
  const bool keys = ref.id == MatrixId::kPositionTableKv;
  return keys ? document.problem.kv_position_table() : matrix_of(document, ref);
}

}  // namespace

const SharedMatrix& matrix_of(const Document& document, MatrixRef ref) {
  return matrix_of(document.problem, ref.id, ref.head);
}

SharedMatrix& editable_matrix(Document& document, MatrixRef ref) {
  return matrix_of(document.problem, ref.id, ref.head);
}

Shape shape_of(const Document& document, MatrixRef ref) {
  const attention::Problem& problem = document.problem;
  const attention::MatrixInfo& info = attention::matrix_info(ref.id);
  if (ref.id == MatrixId::kXKv && !problem.cross()) return {};
  Shape shape{axis_length(problem, info.rows),
              axis_length(problem, column_axis(problem.config, ref.id))};
  if (info.rows == attention::Axis::kPositions) {
    shape.rows = std::max(shape.rows, serving(document, ref)->rows());
  }
  return shape;
}

SharedMatrix effective_matrix(const Document& document, MatrixRef ref) {
  const SharedMatrix& matrix = serving(document, ref);
  const Shape shape = shape_of(document, ref);
  if (matrix.shape() == shape) return matrix;
  Matrix shown = Matrix::Constant(shape.rows, shape.cols, absent_value(ref.id));
  if (!matrix.empty()) shown.topRows(matrix->rows()) = *matrix;  // a table may be too short
  return SharedMatrix(std::move(shown));
}

Matrix shown_numbers(const Document& document, MatrixRef ref) {
  return effective_matrix(document, ref).release();
}

bool same_numbers(const MatrixView& a, const MatrixView& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  const auto row_bytes = static_cast<std::size_t>(a.cols()) * sizeof(float);
  if (row_bytes == 0) return true;
  for (Index i = 0; i < a.rows(); ++i) {
    const float *of_a = a.data() + i * a.outerStride(), *of_b = b.data() + i * b.outerStride();
    if (std::memcmp(of_a, of_b, row_bytes) != 0) return false;
  }
  return true;
}

bool same_number(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

Expected<Document> with_config(const Document& document,
                               const std::function<void(attention::Config&)>& edit) {
  Document changed = document;
  edit(changed.problem.config);
  if (const auto valid = check_config(changed.problem.config); !valid) {
    return tl::make_unexpected(valid.error());
  }
  make_fit(changed);
  return changed;
}

Expected<Document> apply(const Document& document, const Command& command) {
  return document.layer.model ? apply_in_layer(document, command)
                              : apply_by_hand(document, command);
}

Expected<Document> apply_by_hand(const Document& document, const Command& command) {
  // The core checks what the commands do not, such as the total size of all stages.
  return std::visit([&](const auto& edit) { return reduce(document, edit); }, command)
      .and_then(checked);
}

}  // namespace lab
