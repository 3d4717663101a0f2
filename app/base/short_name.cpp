#include "app/base/short_name.h"

#include <unicode/uchar.h>

#include "app/base/code_point.h"
#include "app/base/visible_text.h"

namespace lab {

namespace {

constexpr int kMostWords = 5;
constexpr std::size_t kMostBytes = 40;
constexpr std::int32_t kApostrophe = '\'', kRoundApostrophe = 0x2019;

bool belongs_to_word(std::int32_t character) {
  const int kind = u_charType(character);
  return u_isalnum(character) != 0 || kind == U_NON_SPACING_MARK ||
         kind == U_COMBINING_SPACING_MARK;
}

}  // namespace

std::string short_name(std::string_view text) {
  std::string name;
  bool between = false;
  int words = 1;
  for (std::size_t at = 0; at < text.size() && name.size() < kMostBytes;) {
    const CodePoint point = code_point_at(text, at);
    at += point.size;
    if (!point.valid() || point.value == kApostrophe || point.value == kRoundApostrophe) continue;
    if (!belongs_to_word(point.value)) {
      between = !name.empty();
      continue;
    }
    if (between && ++words > kMostWords) break;
    if (between) name += '-';
    between = false;
    append_utf8(name, static_cast<char32_t>(u_tolower(point.value)));
  }
  return name;
}

}  // namespace lab
