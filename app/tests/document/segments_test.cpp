#include "app/base/unicode_text.h"
#include "app/base/visible_text.h"
#include "app/document/splitting/splitting.h"
#include "app/tests/rooms.h"

#include <gmock/gmock.h>

namespace lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> texts(std::string_view sentence, TokenMode mode) {
  return followed_tokens(*split_sentence(sentence, {.mode = mode}));
}

std::vector<std::string> words(std::string_view sentence) {
  return texts(sentence, TokenMode::kWords);
}

std::vector<std::string> characters(std::string_view sentence) {
  return texts(sentence, TokenMode::kCharacters);
}

TEST(Words, SplitOffPunctuationButKeepApostrophes) {
  EXPECT_THAT(words("The animal didn't cross the street because it was too tired."),
              ElementsAre("The", "animal", "didn't", "cross", "the", "street", "because", "it",
                          "was", "too", "tired", "."));
  EXPECT_THAT(words("didn’t"), ElementsAre("didn’t"));
  EXPECT_THAT(words("«Oui», dit-il…"), ElementsAre("«", "Oui", "»", ",", "dit", "-", "il", "…"));
  EXPECT_THAT(words("e-mail 3.14 10,000"), ElementsAre("e", "-", "mail", "3.14", "10,000"));
}

TEST(Words, AreFoundInScriptsWithoutSpaces) {
  EXPECT_THAT(words("แมวนั่งบนเสื่อ"), ElementsAre("แมว", "นั่ง", "บน", "เสื่อ"));
  EXPECT_THAT(words("我喜欢学习中文"), ElementsAre("我", "喜欢", "学习", "中文"));
  EXPECT_THAT(words("私は猫が好きです。"),
              ElementsAre("私", "は", "猫", "が", "好き", "です", "。"));
}

TEST(Words, AreFoundInOtherScripts) {
  EXPECT_THAT(words("नमस्ते दुनिया"), ElementsAre("नमस्ते", "दुनिया"));
  EXPECT_THAT(words("مرحبا بالعالم، كيف"), ElementsAre("مرحبا", "بالعالم", "،", "كيف"));
  EXPECT_THAT(words("שלום עולם"), ElementsAre("שלום", "עולם"));
  EXPECT_THAT(words("한국어 단어"), ElementsAre("한국어", "단어"));
}

TEST(Words, KeepEmojiWhole) {
  EXPECT_THAT(
      words("👨‍👩‍👧‍👦👍🏽 ❤️🇫🇷🇩🇪1️⃣"),
      ElementsAre("👨‍👩‍👧‍👦", "👍🏽", "❤️", "🇫🇷", "🇩🇪", "1️⃣"));
}

TEST(Characters, AreThoseAReaderSees) {
  EXPECT_THAT(characters("e\u0301té 👨‍👩‍👧‍👦"),
              ElementsAre("e\u0301", "t", "é", "👨‍👩‍👧‍👦"));
  EXPECT_THAT(characters("นั่ง"), ElementsAre("นั่", "ง"));
  EXPECT_THAT(characters("it's 🇫🇷🇩🇪"), ElementsAre("i", "t", "'", "s", "🇫🇷", "🇩🇪"));
}

TEST(Tokens, AreNeverWhiteSpace) {
  // Line ends, tab, no-break and narrow no-break space, ideographic space, line separator.
  const std::string_view blank = " \t\r\n\v\f\u0085\u00A0\u202F\u3000\u2028";
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    EXPECT_THAT(texts(blank, mode), IsEmpty());
    EXPECT_THAT(texts("", mode), IsEmpty());
    for (const std::string_view space : {" ", "\n", "\u00A0", "\u202F", "\u3000"}) {
      const std::string text = "1" + std::string(space) + "2";
      EXPECT_THAT(texts(text, mode), ElementsAre("1", "2")) << printable(space);
    }
  }
}

TEST(Tokens, AreNeverInvisible) {
  EXPECT_THAT(words("\uFEFFa \u200B \u200D \u2060 b"), ElementsAre("a", "b"));
  EXPECT_THAT(characters("\uFEFFa\u200Bb"), ElementsAre("a", "b"));
}

TEST(Tokens, OfBytesThatAreNotUtf8AreThoseBytes) {
  EXPECT_THAT(words("ab\xFF"
                    "cd"),
              ElementsAre("ab", "\xFF", "cd"));
  EXPECT_THAT(words("\xE2\x82 x"), ElementsAre("\xE2", "\x82", "x"));       // truncated
  EXPECT_THAT(words("\xC0\xAF"), ElementsAre("\xC0", "\xAF"));              // overlong
  EXPECT_THAT(words("\xED\xA0\x80"), ElementsAre("\xED", "\xA0", "\x80"));  // surrogate
  EXPECT_THAT(characters("é\xF4"), ElementsAre("é", "\xF4"));
}

TEST(Tokens, JoinToTheSentenceWithoutItsSpaces) {
  const std::string text =
      "Zwölf Boxkämpfer 𝔘𝔫𝔦 \x80 नमस्ते我喜欢👍🏽!";
  std::string expected = text;
  std::erase(expected, ' ');
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    std::string joined;
    for (const std::string& token : texts(text, mode)) joined += token;
    EXPECT_EQ(joined, expected);
  }
}

TEST(Tokens, MayHoldTheNullCharacter) {
  EXPECT_THAT(words(std::string_view("a\0b", 3)), ElementsAre("a", std::string(1, '\0'), "b"));
}

TEST(Tokens, OfLongTextsOfOneWordAreWhole) {
  const std::string text(100'000, 'a');
  EXPECT_THAT(words(text), ElementsAre(text));
  EXPECT_EQ(characters(text).size(), text.size());
}

TEST(Printable, ShowsUnprintableCharacters) {
  EXPECT_EQ(printable("naïve 👍🏽"), "naïve 👍🏽");
  EXPECT_EQ(printable("a\xFF\x80z"), "a⟨FF⟩⟨80⟩z");
  EXPECT_EQ(printable(std::string_view("\0\n\x1F\x7F", 4)), "␀␊␟␡");
  EXPECT_EQ(printable("x\u0085 \u2028 \u202E"), "x⟨U+0085⟩ ⟨U+2028⟩ ⟨U+202E⟩");
  EXPECT_EQ(printable("\xE0\xB8"), "⟨E0⟩⟨B8⟩") << "the beginning of a character";
  EXPECT_EQ(printable("  \u00A0\u200D"), "␣␣⟨U+00A0⟩⟨U+200D⟩") << "a piece that is all blank";
  EXPECT_EQ(printable(" the"), " the");
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("👩‍🚀"), "👩‍🚀");
}

TEST(Printable, IsAlwaysUtf8) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_TRUE(is_utf8(printable(bytes))) << first << " " << second;
    }
  }
  EXPECT_FALSE(is_utf8("a\xFF"));
}

TEST(TokenMode, HasANameThatReadsBack) {
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters, TokenMode::kTokenizer}) {
    EXPECT_EQ(token_mode_from_name(token_mode_name(mode)), mode);
  }
  EXPECT_EQ(token_mode_from_name("Words"), std::nullopt);
}

}  // namespace
}  // namespace lab
