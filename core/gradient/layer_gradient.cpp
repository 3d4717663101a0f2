#include "core/gradient/layer_gradient.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/gradient/backward_pass.h"
#include "core/matrix.h"

namespace attention {
namespace {

void require_stage(const Problem& problem, Stage stage, Index head) {
  const Shape shape = stage_shape(problem, stage);
  if (shape.rows == 0)
    throw std::invalid_argument("there is no " + std::string(stage_name(stage)) +
                                " in this problem");
  if (is_per_head(stage) && (head < 0 || head >= problem.config.n_heads))
    throw std::invalid_argument("there is no head " + std::to_string(head) + " among " +
                                std::to_string(problem.config.n_heads));
}

void validate(const Problem& problem, const Seed& seed) {
  require_stage(problem, seed.stage, seed.head);
  const Shape shape = stage_shape(problem, seed.stage);
  if (seed.weights.rows() == shape.rows && seed.weights.cols() == shape.cols) return;
  throw std::invalid_argument(
      "the seed is " + shape_text(seed.weights.rows(), seed.weights.cols()) + ", " +
      std::string(stage_name(seed.stage)) + " is " + shape_text(shape.rows, shape.cols));
}

void set_free(Matrix& matrix, SpareMatrices& spare) {
  if (matrix.size() > 0) spare.push_back(std::move(matrix));
}

// Keeps the memory of a gradient that is not needed any more, and none of those before it.
void set_free(LayerGradient& gradient, SpareMatrices& spare) {
  spare.clear();
  for_each_matrix(gradient,
                  [&](const MatrixInfo&, Index, Matrix& matrix) { set_free(matrix, spare); });
  for (Matrix& matrix : gradient.head_bias) set_free(matrix, spare);
  for (const Stage stage : kAllStages) {
    const StageMember<Matrix>& member = kStageMembers<Matrix>.at(static_cast<std::size_t>(stage));
    if (member.in_layer) set_free(gradient.stages.*member.in_layer, spare);
    if (member.in_head)
      for (HeadStages<Matrix>& head : gradient.stages.heads) set_free(head.*member.in_head, spare);
  }
}

// Sets the gradient of numbers that cannot be edited to 0, see is_fixed().
void clear_fixed(const Problem& problem, LayerGradient& gradient) {
  if (!problem.input_parts) return;
  for_each_parameter(gradient.parameters, [&](const MatrixInfo& info, Index, Matrix& matrix) {
    for (Index row = 0; row < matrix.rows(); ++row)
      for (Index col = 0; col < matrix.cols(); ++col)
        if (is_fixed(problem, info.id, row, col)) matrix(row, col) = 0;
  });
}

bool is_stronger(const Sensitivity& a, const Sensitivity& b) {
  return std::abs(a.derivative) > std::abs(b.derivative);
}

}  // namespace

Seed cell_seed(const Problem& problem, Stage stage, Index head, Index row, Index col) {
  require_stage(problem, stage, head);
  const Shape shape = stage_shape(problem, stage);
  if (row < 0 || row >= shape.rows || col < 0 || col >= shape.cols)
    throw std::invalid_argument(std::string(stage_name(stage)) + " has no cell " +
                                std::to_string(row) + ", " + std::to_string(col) + ": it is " +
                                shape_text(shape.rows, shape.cols));
  Seed seed{stage, head, Matrix::Zero(shape.rows, shape.cols)};
  seed.weights(row, col) = 1;
  return seed;
}

const Matrix& stage_gradient(const LayerGradient& gradient, const Problem& problem, Stage stage,
                             Index head) {
  if (stage == Stage::kEmbedding) return gradient.embedding;
  if (stage == Stage::kEmbeddingKv) return gradient.embedding_kv;
  if (stage == Stage::kXKv && !problem.cross()) return gradient.stages.X;
  const Index shared = is_per_kv_head(stage) ? heads_per_kv_head(problem.config) : 1;
  return stage_matrix(gradient.stages, stage, head - head % shared);
}

const Matrix& matrix_gradient(const LayerGradient& gradient, MatrixId id, Index head) {
  const Matrix* found = nullptr;
  for_each_matrix(gradient, [&](const MatrixInfo& info, Index number, const Matrix& matrix) {
    if (info.id == id && (!is_per_head(id) || number == head)) found = &matrix;
  });
  if (found != nullptr) return *found;
  throw std::out_of_range("there is no head " + std::to_string(head) + " with a " +
                          std::string(matrix_name(id)));
}

LayerGradient gradient_of(const Problem& problem, const Trace& trace, const Seed& seed) {
  validate(problem, seed);
  SpareMatrices spare;
  LayerGradient gradient = BackwardPass(problem, trace, seed, spare).run();
  clear_fixed(problem, gradient);
  return gradient;
}

const LayerGradient& GradientEvaluator::evaluate(const Problem& problem, const Trace& trace,
                                                 const Seed& seed) {
  validate(problem, seed);
  set_free(gradient_, spare_);
  gradient_ = BackwardPass(problem, trace, seed, spare_).run();
  clear_fixed(problem, gradient_);
  return gradient_;
}

std::vector<Sensitivity> strongest(const LayerGradient& gradient, std::size_t count,
                                   std::optional<MatrixId> only) {
  std::vector<Sensitivity> found;
  for_each_matrix(gradient, [&](const MatrixInfo& info, Index head, const Matrix& matrix) {
    if (only && *only != info.id) return;
    for (Index row = 0; row < matrix.rows(); ++row) {
      for (Index col = 0; col < matrix.cols(); ++col) {
        const Sensitivity one{info.id, head, row, col, matrix(row, col)};
        const bool full = found.size() == count;
        if (one.derivative == 0 || (full && (count == 0 || !is_stronger(one, found.back()))))
          continue;
        if (full) found.pop_back();
        found.insert(std::ranges::upper_bound(found, one, is_stronger), one);
      }
    }
  });
  return found;
}

}  // namespace attention
