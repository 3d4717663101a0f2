#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

class Expression;

/// A part of a text: one that a pattern matches, or one between matches.
struct Match {
  TextRange bytes;
  bool matched = false;
};

/// What a tokenizer looks for in a text: a literal, or a regular expression. Copies share the
/// compiled expression.
class Pattern {
 public:
  /// Matches `text` itself; an empty one matches between all characters.
  static Pattern literal(std::string text);
  /// Matches `expression` in the syntax of Oniguruma, the engine of the reference, with the
  /// properties of characters that the reference has. Throws BadInput when it is no expression.
  static Pattern regex(const std::string& expression);

  /// Cuts `text` into matches, from left to right, and what lies between them; parts between are
  /// never empty. Nothing for an empty text. Throws BadInput when the expression takes too many
  /// steps, too much time or too much memory on this text.
  std::vector<Match> segments(std::string_view text) const;

  /// True if both are the same literal, or the same expression.
  bool operator==(const Pattern& other) const {
    return text_ == other.text_ && (regex_ == nullptr) == (other.regex_ == nullptr);
  }

 private:
  Pattern() = default;
  std::vector<Match> literal_segments(std::string_view text) const;

  std::string text_;                         // the literal, or the expression
  std::shared_ptr<const Expression> regex_;  // null for a literal
};

/// Cuts `text` at each character for which `matches(character)` is true, as Pattern::segments does.
template <typename Matches>
std::vector<Match> character_segments(std::string_view text, Matches&& matches);

}  // namespace lab::tokenizer

#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {

/// The definition of the above.
template <typename Matches>
std::vector<Match> character_segments(std::string_view text, Matches&& matches) {
  std::vector<Match> segments;
  std::uint32_t between = 0;
  for_each_character(text, [&](char32_t character, std::size_t at, std::size_t size) {
    if (!matches(character)) return;
    const auto first = static_cast<std::uint32_t>(at);
    const auto last = static_cast<std::uint32_t>(at + size);
    if (between < first) segments.push_back({{between, first}, false});
    segments.push_back({{first, last}, true});
    between = last;
  });
  const auto end = static_cast<std::uint32_t>(text.size());
  if (between < end) segments.push_back({{between, end}, false});
  return segments;
}

}  // namespace lab::tokenizer
