#include "app/tokenizer/text/splitting.h"

#include <algorithm>

namespace lab::tokenizer {
namespace {

// Appends `bytes`, or lets the last part end with it.
void add_part(std::vector<PiecePart>& parts, std::size_t first, TextRange bytes, bool merge) {
  if (merge && parts.size() > first)
    parts.back().bytes.last = bytes.last;
  else
    parts.push_back({bytes, std::nullopt});
}

// From right to left: each match joins the part that follows it, unless that is a match.
void merge_with_next(const std::vector<Match>& matches, std::vector<PiecePart>& parts) {
  const auto first = static_cast<std::ptrdiff_t>(parts.size());
  bool previous = false;
  for (std::size_t i = matches.size(); i-- > 0;) {
    const Match& match = matches[i];
    const bool merge =
        match.matched && !previous && static_cast<std::ptrdiff_t>(parts.size()) > first;
    if (merge)
      parts.back().bytes.first = match.bytes.first;
    else
      parts.push_back({match.bytes, std::nullopt});
    previous = match.matched;
  }
  std::reverse(parts.begin() + first, parts.end());
}

}  // namespace

void split_at(std::vector<Match> matches, SplitBehavior behavior, bool invert,
              std::vector<PiecePart>& parts) {
  if (invert)
    for (Match& match : matches) match.matched = !match.matched;
  if (behavior == SplitBehavior::kMergedWithNext) return merge_with_next(matches, parts);
  const std::size_t first = parts.size();
  bool previous = false;
  for (const Match& match : matches) {
    if (behavior == SplitBehavior::kRemoved && match.matched) continue;
    const bool merge =
        behavior == SplitBehavior::kContiguous
            ? match.matched == previous
            : behavior == SplitBehavior::kMergedWithPrevious && match.matched && !previous;
    add_part(parts, first, match.bytes, merge);
    previous = match.matched;
  }
}

}  // namespace lab::tokenizer
