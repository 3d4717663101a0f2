#include <gmock/gmock.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/layer/head_build.h"

// Heads that share keys and values, and split heads.

namespace lab {
namespace {

using attention::HeadBuild;
using attention::Positions;
using samples::after;
using samples::message_after;
using ::testing::HasSubstr;

Document four_heads() {
  const attention::Config config{
      .d_model = 8, .n_heads = 4, .d_k = 3, .d_v = 2, .d_out = 8, .mask = {}};
  return make_document("the cat saw", config, 3);
}

TEST(SetKvHeads, KeepsTheFirstOfEachGroup) {
  const Document before = four_heads();
  const Document grouped = after(before, SetSize{SizeId::kKvHeads, 2});
  const auto& kv_heads = grouped.problem.parameters.kv_heads;
  ASSERT_EQ(kv_heads.size(), 2u);
  EXPECT_TRUE(kv_heads[0].W_K.same_as(before.problem.parameters.kv_heads[0].W_K));
  EXPECT_TRUE(kv_heads[1].W_V.same_as(before.problem.parameters.kv_heads[2].W_V));
  EXPECT_EQ(grouped.problem.parameters.heads.size(), 4u);
}

TEST(SetKvHeads, RepeatsThoseThatWereShared) {
  const Document grouped = after(four_heads(), SetSize{SizeId::kKvHeads, 2});
  const Document apart = after(grouped, SetSize{SizeId::kKvHeads, 4});
  EXPECT_EQ(apart.problem.config.n_kv_heads, 0) << "one for each head is not a group";
  const auto &was = grouped.problem.parameters.kv_heads, &is = apart.problem.parameters.kv_heads;
  ASSERT_EQ(is.size(), 4u);
  for (std::size_t head = 0; head < 4; ++head) {
    EXPECT_TRUE(is[head].W_K.same_as(was[head / 2].W_K)) << head;
  }
  EXPECT_EQ(*samples::full_trace(apart).output, *samples::full_trace(grouped).output);
}

TEST(SetKvHeads, RefusesWhatIsNotADivisor) {
  EXPECT_THAT(message_after(four_heads(), SetSize{SizeId::kKvHeads, 3}),
              HasSubstr("n_kv_heads is 3, it must be a divisor of n_heads, which is 4"));
  EXPECT_THAT(message_after(four_heads(), SetSize{SizeId::kKvHeads, 8}), HasSubstr("n_kv_heads"));
}

TEST(SetHeads, LowersTheNumberOfKeysToADivisor) {
  const Document grouped = after(four_heads(), SetSize{SizeId::kKvHeads, 2});
  EXPECT_EQ(after(grouped, SetSize{SizeId::kHeads, 6}).problem.config.n_kv_heads, 2);
  EXPECT_EQ(after(grouped, SetSize{SizeId::kHeads, 5}).problem.config.n_kv_heads, 1);
  EXPECT_EQ(after(grouped, SetSize{SizeId::kHeads, 2}).problem.config.n_kv_heads, 0);
}

TEST(SetCell, EditsAKeyAndValueHeadOnce) {
  const Document grouped = after(four_heads(), SetSize{SizeId::kKvHeads, 2});
  const Document edited = after(grouped, SetCell{{MatrixId::kWK, 1}, 0, 0, 9});
  EXPECT_EQ((*edited.problem.parameters.kv_heads[1].W_K)(0, 0), 9);
  EXPECT_THAT(message_after(grouped, SetCell{{MatrixId::kWK, 2}, 0, 0, 9}),
              HasSubstr("there is no key and value head 3: the model has heads 1 to 2"));
}

TEST(SetHeadBuild, SplitsDModelAmongTheHeads) {
  const Document split = after(four_heads(), SetHeadBuild{HeadBuild::kSplit});
  EXPECT_EQ(split.problem.config.d_k, 2);
  EXPECT_EQ(split.problem.config.d_v, 2);
  EXPECT_EQ(split.problem.parameters.heads[3].W_Q->leftCols(2),
            four_heads().problem.parameters.heads[3].W_Q->leftCols(2));
  const Document wider = after(split, SetSize{SizeId::kDModel, 16});
  EXPECT_EQ(wider.problem.config.d_k, 4);
}

TEST(SetHeadBuild, WithOtherHeadsTheSameMatricesAreSplitAgain) {
  const Document four = after(four_heads(), SetHeadBuild{HeadBuild::kSplit});
  const Document two = after(four, SetSize{SizeId::kHeads, 2});
  const auto joined = [](const Document& document) {
    return join(document.problem.parameters, document.problem.config);
  };
  EXPECT_EQ(*joined(two).W_Q, *joined(four).W_Q);
  EXPECT_EQ(*joined(two).W_V, *joined(four).W_V);
  EXPECT_EQ(two.problem.config.d_k, 4);
  EXPECT_EQ(samples::fingerprint(after(two, SetSize{SizeId::kHeads, 4})),
            samples::fingerprint(four));
}

TEST(SetHeadBuild, RefusesWhatDoesNotSplit) {
  const Document five = after(four_heads(), SetSize{SizeId::kHeads, 5});
  EXPECT_THAT(message_after(five, SetHeadBuild{HeadBuild::kSplit}),
              HasSubstr("d_model 8 cannot be split among 5 heads"));
  const Document split = after(four_heads(), SetHeadBuild{HeadBuild::kSplit});
  EXPECT_THAT(message_after(split, SetSize{SizeId::kHeads, 3}), HasSubstr("cannot be split"));
  EXPECT_THAT(message_after(split, SetSize{SizeId::kDK, 4}),
              HasSubstr("d_k is d_model / n_heads while heads are split"));
  const Document separate = after(split, SetHeadBuild{HeadBuild::kSeparate});
  EXPECT_EQ(after(separate, SetSize{SizeId::kDK, 4}).problem.config.d_k, 4);
  const Document rotary = after(split, SetPositions{.type = Positions::kRotary});
  EXPECT_THAT(message_after(rotary, SetSize{SizeId::kHeads, 8}), HasSubstr("even with rotary"));
}

}  // namespace
}  // namespace lab
