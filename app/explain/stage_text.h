#pragma once

#include <string>
#include <vector>

#include "core/layer/trace.h"
#include "core/problem.h"

namespace lab::explain {

/// What is said of a stage, in English: tr() gives it in the language of the process.
struct StageWords {
  attention::Stage stage;
  const char* title = "";       ///< "Scaled"; empty: its name in files
  const char* full_title = "";  ///< where it stands alone, "Scaled scores"; empty: the title
  /// What a cell means. Its placeholders are: token, feature and head; of scores query, key and
  /// head; of weights key, query and head. The last ones may be missing.
  const char* meaning = "";
  /// The formula as Pango markup, with the biases and factors that the problem has; translated.
  std::string (*formula)(const attention::Problem& problem) = nullptr;
};

/// The words of `stage`.
const StageWords& stage_words(attention::Stage stage);

/// The stages that make up the computation, in the order of the formula: the active ones, X and
/// scaled_scores always, and the embeddings only where X differs from them.
std::vector<attention::Stage> pipeline_stages(const attention::Problem& problem);

/// The name of the stage for people: "Scores", "Head output".
std::string stage_title(attention::Stage stage);

/// The name of the stage when it is used on its own: "Scaled scores".
std::string full_stage_title(attention::Stage stage);

/// The formula of the stage as Pango markup, with the biases and factors that the problem uses: "X
/// W<sup>Q</sup> + b<sup>Q</sup>". Precondition: the problem has at least one head.
std::string stage_formula(const attention::Problem& problem, attention::Stage stage);

/// What an inactive stage equals: "off: the same as Q", or "the same as X" for X_kv without a
/// second sentence; empty for a stage that is computed, for scaled_scores, which say "not scaled",
/// and for embeddings. Plain text, not markup.
std::string off_text(const attention::Problem& problem, attention::Stage stage);

/// "11×4".
std::string shape_text(attention::Shape shape);

}  // namespace lab::explain
