#include "core/solve/smallest_change.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

namespace attention {
namespace {

using Eigen::VectorXd;

constexpr double kReached = 1e-4;      // this near counts as reached
constexpr double kAccuracy = 2e-6;     // what is aimed at; float32 is not much better
constexpr double kNegligible = 1e-11;  // of the largest eigenvalue: the noise of float32, squared
constexpr double kExcess = 1e-4;
constexpr double kNearly = 0.98;  // of the way to the nearest
constexpr double kGain = 1e-4;    // of the decrease that the slope promises
constexpr int kMostSteps = 300, kMostSlow = 8, kCorrections = 4;
constexpr std::size_t kSizes = 5;  // a step may be longer than the last, but not than all of these

}  // namespace

SmallestChange::SmallestChange(SmoothFunction& function, Index free_numbers) : function_(function) {
  move_to(VectorXd::Zero(free_numbers));
  before_ = targets_ = aim_ = values_;
}

void SmallestChange::want(VectorXd values) {
  aim_ = targets_ = std::move(values);
  phase_ = Phase::kReach;
  retreating_ = false;
  damping_ = 0;
  slow_ = steps_ = 0;
  from_nothing_ = change_.isZero(0);
  best_.resize(0);
}

bool SmallestChange::step() {
  if (phase_ == Phase::kDone) return false;
  if (++steps_ > kMostSteps && phase_ == Phase::kReach) {
    give_up();
  } else if (phase_ == Phase::kReach) {
    step_towards();
  } else if (steps_ > 2 * kMostSteps) {
    phase_ = Phase::kDone;
  } else {
    step_along();
  }
  return phase_ != Phase::kDone;
}

bool SmallestChange::reached() const { return missing() <= kReached; }

double SmallestChange::excess() const {
  const double size = change_.norm();
  return size > 0 ? superfluous().norm() / size : 0;
}

void SmallestChange::move_to(const VectorXd& change) {
  change_ = change;
  values_ = function_.values(change_);
  slopes_ = function_.slopes();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(slopes_ * slopes_.transpose());
  directions_ = eigen.eigenvectors();
  squares_ = eigen.eigenvalues();
}

// (J Jᵀ + damping)⁻¹ values, without the directions in which nothing moves.
VectorXd SmallestChange::solve_dual(const VectorXd& values, double damping) const {
  VectorXd parts = directions_.transpose() * values;
  const double negligible = kNegligible * squares_(squares_.size() - 1);
  for (Index i = 0; i < parts.size(); ++i)
    parts(i) = squares_(i) > negligible ? parts(i) / (squares_(i) + damping) : 0;
  return directions_ * parts;
}

// The part of the change that moves no value: change − Jᵀ (J Jᵀ)⁻¹ J change.
VectorXd SmallestChange::superfluous() const {
  return change_ - slopes_.transpose() * solve_dual(slopes_ * change_, 0);
}

void SmallestChange::step_towards() {
  const VectorXd lacking = aim_ - values_;
  if (lacking.cwiseAbs().maxCoeff() <= kAccuracy)
    return retreating_ ? end_retreat() : begin_to_shrink();
  const VectorXd there = change_ + slopes_.transpose() * solve_dual(lacking, damping_);
  const VectorXd& found = function_.values(there);
  const double ratio = (aim_ - found).norm() / lacking.norm();
  const double largest = squares_(squares_.size() - 1);
  if (ratio < 1 - 1e-6) {
    move_to(there);
    slow_ = ratio > 0.98 ? slow_ + 1 : 0;
    damping_ = damping_ < kNegligible * largest ? 0 : damping_ / 10;
  } else {
    damping_ = std::max(10 * damping_, 1e-4 * largest);
  }
  if (slow_ > kMostSlow || !(damping_ <= 1e4 * largest) || largest == 0) give_up();
}

// It comes no nearer. What was found from another beginning may lead nowhere, where the beginning
// leads on.
void SmallestChange::give_up() {
  if (reached()) return begin_to_shrink();
  if (retreating_) return end_retreat();
  if (!from_nothing_) return begin_again();
  if (best_.size() > 0 && best_missing_ < missing()) move_to(best_);
  retreat();
}

void SmallestChange::begin_again() {
  best_ = change_;
  best_missing_ = missing();
  start_over();
}

void SmallestChange::start_over() {
  from_nothing_ = true;
  damping_ = 0;
  slow_ = steps_ = 0;
  move_to(VectorXd::Zero(change_.size()));
}

// Values that are approached without end take ever larger changes for less and less.
void SmallestChange::retreat() {
  nearest_ = change_;
  aim_ = before_ + kNearly * (values_ - before_);
  retreating_ = true;
  start_over();
}

void SmallestChange::end_retreat() {
  const bool is_there = (aim_ - values_).cwiseAbs().maxCoeff() <= kReached;
  if (!is_there || change_.norm() > nearest_.norm() / 2) move_to(nearest_);
  begin_to_shrink();
}

void SmallestChange::begin_to_shrink() {
  phase_ = Phase::kShrink;
  held_ = reached() ? targets_ : values_;
  held_within_ = std::max(kAccuracy, 1.5 * (held_ - values_).cwiseAbs().maxCoeff());
  length_ = 1;
  sizes_ = {change_.squaredNorm()};
}

void SmallestChange::step_along() {
  const VectorXd direction = superfluous();
  if (direction.norm() <= kExcess * change_.norm()) {
    phase_ = Phase::kDone;
    return;
  }
  const VectorXd before = change_;
  double length = length_;
  while (!try_along(direction, length)) {
    length /= 4;
    if (length > 1e-3) continue;
    phase_ = Phase::kDone;
    return;
  }
  const VectorXd moved = change_ - before, turned = superfluous() - direction;
  const double curvature = moved.dot(turned);
  length_ = curvature > 0 ? std::clamp(moved.squaredNorm() / curvature, 0.05, 20.0) : 1;
}

// A step against the superfluous part, brought back to the values that are held by Newton's method
// with the slopes of the beginning.
bool SmallestChange::try_along(const VectorXd& direction, double length) {
  VectorXd there = change_ - length * direction;
  VectorXd lacking = held_ - function_.values(there);
  for (int i = 0; i < kCorrections && lacking.cwiseAbs().maxCoeff() > held_within_; ++i) {
    there += slopes_.transpose() * solve_dual(lacking, 0);
    lacking = held_ - function_.values(there);
  }
  if (!(lacking.cwiseAbs().maxCoeff() <= held_within_)) return false;
  const double most = *std::ranges::max_element(sizes_);
  if (there.squaredNorm() > most - kGain * length * direction.squaredNorm()) return false;
  move_to(there);
  sizes_.push_back(there.squaredNorm());
  if (sizes_.size() > kSizes) sizes_.pop_front();
  return true;
}

}  // namespace attention
