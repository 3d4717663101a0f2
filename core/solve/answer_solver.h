#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/network/attribution.h"
#include "core/solve/solver.h"

namespace attention::network {

/// A logit, or the difference of two, that is to have another value or to keep the one that it has.
struct TargetAnswer {
  Answer answer;
  std::optional<float> value = {};  ///< unset: the one that it has
};

/// A forward pass, some of whose answers are to be other ones by a change of one sublayer's
/// weights.
struct AnswerRequest {
  const Network& network;
  const Tokens& tokens;
  const Interventions& interventions;
  LayerId at;            ///< the sublayer
  const Problem& shown;  ///< its layer_problem()
  std::vector<TargetAnswer> targets;
  std::vector<FreeRow> free;  ///< rows of parameters of `shown` that the sublayer has
  int threads = 1;
};

/// Changes the weights of one sublayer as little as possible, so that some answers of the network
/// have other values. As Solver, it can be asked for other values again and again.
class AnswerSolver {
 public:
  /// Throws std::invalid_argument as validate(Answer) does, for rows that are no parameters, and
  /// for a weight that is not positive. What the request refers to must outlive the constructor
  /// only. Nothing is free to move if fault() has something; then the solver must not be used.
  explicit AnswerSolver(const AnswerRequest& request);
  ~AnswerSolver();

  /// What is wrong with the request.
  const std::optional<SolveFault>& fault() const { return fault_; }
  /// Wants another value of answer `number` of the request. The fault that it has then, if any, is
  /// returned, and the old value stays the target.
  std::optional<SolveFault> want(std::size_t number, float value);
  /// Takes a step of a few passes. False when there is nothing left to do.
  bool step();
  /// What has been found, with the answers as Solution::values and the changed sublayer as
  /// Solution::problem, whose X is that of AnswerRequest::shown.
  Solution solution();

 private:
  class Function;

  std::optional<SolveFault> find_unmoved() const;
  Eigen::VectorXd aim() const;

  Problem shown_;
  std::vector<TargetAnswer> targets_;
  std::vector<FreeRow> free_;
  std::optional<SolveFault> fault_;
  std::unique_ptr<Function> function_;
  std::unique_ptr<SmallestChange> change_;
  Eigen::VectorXd before_;  // the answers without any change
};

/// The smallest change for a request, or why there is none.
struct AnswerSolution {
  std::optional<SolveFault> fault;  ///< then there is no solution
  Solution solution;
};

/// Searches to the end. Throws as AnswerSolver does.
AnswerSolution solve_answer(const AnswerRequest& request);

}  // namespace attention::network
