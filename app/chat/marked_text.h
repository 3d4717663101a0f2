#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::chat {

/// Where a character comes from: 0 for the template, i + 1 for the content of turn i.
using Mark = char16_t;

/// A text (UTF-8) of which each byte knows where it comes from.
class MarkedText {
 public:
  MarkedText() = default;
  /// `bytes` that all come from the same place.
  explicit MarkedText(std::string bytes, Mark mark = 0)
      : bytes_(std::move(bytes)), marks_(mark == 0 ? 0 : bytes_.size(), mark) {}

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  /// Where byte `at` comes from.
  Mark mark(std::size_t at) const { return marks_.empty() ? Mark{0} : marks_[at]; }

  /// The bytes from `at` on, `count` at most.
  MarkedText part(std::size_t at, std::size_t count = std::string::npos) const;
  /// Appends a text with its marks.
  void append(const MarkedText& text);
  /// Appends `text`, all of which comes from one place.
  void append(std::string_view text, Mark mark = 0);
  /// Whether Jinja would escape texts that are added to it: set by its filter "safe".
  bool escapes_others() const { return safe_; }
  void set_escapes_others() { safe_ = true; }

 private:
  std::string bytes_;
  std::u16string marks_;  // empty: all 0
  bool safe_ = false;
};

/// Number of characters of `text`, which is valid UTF-8.
std::size_t character_count(std::string_view text);

/// Where the characters of `text`, which is valid UTF-8, begin, and its size at the end.
std::vector<std::size_t> character_places(std::string_view text);

/// `text` without white space at its ends, as Python knows it, or without the characters of
/// `blanks` if it is given.
MarkedText stripped(const MarkedText& text, bool left, bool right,
                    const std::string_view* blanks = nullptr);

/// The letters of `text` in another case, character by character, as Python changes it.
enum class Case {
  kUpper,
  kLower,
  kTitle,        ///< the first letter of each word upper, the others lower
  kCapitalised,  ///< the first character upper, all others lower
};
MarkedText in_case(const MarkedText& text, Case change);

}  // namespace lab::chat
