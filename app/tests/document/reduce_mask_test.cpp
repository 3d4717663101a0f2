#include <gmock/gmock.h>

#include <cmath>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"
#include "core/explain/explain.h"

namespace lab {
namespace {

using attention::MaskRules;
using samples::after;
using samples::full_trace;
using samples::kMask;
using samples::kScoreBias;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

TEST(SetMask, LeavesTheRulesThatAreNotGiven) {
  Document document = after(small_document(), SetMask{.key_count = 4});
  document = after(document, SetMask{.window = 2});
  EXPECT_EQ(document.problem.config.mask, (MaskRules{false, 4, 2}));
  document = after(document, SetMask{.causal = true});
  EXPECT_EQ(document.problem.config.mask, (MaskRules{true, 4, 2}));
  const auto none = command_from_json_line(R"({"do":"set_mask","mask":"none"})");
  EXPECT_FALSE(after(document, *none).problem.config.mask.any());
}

TEST(SetMask, RefusesRulesBeyondAnySentence) {
  EXPECT_THAT(message_after(small_document(), SetMask{.key_count = 2049}), HasSubstr("key_count"));
  EXPECT_THAT(message_after(small_document(), SetMask{.window = 2049}), HasSubstr("window"));
}

TEST(MaskCell, ForbidsOnePairInEveryHead) {
  const Document document = after(small_document(), SetCell{kMask, 2, 4, 0});
  EXPECT_FALSE(document.problem.may_attend(2, 4));
  EXPECT_TRUE(document.problem.may_attend(4, 2));
  for (const auto& head : full_trace(document).heads) {
    EXPECT_EQ((*head.weights)(2, 4), 0);
    EXPECT_GT((*head.weights)(4, 2), 0);
  }
}

TEST(MaskCell, PaintedBackTheMaskIsAbsent) {
  const Document before = small_document();
  const Document painted = after(before, SetCell{kMask, 2, 4, 0});
  EXPECT_TRUE(same_document(after(painted, SetCell{kMask, 2, 4, 1}), before));
  EXPECT_TRUE(same_document(after(painted, FillMask{true}), before));
  EXPECT_TRUE(same_document(after(before, SetCell{kMask, 0, 0, 1}), before));
}

TEST(FillMask, ForbidsEveryPair) {
  const Document document = after(small_document(), FillMask{false});
  EXPECT_TRUE(full_trace(document).heads[0].weights->isZero(0));
}

TEST(MaskCell, RefusesPairsThatDoNotExist) {
  EXPECT_THAT(message_after(small_document(), SetCell{kMask, 6, 0, 0}),
              HasSubstr("no cell (6, 0) in mask: its rows are 0 to 5, its columns 0 to 5"));
  EXPECT_THAT(message_after(small_document(), SetCell{kScoreBias, 0, 6, 1}),
              HasSubstr("in score_bias: its rows are 0 to 5"));
}

TEST(BiasCell, IsAddedToTheScaledScore) {
  const Document before = small_document();
  const Document document = after(before, SetCell{kScoreBias, 1, 3, 2.5f});
  const auto was = full_trace(before).heads[2], is = full_trace(document).heads[2];
  EXPECT_FLOAT_EQ((*is.masked_scores)(1, 3), (*was.scaled_scores)(1, 3) + 2.5f);
  EXPECT_EQ((*is.masked_scores)(1, 2), (*was.scaled_scores)(1, 2));
  EXPECT_TRUE(same_document(after(document, SetCell{kScoreBias, 1, 3, 0}), before));
  EXPECT_TRUE(same_document(
      after(document, FillMatrix{kScoreBias, attention::FillType::kZero, 0, 0.0f}), before));
}

TEST(BiasCell, MinusInfinityForbids) {
  const Document document = after(small_document(), SetCell{kScoreBias, 1, 3, -kInfinity});
  EXPECT_EQ((*full_trace(document).heads[0].weights)(1, 3), 0);
  EXPECT_THAT(message_after(document, SetCell{kScoreBias, 1, 3, INFINITY}),
              HasSubstr("cannot be used"));
  EXPECT_THAT(
      message_after(document, FillMatrix{kScoreBias, attention::FillType::kZero, 0, std::nanf("")}),
      HasSubstr("cannot be used"));
}

TEST(PaintedMask, IsDetachedWithItsWordsAndKeptWithTheSame) {
  const Document painted =
      after(after(small_document(), SetCell{kMask, 0, 1, 0}), SetCell{kScoreBias, 0, 2, 1});
  const Document same = after(painted, SetSentence{"the cat  saw the dog."});
  EXPECT_TRUE(same.problem.allowed.same_as(painted.problem.allowed));
  for (const Command& command :
       {Command(SetSentence{"one cat"}), Command(SetKvSentence{"ein Hund"}),
        Command(SetTokenMode{TokenMode::kCharacters})}) {
    const Document other = after(painted, command);
    EXPECT_TRUE(other.problem.allowed.empty());
    EXPECT_TRUE(other.problem.bias.empty());
    EXPECT_EQ(other.detached->mask.size() + other.detached->bias.size(), 2u);
  }
}

}  // namespace
}  // namespace lab
