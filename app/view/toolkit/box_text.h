#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::view {

/// Carries text through ImGui's text fields, which hold nothing but characters of 16 bits: each
/// character beyond U+FFFF (an emoji, a rare ideograph), and each byte that is no UTF-8, is
/// replaced by a character of the private use area while the text is in the field, and put back
/// when it is read, so that editing the rest of the text loses nothing. At most 6400 different ones
/// are told apart; more are left as they are.
class BoxText {
 public:
  /// The text as the field can hold it.
  std::string encode(std::string_view text);
  /// What the field's text stands for. The inverse of encode, and the identity on other text.
  std::string decode(std::string_view text) const;

 private:
  std::vector<std::string> kept_;  // the character that U+E000 + index stands for
};

}  // namespace lab::view
