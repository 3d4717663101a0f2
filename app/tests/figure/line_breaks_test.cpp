// Where lines may end, in every script.
#include "app/figure/text/line_breaks.h"

#include <gtest/gtest.h>

#include <string>

#include "app/tests/rooms.h"

namespace lab {
namespace {

// The text with a stroke wherever `places` are, but for its end.
std::string marked(std::string text, const std::vector<std::size_t>& places) {
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    if (*place < text.size()) text.insert(*place, "|");
  return text;
}

std::string words(const std::string& text) { return marked(text, line_breaks(text).words); }
std::string letters(const std::string& text) { return marked(text, line_breaks(text).letters); }
std::string forced(const std::string& text) { return marked(text, line_breaks(text).forced); }

TEST(LineBreaks, AreBehindBlanksAndHyphens) {
  EXPECT_EQ(words("to be  or not"), "to |be  |or |not");
  EXPECT_EQ(words("a well-known word"), "a |well-|known |word");
  EXPECT_EQ(words("zero\u200Bwidth"), "zero\u200B|width");
  EXPECT_EQ(words("co\u00ADoperate"), "co\u00AD|operate");
}

TEST(LineBreaks, AreNotWhereSomethingBelongsTogether) {
  EXPECT_EQ(words("1\u00A0000 km"), "1\u00A0000 |km") << "a no-break space";
  EXPECT_EQ(words("x\u2060-\u2060y"), "x\u2060-\u2060y") << "word joiners";
  EXPECT_EQ(words("(a) b"), "(a) |b");
  EXPECT_EQ(words("see (a b)."), "see |(a |b).");
  EXPECT_EQ(words("head_2 is 0.53, −1.5"), "head_2 |is |0.53, |−1.5");
}

TEST(LineBreaks, AreBetweenIdeographsButNotBeforeClosingMarks) {
  EXPECT_EQ(words("日本語の文章、です。"), "日|本|語|の|文|章、|で|す。");
  EXPECT_EQ(words("「かぎ」と（括弧）"), "「か|ぎ」|と|（括|弧）");
  EXPECT_EQ(words("中文，句子。"), "中|文，|句|子。");
}

TEST(LineBreaks, OfThaiAreBehindTheWordsOfADictionary) {
  EXPECT_EQ(words("ภาษาไทยเขียนติดกัน"), "ภาษา|ไทย|เขียน|ติด|กัน");
}

TEST(LineBreaks, LettersKeepTheirAccentsAndEmojiTheirParts) {
  EXPECT_EQ(letters("ae\u0301o"), "a|e\u0301|o");
  EXPECT_EQ(letters("ติด"), "ติ|ด");
  const std::string family = "👨‍👩‍👧‍👦";
  EXPECT_EQ(letters(family + family + "a"), family + "|" + family + "|a");
  EXPECT_EQ(letters("a\r\nb"), "a|\r\n|b");
}

TEST(LineBreaks, AreForcedWhereALineWasMeantToEnd) {
  EXPECT_EQ(forced("a b\nc\r\nd\u2028e"), "a b\n|c\r\n|d\u2028|e");
  EXPECT_TRUE(line_breaks("a b").forced.empty());
  EXPECT_EQ(line_breaks("a\n").forced, std::vector<std::size_t>{2});
  EXPECT_EQ(line_breaks("a\r\n").forced, std::vector<std::size_t>{3});
}

TEST(LineBreaks, EndWithTheText) {
  EXPECT_EQ(line_breaks("ab").words, std::vector<std::size_t>{2});
  EXPECT_EQ(line_breaks("猫").letters, std::vector<std::size_t>{3});
  EXPECT_TRUE(line_breaks("").words.empty());
}

TEST(LineBreaks, CountTheBytesOfWhatIsNotUtf8) {
  const std::string text = std::string("a \xFF\x80 b\0c d", 10);
  EXPECT_EQ(line_breaks(text).words, (std::vector<std::size_t>{2, 5, 9, 10}));
}

TEST(LineEnd, IsAtAWordThenWithinOneAndTakesALetterAtLeast) {
  const std::string text = "a well-known e\u0301e\u0301e\u0301";
  const LineBreaks breaks = line_breaks(text);
  const auto line = [&](std::size_t from, std::size_t room) {
    const auto fits = [&](std::size_t end) { return end - from <= room; };
    return text.substr(from, line_end(breaks, from, text.size(), fits) - from);
  };
  EXPECT_EQ(line(0, 9), "a well-");
  EXPECT_EQ(line(0, 100), text);
  EXPECT_EQ(line(2, 3), "wel");
  EXPECT_EQ(line(13, 5), "e\u0301") << "not between a letter and its accent";
  EXPECT_EQ(line(13, 0), "e\u0301") << "or nothing would ever be drawn";
}

}  // namespace
}  // namespace lab
