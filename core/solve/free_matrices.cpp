#include "core/solve/free_matrices.h"

#include <cmath>
#include <utility>

namespace attention {

FreeMatrices::FreeMatrices(const Problem& problem, const std::vector<FreeRow>& rows) {
  for (const FreeRow& row : rows) {
    if (row.places.empty()) continue;
    for (const MatrixRow& place : row.places)
      held(problem, place).rows.push_back({place.row, count_, std::sqrt(double{row.weight})});
    count_ += held(problem, row.places.front()).before->cols();
  }
}

FreeMatrices::Held& FreeMatrices::held(const Problem& problem, const MatrixRow& place) {
  for (Held& one : matrices_)
    if (one.place.id == place.matrix && one.place.head == place.head) return one;
  return matrices_.emplace_back(
      Held{{place.matrix, place.head}, matrix_of(problem, place.matrix, place.head), {}});
}

std::vector<FreeMatrices::Place> FreeMatrices::places() const {
  std::vector<Place> places;
  for (const Held& one : matrices_) places.push_back(one.place);
  return places;
}

void FreeMatrices::move(Problem& problem, const Eigen::VectorXd& change) const {
  for (const auto& [place, before, rows] : matrices_) {
    SharedMatrix& matrix = matrix_of(problem, place.id, place.head);
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
  for (const auto& [place, before, rows] : matrices_) {
    const Matrix& d = matrix_gradient(gradient, place.id, place.head);
    if (d.size() == 0) continue;
    for (const auto& [from, first, root] : rows)
      slopes.row(row).segment(first, d.cols()) += d.row(from).cast<double>() / root;
  }
}

}  // namespace attention
