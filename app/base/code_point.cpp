#include "app/base/code_point.h"

#include <unicode/utf8.h>

#include <algorithm>

namespace lab {

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
  // No character is longer than 4 bytes, and ICU counts in 32 bits.
  const auto length = static_cast<std::int32_t>(std::min<std::size_t>(text.size() - at, 4));
  std::int32_t next = 0;
  UChar32 value = 0;
  U8_NEXT(bytes, next, length, value);
  if (value < 0) return {value, 1};
  return {value, static_cast<std::size_t>(next)};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid()) return false;
    at += point.size;
  }
  return true;
}

}  // namespace lab
