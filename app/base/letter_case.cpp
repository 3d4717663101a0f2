#include "app/base/letter_case.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "app/base/visible_text.h"

namespace lab {
namespace {

icu::UnicodeString opened(std::string_view text) {
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

std::string utf8_of(const icu::UnicodeString& text) {
  std::string bytes;
  return text.toUTF8String(bytes);
}

}  // namespace

std::string lower_case(std::string_view text) {
  return utf8_of(opened(text).toLower(icu::Locale::getRoot()));
}

std::string upper_case(std::string_view text) {
  return utf8_of(opened(text).toUpper(icu::Locale::getRoot()));
}

std::string casefold(std::string_view text) { return utf8_of(opened(text).foldCase()); }

std::string title_case(std::int32_t character) {
  std::string text;
  append_utf8(text, static_cast<char32_t>(u_totitle(character)));
  return text;
}

}  // namespace lab
