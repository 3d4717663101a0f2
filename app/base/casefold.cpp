#include "app/base/casefold.h"

#include <unicode/unistr.h>

namespace lab {

std::string casefold(std::string_view text) {
  const auto length = static_cast<int32_t>(text.size());
  std::string result;
  icu::UnicodeString::fromUTF8({text.data(), length}).foldCase().toUTF8String(result);
  return result;
}

}  // namespace lab
