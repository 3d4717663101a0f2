#pragma once

#include <string>

#include "app/document/analysis/exploration.h"
#include "app/document/analysis/head_labels.h"

// What heads attend to, on random tokens and in a text, as tables and as JSON.

namespace lab::cli {

/// The heads as a table.
std::string labels_text(const LabelledHeads& heads);
/// The heads as JSON.
std::string labels_json(const LabelledHeads& heads);

/// What was found, as tables: of one head its pairs in their context, of several the strongest
/// pairs of each.
std::string exploration_text(const ModelSource& model, const Exploration& exploration);
/// The same as JSON, with the pairs of all heads in their context.
std::string exploration_json(const ModelSource& model, const Exploration& exploration);

}  // namespace lab::cli
