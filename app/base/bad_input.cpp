#include "app/base/bad_input.h"

#include "app/base/visible_text.h"

namespace lab {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return '"' + printable(text) + '"';
  // Not in the middle of a UTF-8 sequence.
  std::size_t end = kLongest;
  while (end > kLongest - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return '"' + printable(text.substr(0, end)) + "…\"";
}

}  // namespace lab
