#pragma once

#include <string>

#include "core/explain/explain.h"

// Why a number is not there, in the language of the process; in English in the words of
// Explanation::masked_because.

namespace lab::explain {

/// Why the query may not look at the key, every reason there is, joined by "; "; empty when it may.
std::string masked_words(const attention::Problem& problem, const attention::Explanation& cell);

/// Why dropout takes a weight that it takes.
std::string dropped_words(const attention::Explanation& cell);

/// Why nothing of a head whose gain is 0 reaches concat.
std::string muted_words(const attention::Problem& problem, attention::Index head);

}  // namespace lab::explain
