#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/model/model_run.h"
#include "app/document/solving/free_choice.h"
#include "core/solve/solver.h"

namespace lab::cli {

/// A number that was to change, or to stay.
struct TargetNumber {
  std::string name;
  float before = 0;
  std::optional<float> value = {};  ///< unset: it was to stay
};

/// What `solve` has found.
struct SolvedNumbers {
  Document document;  ///< the document or layer whose numbers changed, as it was
  std::vector<attention::FreeRow> rows;
  std::vector<TargetNumber> targets;
  attention::Solution solution;  ///< its values and `farthest` are about `targets`
};

/// The smallest change of weights of the layer `document` with which the model has these logits,
/// such as "logit[5,cat]=12", and keeps others, "logit[5,dog]". Fails with kUsage for what is no
/// logit or token, with kBadInput for what cannot be tried.
Expected<SolvedNumbers> solve_logits(ModelRun& run, const Document& document,
                                     const std::vector<std::string>& targets,
                                     const std::vector<std::string>& kept,
                                     const std::vector<FreeChoice>& choices);

}  // namespace lab::cli
