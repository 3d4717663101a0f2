#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::tokenizer {

/// A range of a text: `first` up to but not including `last`, in bytes or in characters.
struct TextRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  /// Number of bytes or characters.
  std::uint32_t size() const { return last - first; }
  /// True when it covers none.
  bool empty() const { return first == last; }
  bool operator==(const TextRange&) const = default;
};

/// The part of `text` that `range`, in bytes, covers.
inline std::string_view part_of(std::string_view text, TextRange range) {
  return text.substr(range.first, range.size());
}

/// A text on its way through the normalizers. Each of its bytes knows the bytes of the original
/// text that it comes from, so that a token can always be found in what the user typed.
struct AlignedText {
  std::string text;                ///< valid UTF-8
  std::vector<TextRange> sources;  ///< one per byte of `text`; bytes of the original text
};

}  // namespace lab::tokenizer
