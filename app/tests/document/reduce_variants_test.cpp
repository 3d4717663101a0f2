#include <gmock/gmock.h>

#include <cmath>

#include "app/document/listed_edits.h"
#include "app/document/matrix_labels.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::HeadBuild;
using attention::Positions;
using attention::RotaryPairs;
using attention::Stage;
using samples::after;
using samples::file_document;
using samples::full_trace;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

TEST(SetPositions, ChangesOnlyWhatIsGiven) {
  Document document = after(small_document(), SetPositions{.type = Positions::kRotary});
  document = after(document, SetPositions{.base = 500.0f});
  document = after(document, SetPositions{.pairs = RotaryPairs::kHalves});
  EXPECT_EQ(document.problem.config.positions, Positions::kRotary);
  EXPECT_EQ(document.problem.config.rotary_base, 500);
  EXPECT_EQ(document.problem.config.rotary_pairs, RotaryPairs::kHalves);
}

TEST(SetPositions, LearnedOnesStartWithATableOfZeros) {
  const Document learned = after(small_document(), SetPositions{.type = Positions::kLearned});
  EXPECT_EQ(learned.problem.position_table.shape(), (attention::Shape{6, 6}));
  EXPECT_TRUE(learned.problem.position_table->isZero(0));
  const MatrixRef table{MatrixId::kPositionTable};
  const Document edited = after(learned, SetCell{table, 2, 1, 0.5f});
  const Document longer = after(edited, SetSentence{"one two three four five six seven eight"});
  EXPECT_EQ(longer.problem.position_table->rows(), 8);
  EXPECT_EQ((*longer.problem.position_table)(2, 1), 0.5f);
  EXPECT_EQ((*full_trace(longer).X)(2, 1), (*longer.problem.embedding)(2, 1) + 0.5f);
  const Document shorter = after(edited, SetSentence{"one"});
  EXPECT_TRUE(shorter.problem.position_table.same_as(edited.problem.position_table));
}

TEST(SetPositions, ATableMadeBeforehandIsUsed) {
  const MatrixRef table{MatrixId::kPositionTable};
  const Document edited = after(small_document(), SetCell{table, 5, 0, 1});
  EXPECT_EQ(full_trace(edited).X.version(), edited.problem.embedding.version()) << "not yet read";
  const Document learned = after(edited, SetPositions{.type = Positions::kLearned});
  EXPECT_TRUE(learned.problem.position_table.same_as(edited.problem.position_table));
}

TEST(SetPositions, RotaryOnesNeedPairs) {
  const Document odd = after(small_document(), SetSize{SizeId::kDK, 3});
  EXPECT_THAT(message_after(odd, SetPositions{.type = Positions::kRotary}),
              HasSubstr("d_k is 3, it must be even with rotary positions"));
  const Document rotary = after(small_document(), SetPositions{.type = Positions::kRotary});
  EXPECT_THAT(message_after(rotary, SetSize{SizeId::kDK, 3}), HasSubstr("even with rotary"));
  EXPECT_THAT(message_after(rotary, SetPositions{.base = 0.5f}), HasSubstr("rotary_base is 0.5"));
}

TEST(SetBiases, TurnsThemOffWithoutForgettingThem) {
  const Document off = after(file_document(), SetBiases{false});
  EXPECT_FALSE(off.problem.parameters.b_O.empty());
  EXPECT_NE(*full_trace(off).output, *full_trace(file_document()).output);
  const Document on = after(off, SetBiases{true});
  EXPECT_EQ(*full_trace(on).output, *full_trace(file_document()).output);
}

TEST(SetDropout, IsRepeatedByItsSeed) {
  const Document first = after(small_document(), SetDropout{0.5f, 1});
  const Document again = after(after(first, SetDropout{.seed = 2}), SetDropout{.seed = 1});
  EXPECT_EQ(*full_trace(first).output, *full_trace(again).output);
  const Document other = after(first, SetDropout{.seed = 2});
  EXPECT_NE(*full_trace(first).output, *full_trace(other).output);
  for (const float rate : {1.0f, -0.1f, std::nanf("")}) {
    EXPECT_THAT(message_after(first, SetDropout{.rate = rate}), HasSubstr("dropout_rate"));
  }
}

TEST(SetResidual, NeedsAnOutputAsWideAsX) {
  const Document residual = after(small_document(), SetResidual{true});
  const auto trace = full_trace(residual);
  EXPECT_TRUE(trace.residual->isApprox(*trace.output + *trace.X));
  const attention::Config narrow{
      .d_model = 6, .n_heads = 1, .d_k = 2, .d_v = 2, .d_out = 3, .mask = {}};
  EXPECT_THAT(message_after(make_document("a b", narrow, 1), SetResidual{true}),
              HasSubstr("d_out is 3, it must be d_model with a residual, which is 6"));
}

TEST(SetLayerNorm, GivesRowsOfMeanZero) {
  const Document normed = after(small_document(), SetLayerNorm{true});
  const auto rows = *full_trace(normed).layer_norm;
  EXPECT_LT(rows.rowwise().mean().cwiseAbs().maxCoeff(), 1e-6f);
  EXPECT_THAT(message_after(normed, SetLayerNorm{.epsilon = 0.0f}),
              HasSubstr("layer_norm_epsilon is 0"));
}

TEST(SetHeadNorm, GivesQueriesAndKeysOfOneLength) {
  const Document normed = after(small_document(), SetHeadNorm{true});
  const auto trace = full_trace(normed);
  for (const auto& head : trace.heads)
    for (const auto& rows : {*head.normed_Q, *head.normed_K})
      EXPECT_TRUE((rows.rowwise().squaredNorm().array() - rows.cols()).abs().maxCoeff() < 1e-3f)
          << rows;
  EXPECT_THAT(message_after(normed, SetHeadNorm{.epsilon = -1.0f}),
              HasSubstr("head_norm_epsilon is -1"));
}

TEST(SetScoreCap, BoundsTheScores) {
  const Document capped = after(small_document(), SetScoreCap{0.25f});
  EXPECT_LE(full_trace(capped).heads[0].capped_scores->cwiseAbs().maxCoeff(), 0.25f);
  EXPECT_THAT(message_after(capped, SetScoreCap{-1}), HasSubstr("score_cap is -1"));
  EXPECT_FALSE(is_active(after(capped, SetScoreCap{0}).problem, attention::Stage::kCappedScores));
}

TEST(SetCell, MakesTheFactorsOfANormOfOnes) {
  const Document document = after(small_document(), SetCell{{MatrixId::kNormQ}, 0, 1, 3});
  const int d_k = document.problem.config.d_k;
  attention::Matrix expected = attention::Matrix::Ones(1, d_k);
  expected(0, 1) = 3;
  EXPECT_EQ(*document.problem.parameters.norm_Q, expected);
  const Document wider = after(document, SetSize{SizeId::kDK, d_k + 1});
  EXPECT_EQ((*wider.problem.parameters.norm_Q)(0, d_k), 1);
  EXPECT_EQ((*wider.problem.parameters.norm_Q)(0, 1), 3);
}

// Where heads are normalised together, each has factors of its own.
TEST(SetSize, KeepsTheFactorsOfAJointNormWithTheirHeads) {
  Document document = small_document();
  attention::Config& config = document.problem.config;
  config.head_norm = config.head_norm_joint = true;
  const int heads = config.n_heads, d_k = config.d_k;
  ASSERT_GT(heads, 1);
  document = after(document, SetCell{{MatrixId::kNormQ}, 0, d_k + 1, 3});
  document = after(document, SetCell{{MatrixId::kNormK}, 0, d_k, 5});
  EXPECT_EQ(document.problem.parameters.norm_Q.shape(), (attention::Shape{1, heads * d_k}));
  const Document wider = after(document, SetSize{SizeId::kDK, d_k + 2});
  attention::Matrix expected = attention::Matrix::Ones(1, heads * (d_k + 2));
  expected(0, d_k + 3) = 3;
  EXPECT_EQ(*wider.problem.parameters.norm_Q, expected);
  const Document more = after(document, SetSize{SizeId::kHeads, heads + 1});
  EXPECT_EQ((*more.problem.parameters.norm_Q)(0, d_k + 1), 3);
  EXPECT_EQ((*more.problem.parameters.norm_K)(0, heads * d_k), 1) << "the new head";
  const Document shared = after(document, SetSize{SizeId::kKvHeads, 1});
  EXPECT_EQ(*shared.problem.parameters.norm_K, (attention::Matrix::Ones(1, d_k)));
  EXPECT_EQ(matrix_column_label(document, MatrixId::kNormQ, d_k + 1), "h2.1");
}

TEST(SetCell, MakesGammaOfOnesAndBetaOfZeros) {
  Document document = after(small_document(), SetCell{{MatrixId::kGamma}, 0, 2, 3});
  document = after(document, SetCell{{MatrixId::kBeta}, 0, 1, -1});
  EXPECT_EQ(*document.problem.parameters.gamma, (attention::Matrix{{1, 1, 3, 1, 1, 1}}));
  EXPECT_EQ(*document.problem.parameters.beta, (attention::Matrix{{0, -1, 0, 0, 0, 0}}));
  const Document wider = after(document, SetSize{SizeId::kDModel, 8});
  EXPECT_EQ((*wider.problem.parameters.gamma)(0, 7), 1);
  EXPECT_EQ((*wider.problem.parameters.beta)(0, 7), 0);
}

TEST(SetHeadMix, ChangesWhatReachesConcat) {
  const Document before = small_document();
  const Document muted = after(before, SetHeadMix{.head = 1, .mute = true});
  EXPECT_TRUE(full_trace(muted).concat->middleCols(2, 2).isZero(0));
  EXPECT_EQ(full_trace(muted).concat->leftCols(2), full_trace(before).concat->leftCols(2));
  const Document halved = after(before, SetHeadMix{.head = 0, .scale = 0.5f});
  EXPECT_TRUE(full_trace(halved).concat->leftCols(2).isApprox(
      0.5f * full_trace(before).concat->leftCols(2)));
  const Document solo = after(before, SetHeadMix{.head = 2, .solo = true});
  EXPECT_TRUE(full_trace(solo).concat->leftCols(4).isZero(0));
  EXPECT_TRUE(same_document(after(muted, SetHeadMix{.head = 1, .mute = false}), before));
}

TEST(SetHeadMix, FollowsTheNumberOfHeads) {
  const Document muted = after(small_document(), SetHeadMix{.head = 2, .mute = true});
  EXPECT_EQ(after(muted, SetSize{SizeId::kHeads, 5}).problem.head_mix.size(), 5u);
  EXPECT_TRUE(after(muted, SetSize{SizeId::kHeads, 2}).problem.head_mix.empty());
  EXPECT_THAT(message_after(muted, SetHeadMix{.head = 3, .mute = true}),
              HasSubstr("there is no head 4: the model has heads 1 to 3"));
  EXPECT_THAT(message_after(muted, SetHeadMix{.head = 0, .scale = std::nanf("")}),
              HasSubstr("cannot be used"));
}

TEST(SetOverride, ReplacesWhatIsComputed) {
  const StageCell cell{Stage::kWeights, 1, 2, 3};
  const Document before = small_document();
  const Document document = after(before, SetOverride{cell, 0.75f});
  const auto trace = full_trace(document);
  EXPECT_EQ((*trace.heads[1].weights)(2, 3), 0.75f);
  EXPECT_NE((*trace.heads[0].weights)(2, 3), 0.75f);
  const Document other = after(document, SetOverride{cell, 0.25f});
  EXPECT_EQ(other.problem.overrides.size(), 1u);
  EXPECT_TRUE(same_document(after(other, RemoveOverride{cell}), before));
  EXPECT_TRUE(same_document(after(other, ClearOverrides{}), before));
}

TEST(SetOverrides, ReplaceABlockAndAreRemovedTogether) {
  const Document before = small_document();
  const StageCell from{Stage::kWeights, 1, 1, 0};
  attention::Matrix values(2, 3);
  values << 0.1f, 0.2f, 0.7f, 0.3f, 0.3f, 0.4f;
  const Document document = after(before, SetOverrides{from, values});
  ASSERT_EQ(document.problem.overrides.size(), 6U);
  Document one_by_one = before;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      one_by_one = after(one_by_one, SetOverride{{Stage::kWeights, 1, 1 + i, j}, values(i, j)});
  EXPECT_TRUE(same_document(document, one_by_one));
  EXPECT_TRUE(same_document(after(document, RemoveOverrides{from, 2, 3}), before));
  EXPECT_EQ(after(document, RemoveOverrides{from, 1, 3}).problem.overrides.size(), 3U);
  EXPECT_NE(message_after(before, SetOverrides{{Stage::kWeights, 1, 5, 4}, values}), "")
      << "the last row is beyond the sentence";
}

TEST(SwitchEdit, TakesTheEffectAwayAndGivesItBack) {
  const Document before = small_document();
  const StageCell cell{Stage::kWeights, 1, 2, 3};
  Document edited = after(before, SetOverride{cell, 0.75f});
  edited = after(edited, SetHeadMix{.head = 2, .mute = true});
  const Document one_off = after(edited, SwitchEdit{"weights", 1, false});
  EXPECT_TRUE(one_off.problem.overrides.empty());
  EXPECT_TRUE(one_off.problem.head_mix.at(2).mute) << "another edit stays on";
  const Document off = after(one_off, SwitchEdit{"mix", 2, false});
  EXPECT_TRUE(same_problem(off.problem, before.problem));
  EXPECT_FALSE(same_document(off, before)) << "it knows what is switched off";
  const Document on = after(after(off, SwitchEdit{"mix", 2}), SwitchEdit{"weights", 1});
  EXPECT_TRUE(same_document(on, edited));
}

TEST(SwitchEdit, KeepsWhatWasDoneMeanwhile) {
  const StageCell cell{Stage::kScores, 0, 1, 1};
  Document document = after(small_document(), SetOverride{cell, 4});
  document = after(document, SwitchEdit{"scores", 0, false});
  document = after(document, SetOverride{cell, 7});
  document = after(document, SwitchEdit{"scores", 0});
  ASSERT_EQ(document.problem.overrides.size(), 1U);
  EXPECT_EQ(document.problem.overrides.front().value, 7);
  EXPECT_EQ(document.switched_off, SwitchedOff());
}

TEST(SwitchEdit, FollowsTokensAndSizes) {
  Document document = after(small_document(), SetOverride{{Stage::kScores, 2, 5, 5}, 3});
  document = after(document, SetHeadMix{.head = 2, .scale = 0.5f});
  document = after(document, SwitchEdit{"scores", 2, false});
  document = after(document, SwitchEdit{"mix", 2, false});
  const Document shorter = after(document, SetSentence{"the cat"});
  EXPECT_TRUE(shorter.switched_off.overrides.empty());
  ASSERT_EQ(shorter.detached->switched_off.size(), 1U);
  EXPECT_EQ(edits_of(shorter).back().effect, ListedEdit::Effect::kDetached);
  const Document again = after(shorter, SetSentence{document.sentence});
  EXPECT_EQ(again.switched_off, document.switched_off);
  EXPECT_TRUE(again.problem.overrides.empty()) << "it is still switched off";
  const Document fewer = after(document, SetSize{SizeId::kHeads, 2});
  EXPECT_TRUE(fewer.switched_off.head_mix.empty());
  EXPECT_TRUE(after(fewer, SetSize{SizeId::kHeads, 3}).problem.overrides.empty());
}

TEST(SwitchEdit, OfSharedKeysIsTheSameForAllThatShareThem) {
  Document document = after(small_document(), SetSize{SizeId::kKvHeads, 1});
  document = after(document, SetOverride{{Stage::kK, 2, 0, 0}, 5});
  EXPECT_TRUE(after(document, SwitchEdit{"K", 1, false}).problem.overrides.empty());
}

TEST(SwitchEdit, RefusesWhatALayerMadeByHandDoesNotHave) {
  const Document document = small_document();
  EXPECT_NE(message_after(document, SwitchEdit{"stream", 0, false}), "");
  EXPECT_NE(message_after(document, SwitchEdit{"W_Q", 0, false}), "");
  EXPECT_NE(message_after(document, SwitchEdit{"mix", 3, false}), "");
}

TEST(SwitchEdit, IsOfTheSentenceThatIsShown) {
  Document document = after(small_document(), SetOverride{{Stage::kScores, 0, 1, 1}, 3});
  document = after(document, SwitchEdit{"scores", 0, false});
  const Document other = after(document, AddSentence{"another one"});
  EXPECT_TRUE(other.switched_off.overrides.empty());
  EXPECT_EQ(after(other, GoToSentence{0}).switched_off, document.switched_off);
}

TEST(SetOverride, OfSharedKeysIsTheSameForAllThatShareThem) {
  Document document = after(small_document(), SetSize{SizeId::kKvHeads, 1});
  document = after(document, SetOverride{{Stage::kK, 2, 0, 0}, 5});
  EXPECT_EQ(document.problem.overrides.at(0).head, 0);
  for (const auto& head : full_trace(document).heads) EXPECT_EQ((*head.K)(0, 0), 5);
  EXPECT_TRUE(after(document, RemoveOverride{{Stage::kK, 1, 0, 0}}).problem.overrides.empty());
}

TEST(SetOverride, IsDetachedWithItsCell) {
  Document document = after(small_document(), SetOverride{{Stage::kScores, 2, 5, 5}, 1});
  document = after(document, SetOverride{{Stage::kOutput, 0, 0, 5}, 1});
  EXPECT_EQ(after(document, SetSentence{"the cat"}).problem.overrides.size(), 1u);
  EXPECT_EQ(after(document, SetSize{SizeId::kHeads, 2}).problem.overrides.size(), 1u);
  EXPECT_EQ(after(document, SetSize{SizeId::kDModel, 4}).problem.overrides.size(), 1u);
  Document added = after(small_document(), SetPositions{.type = Positions::kSinusoidal});
  added = after(added, SetOverride{{Stage::kPosition, 0, 1, 1}, 1});
  EXPECT_TRUE(after(added, SetPositions{.type = Positions::kNone}).problem.overrides.empty());
}

TEST(SetOverride, RefusesImpossibleCellsAndNumbers) {
  const Document document = small_document();
  const auto message = [&](StageCell cell, float value = 1) {
    return message_after(document, SetOverride{cell, value});
  };
  EXPECT_THAT(message({Stage::kEmbedding, 0, 0, 0}), HasSubstr("edited as matrix X"));
  EXPECT_THAT(message({Stage::kPosition, 0, 0, 0}), HasSubstr("the model has no position"));
  EXPECT_THAT(message({Stage::kXKv, 0, 0, 0}), HasSubstr("the model has no X_kv"));
  EXPECT_THAT(message({Stage::kScores, 0, 6, 0}), HasSubstr("no cell (6, 0) in scores of head 1"));
  EXPECT_THAT(message({Stage::kScores, 3, 0, 0}), HasSubstr("there is no head 4"));
  EXPECT_THAT(message({Stage::kWeights, 0, 0, 0}, -INFINITY), HasSubstr("cannot be used"));
  after(document, SetOverride{{Stage::kMaskedScores, 0, 0, 0}, -INFINITY});
}

}  // namespace
}  // namespace lab
