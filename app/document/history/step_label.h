#pragma once

#include <functional>
#include <string>

#include "app/document/commands/command.h"
#include "app/document/document.h"

namespace lab {

/// Returns the name of a step in the language of the moment, so that the history follows when the
/// language is switched. Empty: the step is named by its command, see step_label().
using StepLabel = std::function<std::string()>;

/// What the command changed between two documents, as the history names it: which word, which cell,
/// and the numbers before and after. "W_Q of head 1, row animal, column 3: 0.5 → 0.7".
std::string step_label(const Command& command, const Document& before, const Document& after);

}  // namespace lab
