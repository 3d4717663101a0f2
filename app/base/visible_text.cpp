#include "app/base/visible_text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/base/unicode_text.h"

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

// True for characters that would change the direction of the text around a label, or break its
// line.
bool disturbs(UChar32 value) {
  return (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
         value == 0x2028 || value == 0x2029;
}

// True for text that is invisible: only blanks and joiners.
bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const bool unseen = u_isUWhiteSpace(point.value) ||
                        u_hasBinaryProperty(point.value, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
    if (!point.valid() || !unseen) return false;
    at += point.size;
  }
  return true;
}

// How printable() writes one character that cannot be shown as it is; empty when it can. `blank`:
// nothing else in the text is visible.
std::string stand_in(CodePoint point, unsigned char byte, bool blank) {
  std::array<char, 24> text{};
  if (!point.valid()) {
    std::snprintf(text.data(), text.size(), "⟨%02X⟩", byte);
  } else if (point.value < 0x20) {
    return {'\xE2', '\x90', static_cast<char>(0x80 + point.value)};  // U+2400 …
  } else if (point.value == 0x7F) {
    return "␡";
  } else if (blank && point.value == ' ') {
    return "␣";
  } else if (blank || u_charType(point.value) == U_CONTROL_CHAR || disturbs(point.value)) {
    std::snprintf(text.data(), text.size(), "⟨U+%04X⟩", static_cast<unsigned>(point.value));
  }
  return text.data();
}

}  // namespace

std::u32string valid_characters(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    characters += point.valid() ? static_cast<char32_t>(point.value) : kReplacement;
    at += point.size;
  }
  return characters;
}

std::u32string visible_characters(std::string_view text) {
  std::u32string characters = valid_characters(text);
  std::ranges::transform(characters, characters.begin(), visible);
  return characters;
}

void append_utf8(std::string& text, char32_t character) {
  std::array<char, U8_MAX_LENGTH> bytes{};
  std::size_t count = 0;
  U8_APPEND_UNSAFE(bytes.data(), count, character);
  text.append(bytes.data(), count);
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

std::string printable(std::string_view text) {
  std::string shown;
  const bool blank = is_blank(text);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const std::string replacement = stand_in(point, static_cast<unsigned char>(text[at]), blank);
    shown += replacement.empty() ? text.substr(at, point.size) : std::string_view(replacement);
    at += point.size;
  }
  return shown;
}

}  // namespace lab
