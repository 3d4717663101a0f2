#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace lab::view {

/// A part of a name, in bytes.
struct TextPart {
  std::size_t start = 0, length = 0;
  bool operator==(const TextPart&) const = default;
};

/// How well something matches what was typed.
struct Match {
  int score = 0;                ///< higher is better
  std::vector<TextPart> parts;  ///< the matched parts of its name, in order
};

/// How well `name` matches what was typed; nothing when it does not. Every word of `typed` must be
/// found, in any order and case: best as a whole word of `name`, then as the start of one, then the
/// same in `words`, its synonyms, then inside a word, and last as letters of `name` in that order
/// ("nh" finds "Next head"). An empty `typed` matches everything equally.
std::optional<Match> match(std::string_view typed, std::string_view name,
                           std::string_view words = {});

}  // namespace lab::view
