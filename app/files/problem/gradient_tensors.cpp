#include "app/files/problem/gradient_tensors.h"

#include "app/files/problem/problem_file.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::LayerGradient;
using attention::Matrix;
using attention::MatrixInfo;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

SharedMatrix filled(const Matrix& gradient, Shape shape) {
  return SharedMatrix(gradient.size() > 0 ? gradient
                                          : Matrix(Matrix::Zero(shape.rows, shape.cols)));
}

// The document whose matrices are the gradient.
Document in_place_of_matrices(Document document, const LayerGradient& gradient) {
  attention::Problem& problem = document.problem;
  problem.allowed = {};
  for_each_matrix(problem, [&](const MatrixInfo& info, Index head, SharedMatrix& matrix) {
    if (!matrix.empty())
      matrix = filled(matrix_gradient(gradient, info.id, head), {matrix->rows(), matrix->cols()});
  });
  return document;
}

// The trace whose stages are the gradient.
attention::Trace in_place_of_stages(const Document& document, const LayerGradient& gradient) {
  const attention::Problem& problem = document.problem;
  attention::Trace trace;
  trace.heads.resize(static_cast<std::size_t>(problem.config.n_heads));
  for (const Stage stage : attention::kAllStages) {
    if (is_given(stage)) continue;
    for (Index head = 0; head < (is_per_head(stage) ? problem.config.n_heads : 1); ++head)
      const_cast<SharedMatrix&>(attention::stage_matrix(std::as_const(trace), stage, head)) =
          filled(stage_gradient(gradient, problem, stage, head), stage_shape(problem, stage));
  }
  return trace;
}

}  // namespace

TensorFile gradient_tensors(const Document& document, const LayerGradient& gradient) {
  TensorFile file = problem_tensors(in_place_of_matrices(document, gradient));
  file.metadata.clear();
  for (Tensor& tensor : answer_tensors(document, in_place_of_stages(document, gradient)).tensors) {
    tensor.name = "stage." + tensor.name;
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

}  // namespace lab::files
