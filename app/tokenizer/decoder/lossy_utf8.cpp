#include "app/tokenizer/decoder/lossy_utf8.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

#include "app/base/visible_text.h"

namespace lab::tokenizer {

std::string lossy_utf8(std::string_view bytes) {
  std::string text;
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (std::size_t at = 0; at < bytes.size();) {
    std::int32_t next = 0;
    UChar32 character = 0;
    const auto length = static_cast<std::int32_t>(std::min<std::size_t>(bytes.size() - at, 4));
    U8_NEXT_OR_FFFD(data + at, next, length, character);  // passes over a maximal subpart
    append_utf8(text, static_cast<char32_t>(character));
    at += static_cast<std::size_t>(next);
  }
  return text;
}

}  // namespace lab::tokenizer
