// Explanations of concat and the stages after it, and of overridden cells.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tests/explained.h"

namespace attention::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ExplainOutput, AConcatCellComesFromTheHeadItBelongsTo) {
  EXPECT_EQ(cells(plain().at(Stage::kConcat, 0, 4, 7)), (Cells{{"head_output", 2, 4, 1}}));
}

TEST(ExplainOutput, AConcatCellIsTimesTheGainOfItsHead) {
  Problem problem = plain_problem();
  problem.head_mix = {{}, {}, {.mute = false, .solo = false, .scale = -1.5f}};
  const Explained scaled(problem);
  const Explanation e = scaled.at(Stage::kConcat, 0, 4, 7);
  EXPECT_EQ(cells(e), (Cells{{"head_output", 2, 4, 1}, {"gain", 2, 0, 0}}));
  EXPECT_EQ(e.terms[0].b->value, -1.5f);
  EXPECT_THAT(e.reasons, IsEmpty());
  EXPECT_THAT(scaled.at(Stage::kConcat, 0, 4, 0).terms[0].b, testing::Eq(std::nullopt));
}

// The reason given for the first head's cell of concat with that mix of heads.
ReasonType reason_muted_by(const std::vector<HeadMix>& mix) {
  Problem problem = plain_problem();
  problem.head_mix = mix;
  const Explanation e = Explained(problem).at(Stage::kConcat, 0, 1, 1);
  EXPECT_EQ(e.recomputed, 0.0);
  EXPECT_EQ(e.value, 0.0f);
  EXPECT_THAT(e.reasons, testing::SizeIs(1));
  return e.reasons.empty() ? ReasonType::kCausal : e.reasons.front().type;
}

TEST(ExplainOutput, AMutedCellSaysWhy) {
  EXPECT_EQ(reason_muted_by({{.mute = true}, {}, {}}), ReasonType::kMuted);
  EXPECT_EQ(reason_muted_by({{.mute = true, .solo = true}, {.solo = true}, {}}),
            ReasonType::kMuted);
  EXPECT_EQ(reason_muted_by({{}, {.solo = true}, {}}), ReasonType::kOthersSolo);
  EXPECT_EQ(reason_muted_by({{.scale = 0}, {}, {}}), ReasonType::kScaledByZero);
  EXPECT_EQ(reason_muted_by({{.solo = true, .scale = 0}, {.solo = true}, {}}),
            ReasonType::kScaledByZero);
}

TEST(ExplainOutput, AMutedHeadIsZeroWhateverItHolds) {
  Problem problem = plain_problem();
  problem.parameters.kv_heads[1].W_V.edit([](Matrix& W) { W.setConstant(std::nanf("")); });
  problem.head_mix = {{}, {.mute = true}, {}};
  const Explanation e = Explained(problem).at(Stage::kConcat, 0, 2, 4);
  EXPECT_TRUE(std::isnan(e.terms[0].a.value));
  EXPECT_EQ(e.terms[0].product, 0.0);
  EXPECT_EQ(e.recomputed, 0.0);
  EXPECT_EQ(e.value, 0.0f);
}

TEST(ExplainOutput, TheOutputMultipliesConcatByW_O) {
  const Explanation e = plain().at(Stage::kOutput, 0, 3, 4);
  ASSERT_THAT(e.terms, SizeIs(10));
  EXPECT_EQ(e.terms[8].a.cell, (CellRef{"concat", 0, 3, 8}));
  EXPECT_EQ(e.terms[8].b->cell, (CellRef{"W_O", 0, 8, 4}));
  EXPECT_EQ(e.terms[9].a.cell, (CellRef{"b_O", 0, 0, 4}));
}

TEST(ExplainOutput, AResidualAddsXToTheOutput) {
  const Explained residual = with(&Config::residual, true);
  EXPECT_EQ(cells(residual.at(Stage::kResidual, 0, 3, 4)),
            (Cells{{"X", 0, 3, 4}, {"output", 0, 3, 4}}));
  EXPECT_EQ(cells(plain().at(Stage::kResidual, 0, 3, 4)), (Cells{{"output", 0, 3, 4}}));
}

TEST(ExplainOutput, ANormalisedNumberShowsMeanAndVarianceOfItsRow) {
  Problem problem = plain_problem();
  problem.config.layer_norm = true;
  problem.config.layer_norm_epsilon = 0.5f;
  const Matrix scale{{1, 2, 3, 4, 5, 6}};
  problem.parameters.gamma = SharedMatrix(scale);
  problem.parameters.beta = SharedMatrix(-scale);
  const Explained explained(problem);
  const Explanation e = explained.at(Stage::kLayerNorm, 0, 2, 3);
  EXPECT_EQ(cells(e), (Cells{{"output", 0, 2, 3}}));
  ASSERT_TRUE(e.layer_norm);
  double mean = 0, variance = 0;
  const Matrix& output = *explained.trace().output;
  for (Index d = 0; d < 6; ++d) mean += output(2, d) / 6.0;
  for (Index d = 0; d < 6; ++d) variance += std::pow(output(2, d) - mean, 2) / 6.0;
  EXPECT_NEAR(e.layer_norm->mean, mean, 1e-12);
  EXPECT_NEAR(e.layer_norm->variance, variance, 1e-12);
  EXPECT_EQ(e.layer_norm->epsilon, 0.5);
  const double normalised = (output(2, 3) - mean) / std::sqrt(variance + 0.5);
  EXPECT_NEAR(e.layer_norm->normalised, normalised, 1e-12);
  EXPECT_EQ(e.layer_norm->gamma, 4.0f);
  EXPECT_EQ(e.layer_norm->beta, -4.0f);
  EXPECT_NEAR(e.recomputed, 4 * normalised - 4, 1e-12);
}

TEST(ExplainOutput, WithoutGammaAndBetaTheyAreOneAndZero) {
  Problem problem = plain_problem();
  problem.config.layer_norm = true;
  const Explanation e = Explained(problem).at(Stage::kLayerNorm, 0, 2, 3);
  EXPECT_EQ(e.layer_norm->gamma, 1.0f);
  EXPECT_EQ(e.layer_norm->beta, 0.0f);
  EXPECT_FALSE(plain().at(Stage::kLayerNorm, 0, 2, 3).layer_norm);
}

TEST(ExplainOutput, AnOverriddenCellShowsWhatItReplaces) {
  Problem problem = plain_problem();
  const double before = Explained(problem).at(Stage::kScores, 1, 2, 3).recomputed;
  problem.overrides = {{.stage = Stage::kScores, .head = 1, .row = 2, .col = 3, .value = 99}};
  const Explained explained(problem);
  const Explanation e = explained.at(Stage::kScores, 1, 2, 3);
  EXPECT_TRUE(e.overridden);
  EXPECT_EQ(e.value, 99.0f);
  EXPECT_EQ(e.recomputed, before);
  EXPECT_FALSE(explained.at(Stage::kScores, 0, 2, 3).overridden);
  EXPECT_FALSE(explained.at(Stage::kScores, 1, 3, 2).overridden);
  EXPECT_FALSE(explained.at(Stage::kScaledScores, 1, 2, 3).overridden);
  EXPECT_EQ(explained.at(Stage::kScaledScores, 1, 2, 3).terms[0].a.value, 99.0f);
}

TEST(ExplainOutput, AnOverrideMakesAStageActive) {
  Problem problem = plain_problem();
  problem.overrides = {{.stage = Stage::kMaskedScores, .head = 1, .row = 2, .col = 3, .value = 9}};
  const Explained explained(problem);
  EXPECT_EQ(cells(explained.at(Stage::kWeights, 1, 2, 3)), (Cells{{"masked_scores", 1, 2, 3}}));
  EXPECT_EQ(cells(explained.at(Stage::kMaskedScores, 1, 2, 3)),
            (Cells{{"scaled_scores", 1, 2, 3}}));
}

TEST(ExplainOutput, AnOverriddenMaskedCellHasAWeightWithoutReasons) {
  Problem problem = plain_problem();
  problem.config.mask.causal = true;
  problem.overrides = {{.stage = Stage::kMaskedScores, .head = 0, .row = 1, .col = 3, .value = 2}};
  const Explained explained(problem);
  EXPECT_THAT(explained.at(Stage::kMaskedScores, 0, 1, 3).reasons,
              testing::ElementsAre(Reason{.type = ReasonType::kCausal, .query = 1, .key = 3}));
  const Explanation weight = explained.at(Stage::kWeights, 0, 1, 3);
  EXPECT_THAT(weight.reasons, IsEmpty());
  EXPECT_GT(weight.value, 0.1f);
}

TEST(ExplainOutput, HeadsThatShareKeysShareTheirOverrides) {
  Config config = small_config();
  config.n_kv_heads = 1;
  Problem problem = problem_of(config);
  problem.overrides = {{.stage = Stage::kK, .head = 0, .row = 1, .col = 2, .value = 7}};
  const Explained explained(problem);
  for (const Index head : {0, 1, 2}) {
    EXPECT_TRUE(explained.at(Stage::kK, head, 1, 2).overridden);
    EXPECT_EQ(explained.at(Stage::kK, head, 1, 2).value, 7.0f);
  }
}

}  // namespace
}  // namespace attention::test
