#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::view {

/// Carries text through ImGui's text fields, which hold nothing but characters of 16 bits, or of 32
/// where ImGui was built so: each character that they cannot hold (an emoji, a rare ideograph, a
/// byte that is no UTF-8) is replaced by a character of the private use area while the text is in
/// the field, and put back when it is read, so that editing the rest of the text loses nothing. At
/// most kCount different ones are told apart; more are left as they are.
class BoxText {
 public:
  /// The private use area U+E000 … U+F8FF.
  static constexpr unsigned kFirst = 0xE000, kCount = 0xF900 - 0xE000;

  /// The text as the field can hold it.
  std::string encode(std::string_view text);
  /// What the field's text stands for. The inverse of encode, and the identity on other text.
  std::string decode(std::string_view text) const;
  /// What the characters from kFirst on stand for.
  const std::vector<std::string>& kept() const { return kept_; }

 private:
  std::vector<std::string> kept_;
};

}  // namespace lab::view
