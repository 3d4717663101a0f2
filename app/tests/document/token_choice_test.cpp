#include "app/document/token_choice.h"

#include <gmock/gmock.h>

namespace lab {
namespace {

using attention::Index;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Of "The cat saw the dog , 7 times".
std::vector<Index> chosen(const std::string& text) {
  const auto found = chosen_tokens(text, {"The", "cat", "saw", "the", "dog", ",", "7", "times"});
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(std::vector<Index>());
}

std::string why_not(const std::string& text) {
  const auto found = chosen_tokens(text, {"The", "cat"});
  EXPECT_FALSE(found) << text;
  return found ? "" : found.error().message;
}

TEST(TokenChoice, TakesPositionsRangesAndWordsInTheirOrderInTheSentence) {
  EXPECT_THAT(chosen("4, 1-2"), ElementsAre(1, 2, 4));
  EXPECT_THAT(chosen("dog,The"), ElementsAre(0, 4));
  EXPECT_THAT(chosen("2–4"), ElementsAre(2, 3, 4)) << "a dash is as good as a hyphen";
  EXPECT_THAT(chosen("4-2"), ElementsAre(2, 3, 4));
  EXPECT_THAT(chosen("1,1,cat"), ElementsAre(1)) << "each once";
}

TEST(TokenChoice, ANumberIsAPositionAndAMarkedOneAToken) {
  EXPECT_THAT(chosen("7"), ElementsAre(7)) << "the token 7 is at position 6";
  EXPECT_THAT(chosen("token:7"), ElementsAre(6));
  EXPECT_THAT(chosen("token:7, cat"), ElementsAre(1, 6));
  EXPECT_THAT(chosen(","), ElementsAre(5));
}

TEST(TokenChoice, OfNothingIsEmpty) {
  EXPECT_THAT(chosen(""), IsEmpty());
  EXPECT_THAT(chosen(" , "), ElementsAre(5)) << "a comma is a token here";
}

TEST(TokenChoice, WhileAListIsTypedItsEndMayBeOpen) { EXPECT_THAT(chosen("1,"), ElementsAre(1)); }

TEST(TokenChoice, SaysWhatIsWrong) {
  EXPECT_THAT(why_not("dog"), HasSubstr("\"dog\" is no token"));
  EXPECT_THAT(why_not("0-2"), HasSubstr("0 to 1"));
  EXPECT_THAT(why_not("-1"), HasSubstr("is no token"));
  EXPECT_THAT(why_not("1-"), HasSubstr("is no token"));
}

}  // namespace
}  // namespace lab
