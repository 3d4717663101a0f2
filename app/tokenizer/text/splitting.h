#pragma once

#include <vector>

#include "app/tokenizer/text/pattern.h"
#include "app/tokenizer/text/pieces.h"

namespace lab::tokenizer {

/// What becomes of the parts of a text that a pattern matches when the text is cut there.
enum class SplitBehavior {
  kRemoved,             ///< they are dropped
  kIsolated,            ///< each is a piece of its own
  kMergedWithPrevious,  ///< each ends the piece before it
  kMergedWithNext,      ///< each begins the piece after it
  kContiguous,          ///< neighbours that match are one piece, and so are those that do not
};

/// Appends the pieces that `matches` cut a text into. With `invert`, what matches and what does not
/// change roles.
void split_at(std::vector<Match> matches, SplitBehavior behavior, bool invert,
              std::vector<PiecePart>& parts);

}  // namespace lab::tokenizer
