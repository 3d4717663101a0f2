#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Reading and writing characters of text that is known to be valid UTF-8. Text from outside is
// checked once, where it comes in (see is_utf8 in app/base/unicode_text.h).

namespace lab::tokenizer {

/// Number of bytes of the character whose first byte is `lead`.
constexpr std::size_t character_size(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

/// True if `byte` is not the first byte of a character.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

/// The character at byte `at` of `text`. Precondition: `text` is valid UTF-8, and a character
/// begins there.
constexpr char32_t character_at(std::string_view text, std::size_t at) {
  const auto bits = [&](std::size_t offset) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + offset]) & 0x3FU);
  };
  const auto lead = static_cast<unsigned char>(text[at]);
  switch (character_size(text[at])) {
    case 1:
      return lead;
    case 2:
      return (static_cast<char32_t>(lead & 0x1FU) << 6U) | bits(1);
    case 3:
      return (static_cast<char32_t>(lead & 0x0FU) << 12U) | (bits(1) << 6U) | bits(2);
    default:
      return (static_cast<char32_t>(lead & 0x07U) << 18U) | (bits(1) << 12U) | (bits(2) << 6U) |
             bits(3);
  }
}

/// The byte at which the last character before byte `end` of `text` begins. Precondition: end > 0.
constexpr std::size_t character_before(std::string_view text, std::size_t end) {
  do --end;
  while (end > 0 && continues_character(text[end]));
  return end;
}

/// Number of characters in `text`.
constexpr std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += continues_character(byte) ? 0 : 1;
  return count;
}

/// True if every byte of `text` is an ASCII character.
constexpr bool is_ascii(std::string_view text) {
  for (const char byte : text)
    if (static_cast<unsigned char>(byte) >= 0x80) return false;
  return true;
}

/// Calls `use(character, at, size)` for each character of `text`: its value, its first byte, and
/// its number of bytes.
template <typename Use>
void for_each_character(std::string_view text, Use&& use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text[at]);
    use(character_at(text, at), at, size);
    at += size;
  }
}

}  // namespace lab::tokenizer
