#include "app/base/unicode_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lab {
namespace {

using ::testing::HasSubstr;

std::string utf16(std::u16string_view text, bool big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    (bytes += big ? high : low) += big ? low : high;
  }
  return bytes;
}

TEST(DecodedText, IsTheSameWhateverWroteTheFile) {
  const std::string text = "é one\ntwo 😀\n";
  for (const std::string& bytes :
       {text, "\xEF\xBB\xBF" + text, std::string("é one\r\ntwo 😀\r\n"),
        std::string("é one\rtwo 😀\r"), utf16(u"\uFEFFé one\r\ntwo 😀\n", false),
        utf16(u"\uFEFFé one\ntwo 😀\r", true)}) {
    const auto decoded = decoded_text(bytes);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(*decoded, text);
  }
}

TEST(DecodedText, WhatIsNotTextIsNamedByItsPlace) {
  const auto utf8 = decoded_text("one\ntw\xFF");
  ASSERT_FALSE(utf8);
  EXPECT_THAT(utf8.error().message, HasSubstr("line 2, byte 3"));
  const auto half = decoded_text(utf16(u"\uFEFFa", false) + std::string("\x00\xD8", 2));
  ASSERT_FALSE(half);
  EXPECT_THAT(half.error().message, HasSubstr("byte 5"));
  EXPECT_FALSE(
      decoded_text("\xFF\xFE"
                   "a"));
}

}  // namespace
}  // namespace lab
