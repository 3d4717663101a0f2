#pragma once

#include <string>

#include "core/problem.h"

namespace lab::explain {

/// What is said of a stage, in English: tr() gives it in the language of the process.
struct StageWords {
  attention::Stage stage;
  const char* title = "";       ///< "Scaled"; empty: its name in files
  const char* full_title = "";  ///< where it stands alone, "Scaled scores"; empty: the title
  /// What a cell means. Its places are: token, feature and head; of scores query, key and head; of
  /// weights key, query and head. The last ones may be missing.
  const char* meaning = "";
  /// The formula as Pango markup, with the biases and factors that the problem has; translated.
  std::string (*formula)(const attention::Problem& problem) = nullptr;
};

/// The words of `stage`.
const StageWords& stage_words(attention::Stage stage);

}  // namespace lab::explain
