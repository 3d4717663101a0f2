// Words of right-to-left scripts among others, in the order in which they are shown.
#include "app/view/widgets/paragraph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/tests/rooms.h"

namespace lab {
namespace {

constexpr float kWidth = 10, kSpace = 2, kRight = 200;

// The words from left to right, once they are in order; "/" between lines.
std::string shown(const std::vector<std::vector<std::string>>& text, float* right_end = nullptr) {
  TextLines lines;
  for (std::size_t line = 0; line < text.size(); ++line)
    for (std::size_t i = 0; i < text[line].size(); ++i)
      lines.pieces.push_back({0, text[line][i], static_cast<float>(i) * (kWidth + kSpace), kWidth,
                              static_cast<int>(line)});
  put_in_shown_order(lines, {0, 0, 0, kRight}, kSpace);
  std::ranges::sort(lines.pieces, [](const auto& a, const auto& b) {
    return std::pair(a.line, a.x) < std::pair(b.line, b.x);
  });
  std::string words;
  for (std::size_t i = 0; i < lines.pieces.size(); ++i) {
    if (i > 0) words += lines.pieces[i].line != lines.pieces[i - 1].line ? " / " : " ";
    words += lines.pieces[i].text;
  }
  if (right_end) *right_end = lines.pieces.back().x + lines.pieces.back().width;
  return words;
}

TEST(ShownOrder, ArabicRunsFromTheRight) {
  float right = 0;
  EXPECT_EQ(shown({{"القطة", "جلست", "على"}, {"السجادة"}}, &right), "على جلست القطة / السجادة");
  EXPECT_EQ(right, kRight) << "its lines begin at the right";
}

TEST(ShownOrder, ArabicWordsInEnglishRunFromTheRightAmongThemselves) {
  float right = 0;
  EXPECT_EQ(shown({{"The", "words", "القطة", "جلست", "mean", "this"}}, &right),
            "The words جلست القطة mean this");
  EXPECT_EQ(right, 6 * kWidth + 5 * kSpace);
}

TEST(ShownOrder, EnglishWordsInHebrewKeepTheirOrder) {
  EXPECT_EQ(shown({{"המילה", "query", "key", "כאן"}}), "כאן query key המילה");
}

TEST(ShownOrder, NumbersGoWithTheWordsAroundThem) {
  EXPECT_EQ(shown({{"القطة", "3", "جلست"}}), "جلست 3 القطة");
  EXPECT_EQ(shown({{"a", "القطة", "3", "جلست", "b"}}), "a جلست 3 القطة b");
  EXPECT_EQ(shown({{"a", "القطة", "3", "b"}}), "a القطة 3 b");
}

TEST(ShownOrder, OtherTextStaysAsItIs) {
  EXPECT_EQ(shown({{"The", "cat"}, {"1", "sat"}}), "The cat / 1 sat");
  EXPECT_EQ(shown({{"1", "2"}}), "1 2");
}

}  // namespace
}  // namespace lab
