#include "app/base/text_direction.h"
#include "app/tests/rooms.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(Direction, OnlyTokensFromRightToLeftAreIsolated) {
  for (const char* text : {"", "cat", "猫", "แมว", "🙂", "→", "\xF0\x9F"}) {
    EXPECT_EQ(isolated(text), text);
  }
  for (const char* text : {"قطة", "שלום", "cat قطة", "ܫܠܡܐ", "𐤀", "ﷲ"}) {
    EXPECT_EQ(isolated(text), "\u2068" + std::string(text) + "\u2069") << text;
  }
}

TEST(Direction, APairIsAlwaysReadFromTheQuery) {
  EXPECT_EQ(pair_text("it", "animal"), "it → animal");
  EXPECT_EQ(pair_text("قطة", "cat"), "\u200E\u2068قطة\u2069 → cat");
  EXPECT_EQ(pair_text("cat", "قطة"), "\u200Ecat → \u2068قطة\u2069");
}

}  // namespace
}  // namespace lab
