#pragma once

#include <vector>

#include "core/gradient/layer_gradient.h"
#include "core/layer/evaluator.h"
#include "core/solve/free_matrices.h"

namespace attention {

/// The target cells of a layer as a function of what is free in it.
///
/// A weight w counts as its log-odds, log(w / (1 − w)) = score − log Σ exp(the other scores), which
/// follows the scores almost in proportion; other numbers are divided by the size of the largest
/// one of their matrix.
class LayerFunction : public SmoothFunction {
 public:
  /// Precondition: find_fault() finds nothing. Cells that keep their value whatever changes are
  /// left out.
  LayerFunction(const Problem& problem, const SolveRequest& request);

  /// The number of free numbers.
  Index free_numbers() const { return free_.count(); }
  /// The values to aim at when `targets` is to have its values; the others keep theirs. `targets`
  /// has the cells of the request.
  Eigen::VectorXd aim(const std::vector<TargetCell>& targets) const;
  /// Which cell of the request value `i` of the function is.
  std::size_t cell_of(Index i) const { return cells_[static_cast<std::size_t>(i)].number; }

  /// Of the cells that can move, as their log-odds or divided as above, in the order of the
  /// request.
  const Eigen::VectorXd& values(const Eigen::VectorXd& change) override;
  /// [cells that can move × free numbers]. Valid until the next call.
  const Jacobian& slopes() override;

  /// The problem with the change that values() was last called with, and its trace.
  const Problem& problem() const { return problem_; }
  /// Every stage of problem(), as values() computed it.
  const Trace& trace() const { return evaluator_.trace(); }

 private:
  // A target cell: `weight` for those that count as log-odds.
  struct Cell {
    TargetCell at;
    std::size_t number = 0;
    bool weight = false;
    double unit = 1;  // what it is divided by; of a weight, what 1 becomes by dropout
  };
  double value_of(const Cell& cell) const;
  Seed seed_of(const Cell& cell) const;

  Problem problem_;
  FreeMatrices free_;
  std::vector<Cell> cells_;
  Evaluator evaluator_;
  GradientEvaluator gradients_;
  Eigen::VectorXd values_, values_before_;
  Jacobian slopes_;
};

}  // namespace attention
