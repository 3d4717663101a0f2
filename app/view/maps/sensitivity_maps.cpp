#include "app/view/maps/sensitivity_maps.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::LayerGradient;
using attention::Matrix;
using attention::MatrixId;
using attention::Problem;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

constexpr std::size_t kListedContributors = 10;

bool fits(const Matrix& matrix, Shape shape) {
  return matrix.rows() == shape.rows && matrix.cols() == shape.cols;
}

SharedMatrix or_zeros(const Matrix* gradient, Shape shape) {
  return SharedMatrix(gradient != nullptr ? *gradient
                                          : Matrix(Matrix::Zero(shape.rows, shape.cols)));
}

}  // namespace

void SensitivityMaps::show(std::shared_ptr<const LayerGradient> gradient) {
  if (gradient == gradient_) return;
  gradient_ = std::move(gradient);
  ++number_;
  stages_.clear();
  matrices_.clear();
  ranked_ = false;
}

void SensitivityMaps::clear() {
  if (!gradient_ && name.empty()) return;
  show(nullptr);
  service_.stop();
  name.clear();
  problem.clear();
  current = true;
}

// Null where nothing reaches the stage. What nothing reaches at all has no heads.
const Matrix* SensitivityMaps::found(const Problem& problem_of, Stage stage, Index head) const {
  const bool there = !is_per_head(stage) || head < std::ssize(gradient_->stages.heads);
  if (!there) return nullptr;
  const Matrix& matrix = stage_gradient(*gradient_, problem_of, stage, head);
  return fits(matrix, stage_shape(problem_of, stage)) && matrix.size() > 0 ? &matrix : nullptr;
}

bool SensitivityMaps::reaches(const Problem& problem_of, Stage stage, Index head) const {
  return found(problem_of, stage, head) != nullptr;
}

const SharedMatrix& SensitivityMaps::stage(const Problem& problem_of, Stage stage, Index head) {
  const Index number_of_head = is_per_head(stage) ? head : 0;
  SharedMatrix& made = stages_[{stage, number_of_head}];
  const Shape shape = stage_shape(problem_of, stage);
  if (!(made.shape() == shape)) made = or_zeros(found(problem_of, stage, number_of_head), shape);
  return made;
}

// The bias is added to the scores of every head, where the pair is allowed.
Matrix SensitivityMaps::of_absent_bias(const Problem& problem_of) const {
  Matrix sum = Matrix::Zero(problem_of.seq_len(), problem_of.kv_len());
  const Stage added = last_step(problem_of, Stage::kMaskedScores);
  for (Index head = 0; head < problem_of.config.n_heads; ++head)
    if (const Matrix* one = found(problem_of, added, head)) sum += *one;
  return sum;
}

const SharedMatrix& SensitivityMaps::matrix(const Problem& problem_of, MatrixId id, Index head) {
  const Index number_of_head = is_per_head(id) ? head : 0;
  SharedMatrix& made = matrices_[{id, number_of_head}];
  if (id == MatrixId::kMask) return made;
  const SharedMatrix& values = matrix_of(problem_of, id, number_of_head);
  if (values.empty() && id != MatrixId::kScoreBias) return made;
  const Shape shape =
      values.empty() ? Shape{problem_of.seq_len(), problem_of.kv_len()} : values.shape();
  if (made.shape() == shape) return made;
  if (values.empty()) return made = SharedMatrix(of_absent_bias(problem_of));
  const Matrix* gradient = nullptr;
  for_each_matrix(*gradient_,
                  [&](const attention::MatrixInfo& info, Index number, const Matrix& one) {
                    if (info.id == id && number == number_of_head && fits(one, shape))
                      gradient = &one;
                  });
  return made = or_zeros(gradient, shape);
}

const std::vector<attention::Sensitivity>& SensitivityMaps::strongest() {
  if (!ranked_) strongest_ = attention::strongest(*gradient_, kListedContributors);
  ranked_ = true;
  return strongest_;
}

}  // namespace lab::view
