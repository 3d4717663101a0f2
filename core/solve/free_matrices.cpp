#include "core/solve/free_matrices.h"

#include <cmath>
#include <utility>

namespace attention {

FreeMatrices::FreeMatrices(const Problem& problem, const std::vector<FreeRow>& rows) {
  for (const FreeRow& row : rows) {
    if (row.places.empty()) continue;
    for (const MatrixRow& ref : row.places)
      held(problem, ref).rows.push_back({ref.row, count_, std::sqrt(double{row.weight})});
    count_ += held(problem, row.places.front()).before->cols();
  }
}

FreeMatrices::Held& FreeMatrices::held(const Problem& problem, const MatrixRow& ref) {
  for (Held& one : matrices_)
    if (one.ref.id == ref.matrix && one.ref.head == ref.head) return one;
  return matrices_.emplace_back(
      Held{{ref.matrix, ref.head}, matrix_of(problem, ref.matrix, ref.head), {}});
}

std::vector<FreeMatrices::MatrixRef> FreeMatrices::places() const {
  std::vector<MatrixRef> places;
  for (const Held& one : matrices_) places.push_back(one.ref);
  return places;
}

void FreeMatrices::move(Problem& problem, const Eigen::VectorXd& change) const {
  for (const auto& [ref, before, rows] : matrices_) {
    SharedMatrix& matrix = matrix_of(problem, ref.id, ref.head);
    Matrix numbers = matrix.recycle(before.shape());
    numbers = *before;
    for (const auto& [row, first, root] : rows)
      numbers.row(row) = (before->row(row).cast<double>() +
                          change.segment(first, numbers.cols()).transpose() / root)
                             .cast<float>();
    matrix = SharedMatrix(std::move(numbers));
  }
}

void FreeMatrices::collect(const LayerGradient& gradient, Index row, Jacobian& slopes) const {
  slopes.row(row).setZero();
  if (gradient.parameters.heads.empty()) return;  // nothing of the layer moves the number
  for (const auto& [ref, before, rows] : matrices_) {
    const Matrix& d = matrix_gradient(gradient, ref.id, ref.head);
    if (d.size() == 0) continue;
    for (const auto& [from, first, root] : rows)
      slopes.row(row).segment(first, d.cols()) += d.row(from).cast<double>() / root;
  }
}

}  // namespace attention
