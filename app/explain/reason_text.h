#pragma once

#include <string>
#include <vector>

#include "core/explain/reason.h"

namespace lab::explain {

/// Why a number is not there, in the language of the process: every reason, joined by "; "; empty
/// when there is none.
std::string reason_words(const std::vector<attention::Reason>& reasons);

}  // namespace lab::explain
