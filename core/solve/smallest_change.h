#pragma once

#include <Eigen/Core>
#include <deque>

#include "core/matrix.h"

namespace attention {

/// d(value) / d(free number), [values × free numbers].
using Jacobian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Values that depend smoothly on free numbers; both in units in which 1 is a large step.
class SmoothFunction {
 public:
  virtual ~SmoothFunction() = default;
  /// The values when the free numbers have changed by `change`; they need not be finite.
  virtual const Eigen::VectorXd& values(const Eigen::VectorXd& change) = 0;
  /// The derivatives at the change that values() was last called with.
  virtual const Jacobian& slopes() = 0;
};

/// Looks for the smallest change (least squares) with which a function has the requested
/// values, one step at a time.
///
/// First it goes towards the values by Gauss–Newton steps, damped where they do not help
/// (Levenberg 1944, Marquardt 1963): p = Jᵀ (J Jᵀ + ν)⁻¹ r for what is missing, r. J Jᵀ is small,
/// since there are few targets. Then it walks along the changes with these values to the one
/// that is smallest nearby: there the change is a combination of the rows of J, as the conditions
/// of Karush, Kuhn and Tucker demand. The length of a step there is that of Barzilai and Borwein
/// (1988). Where the values cannot be reached, the second part holds the nearest that were, or what
/// is nearly as near where that takes less than half of the change.
class SmallestChange {
 public:
  /// Nothing has changed yet, and the values there are the targets. `function` must outlive it.
  SmallestChange(SmoothFunction& function, Index free_numbers);

  /// From now on these values are the targets, [values]; what has changed so far is the beginning.
  void want(Eigen::VectorXd values);
  /// Takes a step. False when there is nothing left to do.
  bool step();

  /// The change so far, [free numbers]; the one that is looked for when step() has returned false.
  const Eigen::VectorXd& change() const { return change_; }
  /// The values with this change.
  const Eigen::VectorXd& values() const { return values_; }
  /// The derivatives with this change.
  const Jacobian& slopes() const { return slopes_; }
  /// True when every value is within 1e-4 of the target.
  bool reached() const;
  /// The part of the change that could be left out without moving any value, to first order, as a
  /// fraction of it: 0 for a smallest change.
  double excess() const;
  /// Steps since the last want().
  int steps() const { return steps_; }

 private:
  enum class Phase { kReach, kShrink, kDone };

  double missing() const { return (targets_ - values_).cwiseAbs().maxCoeff(); }
  void move_to(const Eigen::VectorXd& change);
  Eigen::VectorXd solve_dual(const Eigen::VectorXd& values, double damping) const;
  Eigen::VectorXd superfluous() const;
  void step_towards();
  void give_up();
  void begin_again();
  void retreat();
  void end_retreat();
  void start_over();
  void begin_to_shrink();
  void step_along();
  bool try_along(const Eigen::VectorXd& direction, double length);

  SmoothFunction& function_;
  Phase phase_ = Phase::kDone;
  Eigen::VectorXd change_, values_, targets_;
  Eigen::VectorXd before_;  // the values without any change
  Eigen::VectorXd aim_;     // what it goes towards: targets_, or less in a retreat
  Jacobian slopes_;
  Jacobian directions_;      // eigenvectors of J Jᵀ, one a column
  Eigen::VectorXd squares_;  // its eigenvalues, ascending
  double damping_ = 0;
  int slow_ = 0, steps_ = 0;
  bool from_nothing_ = true;  // whether it began without any change
  Eigen::VectorXd best_;      // the change that came nearest, before it began again
  bool retreating_ = false;   // from nearest_, to see whether a little less takes much less
  Eigen::VectorXd nearest_;
  double best_missing_ = 0;   // how far that was from the target
  Eigen::VectorXd held_;      // the values that are kept while the change shrinks
  double held_within_ = 0;    // how closely
  double length_ = 1;         // of the next step along them
  std::deque<double> sizes_;  // of the last changes, squared
};

}  // namespace attention
