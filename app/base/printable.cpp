#include "app/base/printable.h"

#include <unicode/uchar.h>

#include <array>
#include <cstdio>

#include "app/base/code_point.h"

namespace lab {
namespace {

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
