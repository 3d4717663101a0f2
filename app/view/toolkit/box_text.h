#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::view {

/// Passes text through ImGui's text fields, which only hold characters of 16 bits, or of 32 if
/// ImGui was built so: each character that they cannot hold (an emoji, a rare ideograph, a byte
/// that is not UTF-8) is replaced by a character of the private use area while the text is in the
/// field, and restored when it is read, so that editing the rest of the text loses nothing. At most
/// kCount different characters are replaced; further ones are left unchanged.
class BoxText {
 public:
  /// The private use area U+E000 … U+F8FF.
  static constexpr unsigned kFirst = 0xE000, kCount = 0xF900 - 0xE000;

  /// The text in a form that the field can hold.
  std::string encode(std::string_view text);
  /// The original of the field's text. The inverse of encode, and the identity on other text.
  std::string decode(std::string_view text) const;
  /// The originals of the characters from kFirst on.
  const std::vector<std::string>& kept() const { return kept_; }

 private:
  std::vector<std::string> kept_;
};

}  // namespace lab::view
