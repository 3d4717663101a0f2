#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/layer/trace.h"

namespace lab::figure {

/// A stage of one head, or a stage that is one for all heads.
struct StageOfHead {
  attention::Stage stage = attention::Stage::kX;
  std::optional<attention::Index> head;  ///< from 0; nothing where all heads have one
};

/// Every stage that tells the computation (see pipeline_stages), of every head.
std::vector<StageOfHead> all_stages_of_heads(const attention::Problem& problem);

/// How files of them are called, in the same order: "weights-head-2.svg", "X.svg".
std::vector<std::string> file_names(const std::vector<StageOfHead>& all, const std::string& ending);

}  // namespace lab::figure
