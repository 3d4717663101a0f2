#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/gradient/layer_gradient.h"
#include "core/solve/smallest_change.h"
#include "core/solve/targets.h"

namespace attention {

/// The numbers of a problem that are free, one after the other: what a change of them makes of the
/// problem, and their part of a gradient. A change counts times √weight.
class FreeMatrices {
 public:
  /// A matrix of which rows are free.
  struct MatrixRef {
    MatrixId id = MatrixId::kX;
    Index head = 0;
  };

  /// The rows of `problem`, see FreeRow.
  FreeMatrices(const Problem& problem, const std::vector<FreeRow>& rows);

  /// The number of free numbers.
  Index count() const { return count_; }
  /// The matrices that they are in.
  std::vector<MatrixRef> places() const;
  /// Gives the matrices of `problem` the numbers with that change; the others stay.
  void move(Problem& problem, const Eigen::VectorXd& change) const;
  /// Writes the derivatives by the free numbers into row `row` of `slopes`.
  void collect(const LayerGradient& gradient, Index row, Jacobian& slopes) const;

 private:
  struct Row {
    Index row, first;  // in the matrix, and its first number among the free ones
    double root;       // of its weight
  };
  struct Held {
    MatrixRef ref;
    SharedMatrix before;
    std::vector<Row> rows;
  };

  Held& held(const Problem& problem, const MatrixRow& ref);

  std::vector<Held> matrices_;
  Index count_ = 0;
};

}  // namespace attention
