#pragma once

#include <string>

#include "app/document/analysis/head_labels.h"

namespace lab::cli {

/// The heads as a table.
std::string labels_text(const LabelledHeads& heads);
/// The heads as JSON.
std::string labels_json(const LabelledHeads& heads);

}  // namespace lab::cli
