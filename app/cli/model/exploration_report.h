#pragma once

#include <string>

#include "app/document/analysis/exploration.h"

namespace lab::cli {

/// What was found, as tables: of one head its pairs in their context, of several the strongest
/// pairs of each.
std::string exploration_text(const ModelSource& model, const Exploration& exploration);
/// The same as JSON, with the pairs of all heads in their context.
std::string exploration_json(const ModelSource& model, const Exploration& exploration);

}  // namespace lab::cli
