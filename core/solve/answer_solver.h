#pragma once

#include <optional>
#include <vector>

#include "core/network/attribution.h"
#include "core/solve/solver.h"

namespace attention::network {

/// A logit, or the difference of two, that is to have another value or to keep the one that it has.
struct WantedAnswer {
  Answer answer;
  std::optional<float> value = {};  ///< nothing: the one that it has
};

/// A forward pass, some of whose answers are to be other ones by a change of one sublayer's
/// weights.
struct AnswerRequest {
  const Network& network;
  const Tokens& tokens;
  const Interventions& interventions;
  LayerPlace at;         ///< the sublayer
  const Problem& shown;  ///< its layer_problem()
  std::vector<WantedAnswer> wanted;
  std::vector<FreeRow> free;  ///< rows of parameters of `shown` that the sublayer has
  int threads = 1;
};

/// The smallest change that was found, with the answers as Solution::values and the changed
/// sublayer as Solution::problem, whose X is that of `shown`.
struct AnswerSolution {
  std::optional<SolveFault> fault;  ///< then there is no solution
  Solution solution;
};

/// Changes the weights as little as possible; see Solver. Throws std::invalid_argument as
/// validate(Answer) does, for rows that are no parameters, and for a weight that is not positive.
AnswerSolution solve_answer(const AnswerRequest& request);

}  // namespace attention::network
