#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace lab {

/// A stage of one head, or a stage that is one for all heads.
struct StageOfHead {
  attention::Stage stage = attention::Stage::kX;
  std::optional<attention::Index> head;  ///< from 0; nothing where all heads have one
};

/// Every stage that tells the computation (see pipeline_stages), of every head.
std::vector<StageOfHead> all_stages_of_heads(const attention::Problem& problem);

/// How a file of it is called, without the ending: "weights-head-2", "X".
std::string file_stem(const StageOfHead& what);

}  // namespace lab
