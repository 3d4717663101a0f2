#pragma once

#include <string>
#include <vector>

#include "core/layer/trace.h"

namespace lab::explain {

/// The stages that tell the whole computation, in the order of the formula: those that are steps of
/// their own, X and scaled_scores always, and the embeddings only where X differs from them.
std::vector<attention::Stage> pipeline_stages(const attention::Problem& problem);

/// The stage's name for people: "Scores", "Head output".
std::string stage_title(attention::Stage stage);

/// The stage's name where it stands alone: "Scaled scores".
std::string full_stage_title(attention::Stage stage);

/// The stage's formula as Pango markup, with the biases and factors that the problem really has:
/// "X W<sup>Q</sup> + b<sup>Q</sup>". Precondition: the problem has at least one head.
std::string stage_formula(const attention::Problem& problem, attention::Stage stage);

/// What a stage repeats that is switched off: "off: the same as Q", or "the same as X" of X_kv
/// without a second sentence; empty for one that is computed, for scaled_scores, which say "not
/// scaled", and for embeddings. It is no markup, and needs none.
std::string off_text(const attention::Problem& problem, attention::Stage stage);

/// "11×4".
std::string shape_text(attention::Shape shape);

}  // namespace lab::explain
