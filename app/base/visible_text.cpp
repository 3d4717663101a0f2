#include "app/base/visible_text.h"

#include <glib.h>

#include <algorithm>
#include <array>

namespace lab {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

char32_t visible(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  if (c == 0x2028 || c == 0x2029) return 0x2424;  // ends of lines and paragraphs
  const bool control = c > 0x7F && c < 0xA0;
  const bool no_character = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
  return control || no_character ? kReplacement : c;
}

}  // namespace

std::u32string valid_characters(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const gunichar c =
        byte < 0x80 ? byte
                    : g_utf8_get_char_validated(text.data(), static_cast<gssize>(text.size()));
    const bool valid = c < static_cast<gunichar>(-2);  // the two largest values signal errors
    characters += valid ? c : kReplacement;
    text.remove_prefix(valid ? static_cast<std::size_t>(g_unichar_to_utf8(c, nullptr)) : 1);
  }
  return characters;
}

std::u32string visible_characters(std::string_view text) {
  std::u32string characters = valid_characters(text);
  std::ranges::transform(characters, characters.begin(), visible);
  return characters;
}

void append_utf8(std::string& text, char32_t character) {
  std::array<char, 6> bytes{};
  const int count = g_unichar_to_utf8(character, bytes.data());
  text.append(bytes.data(), static_cast<std::size_t>(count));
}

std::string utf8(std::u32string_view characters) {
  std::string text;
  for (const char32_t c : characters) append_utf8(text, c);
  return text;
}

std::string_view entity_of(char32_t c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace lab
