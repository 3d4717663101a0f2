#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/solve/layer_function.h"

namespace attention {

/// A number that a solution changes.
struct ChangedCell {
  MatrixRow at;
  Index col = 0;
  float before = 0, after = 0;
};

/// The numbers of free rows in which the problems differ, in the order of the rows.
std::vector<ChangedCell> changed_cells(const Problem& before, const Problem& after,
                                       const std::vector<FreeRow>& rows);

/// The smallest change that was found for a request.
struct Solution {
  /// True when every target value is there, and every kept one is kept.
  bool reached = false;
  std::vector<float> values;  ///< what each target cell has now
  /// The target cell that is farthest from its value, by number; of those that were to change.
  std::size_t farthest = 0;
  /// All numbers that changed, in the order of the free rows.
  std::vector<ChangedCell> changed;
  double size = 0;    ///< √(Σ weight · change²); numbers that are one count once
  double excess = 0;  ///< see SmallestChange::excess()
  int steps = 0;
  Problem problem;  ///< with the changes
};

/// Changes what is free in a layer as little as possible, so that some of its cells have other
/// values. It can be asked for other values of the same cells again and again, as while one is
/// dragged, and goes on from the last answer.
///
/// The answer is the smallest change among those near to it, found from no change; a problem that
/// has several such may have a smaller one elsewhere.
class Solver {
 public:
  /// Throws std::invalid_argument as find_fault() does. Nothing is free to move if fault() has
  /// something; then the solver must not be used.
  Solver(const Problem& problem, SolveRequest request);
  /// A solver can be neither copied nor moved.
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// What is wrong with the request.
  const std::optional<SolveFault>& fault() const { return fault_; }
  /// Wants another value of cell `number` of the request. The fault that it has then, if any, is
  /// returned, and the old value stays the target.
  std::optional<SolveFault> want(std::size_t number, float value);
  /// Takes a step of a few evaluations. False when there is nothing left to do.
  bool step() { return change_->step(); }
  /// Takes steps to the end, at most `steps`.
  void run(int steps = 1000);
  /// What has been found.
  Solution solution();

 private:
  std::optional<SolveFault> unmoved() const;

  Problem problem_;
  Trace trace_;
  SolveRequest request_;
  std::optional<SolveFault> fault_;
  std::unique_ptr<LayerFunction> function_;
  std::unique_ptr<SmallestChange> change_;
};

/// The smallest change for a request. Throws std::invalid_argument when it has a fault.
Solution solve(const Problem& problem, SolveRequest request);

}  // namespace attention
