#include "app/document/snapshot.h"

#include <utility>

#include "app/document/model/shown_layer.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/evaluator.h"
#include "core/matrix_id.h"

namespace lab {
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

// The trace whose stages are the gradient.
attention::Trace gradient_trace(const attention::Problem& problem, const LayerGradient& gradient) {
  attention::Trace trace;
  trace.heads.resize(static_cast<std::size_t>(problem.config.n_heads));
  for (const Stage stage : attention::kAllStages) {
    if (is_input(stage)) continue;
    for (Index head = 0; head < (is_per_head(stage) ? problem.config.n_heads : 1); ++head)
      const_cast<SharedMatrix&>(attention::stage_matrix(std::as_const(trace), stage, head)) =
          filled(stage_gradient(gradient, problem, stage, head), stage_shape(problem, stage));
  }
  return trace;
}

}  // namespace

std::shared_ptr<const Snapshot> at_layer(std::shared_ptr<const Snapshot> snapshot,
                                         const attention::network::LayerId& at) {
  const ModelLayer& layer = snapshot->document.layer;
  if (!layer.model || !snapshot->network || layer.at == at) return snapshot;
  if (find_attention(layer.model->network, at) == nullptr) return snapshot;
  attention::ThreadPool pool(1);
  Document shown = completed_layer(shown_layer(layer.model, at), *snapshot->network, pool);
  attention::Evaluator evaluator;
  attention::Trace trace = evaluator.evaluate(shown.problem);
  return std::make_shared<const Snapshot>(
      Snapshot{std::move(shown), std::move(trace), snapshot->network});
}

Snapshot gradient_snapshot(Document document, const LayerGradient& gradient) {
  attention::Trace trace = gradient_trace(document.problem, gradient);
  for_each_matrix(document.problem, [&](const MatrixInfo& info, Index head, SharedMatrix& matrix) {
    if (!matrix.empty() && info.id != attention::MatrixId::kMask)
      matrix = filled(matrix_gradient(gradient, info.id, head), matrix.shape());
  });
  return {std::move(document), std::move(trace)};
}

}  // namespace lab
