// Explanations of the cells of each kind of stage.

#include "core/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/config.h"
#include "core/tests/explained.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Explain, AnEmbeddingIsGiven) {
  const Explanation e = plain().at(Stage::kEmbedding, 0, 1, 2);
  EXPECT_THAT(e.terms, IsEmpty());
  EXPECT_EQ(e.recomputed, e.value);
}

TEST(Explain, XIsTheEmbeddingWhereNoPositionIsAdded) {
  EXPECT_EQ(cells(plain().at(Stage::kX, 0, 1, 2)), (Cells{{"embedding", 0, 1, 2}}));
  EXPECT_EQ(cells(plain().at(Stage::kXKv, 0, 1, 2)), (Cells{{"X", 0, 1, 2}}));
}

TEST(Explain, XAddsThePositionToTheEmbedding) {
  Config config = small_config();
  config.positions = Positions::kLearned;
  const Explained cross(problem_of(config, 5, 7));
  EXPECT_EQ(cells(cross.at(Stage::kX, 0, 4, 1)),
            (Cells{{"embedding", 0, 4, 1}, {"position", 0, 4, 1}}));
  EXPECT_EQ(cells(cross.at(Stage::kXKv, 0, 6, 1)),
            (Cells{{"embedding_kv", 0, 6, 1}, {"position_kv", 0, 6, 1}}));
}

TEST(Explain, ALearnedPositionIsItsCellOfTheTable) {
  Config config = small_config();
  config.positions = Positions::kLearned;
  Problem problem = problem_of(config, 5, 7);
  const Explained one(problem);
  EXPECT_EQ(cells(one.at(Stage::kPosition, 0, 3, 2)), (Cells{{"position_table", 0, 3, 2}}));
  EXPECT_EQ(cells(one.at(Stage::kPositionKv, 0, 6, 2)), (Cells{{"position_table", 0, 6, 2}}));
  problem.position_table_kv = SharedMatrix(Matrix::Ones(7, 6));
  const Explained two(problem);
  EXPECT_EQ(cells(two.at(Stage::kPosition, 0, 3, 2)), (Cells{{"position_table", 0, 3, 2}}));
  EXPECT_EQ(cells(two.at(Stage::kPositionKv, 0, 6, 2)), (Cells{{"position_table_kv", 0, 6, 2}}));
}

TEST(Explain, ASinusoidalPositionIsTheSineOrCosineOfItsAngle) {
  const Explained sinusoidal = with(&Config::positions, Positions::kSinusoidal);
  const double angle = 4.0 / std::pow(10000.0, 2.0 / 6.0);
  const Explanation sine = sinusoidal.at(Stage::kPosition, 0, 4, 2);
  EXPECT_THAT(sine.terms, IsEmpty());
  EXPECT_DOUBLE_EQ(sine.angle, angle);
  EXPECT_DOUBLE_EQ(sine.recomputed, std::sin(angle));
  const Explanation cosine = sinusoidal.at(Stage::kPosition, 0, 4, 3);
  EXPECT_DOUBLE_EQ(cosine.angle, angle);
  EXPECT_DOUBLE_EQ(cosine.recomputed, std::cos(angle));
}

TEST(Explain, AProjectionHasATermForEveryFeatureAndTheBiasLast) {
  const Explanation e = Explained(problem_of(small_config(), 4, 7)).at(Stage::kK, 2, 6, 1);
  ASSERT_THAT(e.terms, SizeIs(7));
  EXPECT_EQ(e.terms[4].a.cell, (CellRef{"X_kv", 0, 6, 4}));
  EXPECT_EQ(e.terms[4].b->cell, (CellRef{"W_K", 2, 4, 1}));
  EXPECT_EQ(e.terms[6].a.cell, (CellRef{"b_K", 2, 0, 1}));
  EXPECT_FALSE(e.terms[6].b);
}

TEST(Explain, KeysComeFromXInSelfAttention) {
  EXPECT_EQ(plain().at(Stage::kV, 1, 3, 2).terms[5].a.cell, (CellRef{"X", 0, 3, 5}));
}

TEST(Explain, BiasesThatAreSwitchedOffAreNoOperands) {
  const Explained off = with(&Config::biases, false);
  EXPECT_THAT(off.at(Stage::kQ, 0, 1, 1).terms, SizeIs(6));
  EXPECT_THAT(off.at(Stage::kK, 0, 1, 1).terms, SizeIs(6));
  EXPECT_THAT(off.at(Stage::kV, 0, 1, 1).terms, SizeIs(6));
  EXPECT_THAT(off.at(Stage::kOutput, 0, 1, 1).terms, SizeIs(9));
}

TEST(Explain, HeadsThatShareKeysNameTheOneThatIsExplained) {
  Config config = small_config();
  config.n_kv_heads = 1;
  const Explained grouped(problem_of(config));
  const Explanation e = grouped.at(Stage::kK, 2, 3, 1);
  EXPECT_EQ(e.head, 2);
  EXPECT_EQ(e.terms[5].b->cell, (CellRef{"W_K", 2, 5, 1}));
  EXPECT_EQ(e.value, grouped.at(Stage::kK, 0, 3, 1).value);
  EXPECT_EQ(grouped.at(Stage::kScores, 1, 0, 4).terms[3].b->cell, (CellRef{"K", 1, 4, 3}));
}

TEST(Explain, ARotatedFeatureRotatesItsPair) {
  const Explained rotary = with(&Config::positions, Positions::kRotary);
  const Explanation first = rotary.at(Stage::kRotatedQ, 1, 3, 2);
  EXPECT_EQ(cells(first),
            (Cells{{"Q", 1, 3, 2}, {"cos", 0, 3, 1}, {"Q", 1, 3, 3}, {"sin", 0, 3, 1}}));
  const double angle = 3.0 * std::pow(10000.0, -2.0 / 4.0);
  EXPECT_DOUBLE_EQ(first.angle, angle);
  EXPECT_FLOAT_EQ(first.terms[0].b->value, static_cast<float>(std::cos(angle)));
  EXPECT_FLOAT_EQ(first.terms[1].b->value, static_cast<float>(-std::sin(angle)));
  const Explanation second = rotary.at(Stage::kRotatedK, 1, 3, 3);
  EXPECT_EQ(cells(second),
            (Cells{{"K", 1, 3, 2}, {"sin", 0, 3, 1}, {"K", 1, 3, 3}, {"cos", 0, 3, 1}}));
  EXPECT_FLOAT_EQ(second.terms[0].b->value, static_cast<float>(std::sin(angle)));
}

TEST(Explain, ANormedFeatureIsDividedByTheRootMeanSquareOfItsRow) {
  Config config = small_config();
  config.head_norm = true;
  config.head_norm_epsilon = 0.5f;
  config.positions = Positions::kRotary;
  const Explained normed(problem_of(config));
  const Explanation e = normed.at(Stage::kNormedK, 1, 3, 2);
  EXPECT_EQ(cells(e), (Cells{{"K", 1, 3, 2}}));
  const RowVector row = normed.trace().heads[1].K->row(3);
  ASSERT_TRUE(e.head_norm);
  EXPECT_NEAR(e.head_norm->mean_square, row.squaredNorm() / 4, 1e-6);
  EXPECT_EQ(e.head_norm->epsilon, 0.5);
  EXPECT_EQ(e.head_norm->weight, (*normed.problem().parameters.norm_K)(0, 2));
  EXPECT_NEAR(e.recomputed, row(2) / std::sqrt(row.squaredNorm() / 4 + 0.5) * e.head_norm->weight,
              1e-6);
  EXPECT_EQ(cells(normed.at(Stage::kRotatedQ, 1, 3, 2))[0], (CellRef{"normed_Q", 1, 3, 2}));
  EXPECT_FALSE(plain().at(Stage::kNormedQ, 1, 3, 2).head_norm);
}

TEST(Explain, ACappedScoreHasItsCap) {
  const Explained capped = with(&Config::score_cap, 0.75f);
  const Explanation e = capped.at(Stage::kCappedScores, 1, 3, 4);
  EXPECT_EQ(cells(e), (Cells{{"scaled_scores", 1, 3, 4}}));
  EXPECT_EQ(e.cap, 0.75);
  EXPECT_NEAR(e.recomputed, 0.75 * std::tanh(e.terms[0].product / 0.75), 1e-12);
  EXPECT_EQ(cells(capped.at(Stage::kWeights, 1, 3, 4)), (Cells{{"capped_scores", 1, 3, 4}}));
  EXPECT_EQ(plain().at(Stage::kCappedScores, 1, 3, 4).cap, 0);
}

TEST(Explain, HalvesPairEachFeatureWithOneHalfTheWidthAway) {
  Config config = small_config();
  config.positions = Positions::kRotary;
  config.rotary_pairs = RotaryPairs::kHalves;
  const Explained rotary(problem_of(config));
  EXPECT_EQ(cells(rotary.at(Stage::kRotatedQ, 0, 2, 1)),
            (Cells{{"Q", 0, 2, 1}, {"cos", 0, 2, 1}, {"Q", 0, 2, 3}, {"sin", 0, 2, 1}}));
  EXPECT_EQ(cells(rotary.at(Stage::kRotatedQ, 0, 2, 2)),
            (Cells{{"Q", 0, 2, 0}, {"sin", 0, 2, 0}, {"Q", 0, 2, 2}, {"cos", 0, 2, 0}}));
}

TEST(Explain, WithoutRotaryPositionsARotatedFeatureIsTheFeatureItself) {
  EXPECT_EQ(cells(plain().at(Stage::kRotatedQ, 1, 3, 2)), (Cells{{"Q", 1, 3, 2}}));
  EXPECT_EQ(cells(plain().at(Stage::kRotatedK, 1, 3, 2)), (Cells{{"K", 1, 3, 2}}));
}

TEST(Explain, AScoreMultipliesQueryAndKeyRows) {
  const Explanation e = plain().at(Stage::kScores, 1, 2, 4);
  ASSERT_THAT(e.terms, SizeIs(4));
  EXPECT_EQ(e.terms[3].a.cell, (CellRef{"Q", 1, 2, 3}));
  EXPECT_EQ(e.terms[3].b->cell, (CellRef{"K", 1, 4, 3}));
}

TEST(Explain, AScoreMultipliesTheRotatedRowsWhereThereAreAny) {
  const Explanation e = with(&Config::positions, Positions::kRotary).at(Stage::kScores, 1, 2, 4);
  EXPECT_EQ(e.terms[3].a.cell, (CellRef{"rotated_Q", 1, 2, 3}));
  EXPECT_EQ(e.terms[3].b->cell, (CellRef{"rotated_K", 1, 4, 3}));
}

TEST(Explain, AScaledScoreNamesItsFactor) {
  EXPECT_EQ(plain().at(Stage::kScaledScores, 0, 0, 0).factor, 0.5);
  EXPECT_EQ(with(&Config::temperature, 0.25f).at(Stage::kScaledScores, 0, 0, 0).factor, 2.0);
  EXPECT_EQ(with(&Config::scale, false).at(Stage::kScaledScores, 0, 0, 0).factor, 1.0);
}

TEST(Explain, AMaskedScoreAddsTheBias) {
  Problem problem = plain_problem();
  problem.bias = SharedMatrix(Matrix::Identity(5, 5));
  const Explanation e = Explained(problem).at(Stage::kMaskedScores, 1, 3, 4);
  EXPECT_EQ(cells(e), (Cells{{"scaled_scores", 1, 3, 4}, {"bias", 0, 3, 4}}));
  EXPECT_THAT(e.reasons, IsEmpty());
}

TEST(Explain, AlibiSubtractsTheSlopeTimesTheDistance) {
  const Explained alibi = with(&Config::positions, Positions::kAlibi);
  const Explanation e = alibi.at(Stage::kMaskedScores, 1, 0, 4);
  EXPECT_EQ(cells(e),
            (Cells{{"scaled_scores", 1, 0, 4}, {"slope", 1, 0, 0}, {"distance", 0, 0, 4}}));
  EXPECT_EQ(e.terms[1].a.value, 0.00390625f);  // 2^−8, the second of two heads
  EXPECT_EQ(e.terms[1].b->value, -4.0f);
  EXPECT_EQ(e.terms[1].product, -0.015625);
}

// The reasons that every stage gives for a cell that a mask forbids; empty when none does.
std::vector<Reason> reasons(const Problem& problem, Index row, Index col) {
  const Explained explained(problem);
  const Explanation masked = explained.at(Stage::kMaskedScores, 0, row, col);
  const Explanation weight = explained.at(Stage::kWeights, 0, row, col);
  EXPECT_EQ(masked.reasons, weight.reasons);
  EXPECT_EQ(masked.reasons.empty(), masked.recomputed != -kInfinity);
  EXPECT_EQ(masked.reasons.empty(), weight.recomputed != 0.0);
  return masked.reasons;
}

TEST(Explain, AMaskedCellSaysWhichRuleForbidsIt) {
  Problem problem = plain_problem();
  problem.config.mask.causal = true;
  EXPECT_THAT(reasons(problem, 1, 3),
              ElementsAre(Reason{.type = ReasonType::kCausal, .query = 1, .key = 3}));
  EXPECT_THAT(reasons(problem, 3, 1), IsEmpty());
  problem.config.mask = {.key_count = 4};
  EXPECT_THAT(reasons(problem, 1, 4),
              ElementsAre(Reason{.type = ReasonType::kPadding, .query = 1, .key = 4, .limit = 4}));
  EXPECT_THAT(reasons(problem, 1, 3), IsEmpty());
  problem.config.mask = {.window = 2};
  EXPECT_THAT(reasons(problem, 4, 2),
              ElementsAre(Reason{
                  .type = ReasonType::kWindow, .query = 4, .key = 2, .distance = 2, .limit = 2}));
  EXPECT_THAT(reasons(problem, 3, 2), IsEmpty());
}

TEST(Explain, AMaskedCellSaysThatThePaintedMaskForbidsIt) {
  Problem problem = plain_problem();
  problem.allowed = SharedMatrix(Matrix::Identity(5, 5));
  EXPECT_THAT(reasons(problem, 3, 1),
              ElementsAre(Reason{.type = ReasonType::kForbidden, .query = 3, .key = 1}));
  EXPECT_THAT(reasons(problem, 3, 3), IsEmpty());
}

TEST(Explain, AMaskedCellNamesEveryRuleThatForbidsIt) {
  Problem problem = plain_problem();
  problem.config.mask = {.causal = true, .key_count = 2, .window = 3};
  problem.allowed = SharedMatrix(Matrix::Identity(5, 5));
  std::vector<ReasonType> types;
  for (const Reason& reason : reasons(problem, 0, 4)) types.push_back(reason.type);
  EXPECT_THAT(types, ElementsAre(ReasonType::kCausal, ReasonType::kPadding, ReasonType::kWindow,
                                 ReasonType::kForbidden));
}

TEST(Explain, AWeightShowsTheSoftmaxOfItsRow) {
  const Explained explained = plain();
  const Explanation e = explained.at(Stage::kWeights, 2, 1, 3);
  EXPECT_EQ(cells(e), (Cells{{"scaled_scores", 2, 1, 3}}));
  const RowVector row = explained.trace().heads[2].masked_scores->row(1);
  ASSERT_TRUE(e.softmax);
  EXPECT_EQ(e.softmax->maximum, row.maxCoeff());
  ASSERT_THAT(e.softmax->exponentials, SizeIs(5));
  double sum = 0;
  for (Index j = 0; j < 5; ++j) {
    const double expected = std::exp(static_cast<double>(row(j)) - row.maxCoeff());
    EXPECT_DOUBLE_EQ(e.softmax->exponentials[static_cast<size_t>(j)], expected);
    sum += expected;
  }
  EXPECT_DOUBLE_EQ(e.softmax->denominator, sum);
  EXPECT_DOUBLE_EQ(e.recomputed, std::exp(static_cast<double>(row(3)) - row.maxCoeff()) / sum);
}

TEST(Explain, ADeadRowHasDenominatorZeroAndWeightZero) {
  Problem problem = plain_problem();
  problem.allowed = SharedMatrix(Matrix::Zero(5, 5));
  const Explanation e = Explained(problem).at(Stage::kWeights, 0, 3, 0);
  EXPECT_EQ(cells(e), (Cells{{"masked_scores", 0, 3, 0}}));
  EXPECT_EQ(e.softmax->maximum, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(e.softmax->denominator, 0.0);
  EXPECT_EQ(e.recomputed, 0.0);
  EXPECT_EQ(e.value, 0.0f);
}

TEST(Explain, AWeightOfARowWithNaNIsNaN) {
  Problem problem = plain_problem();
  problem.embedding.edit([](Matrix& X) { X(2, 0) = std::nanf(""); });
  const Explanation e = Explained(problem).at(Stage::kWeights, 0, 2, 1);
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_TRUE(std::isnan(e.recomputed));
}

TEST(Explain, DropoutRemovesAWeightOrScalesIt) {
  const Explained dropout = with(&Config::dropout_rate, 0.5f);
  int dropped = 0;
  for (Index j = 0; j < 5; ++j) {
    const Explanation e = dropout.at(Stage::kDroppedWeights, 1, 2, j);
    EXPECT_EQ(cells(e), (Cells{{"weights", 1, 2, j}}));
    const bool taken = is_dropped(dropout.problem().config, 1, 2, j);
    EXPECT_EQ(e.factor, taken ? 0.0 : 2.0);
    EXPECT_EQ(e.recomputed, e.factor * e.terms[0].a.value);
    const Reason dropped_pair{.type = ReasonType::kDropped, .query = 2, .key = j, .head = 1};
    EXPECT_EQ(e.reasons, taken ? std::vector{dropped_pair} : std::vector<Reason>{});
    dropped += taken ? 1 : 0;
  }
  EXPECT_THAT(dropped, testing::AllOf(testing::Gt(0), testing::Lt(5))) << "both kinds must occur";
}

TEST(Explain, AHeadOutputMixesTheRemainingWeights) {
  const Explained dropout = with(&Config::dropout_rate, 0.5f);
  EXPECT_EQ(dropout.at(Stage::kHeadOutput, 1, 2, 0).terms[4].a.cell,
            (CellRef{"dropped_weights", 1, 2, 4}));
  const Explanation e = plain().at(Stage::kHeadOutput, 1, 2, 0);
  ASSERT_THAT(e.terms, SizeIs(5));
  EXPECT_EQ(e.terms[4].a.cell, (CellRef{"weights", 1, 2, 4}));
  EXPECT_EQ(e.terms[4].b->cell, (CellRef{"V", 1, 4, 0}));
}

TEST(Explain, TheHeadIsIgnoredWhereThereIsOnlyOneMatrix) {
  EXPECT_EQ(plain().at(Stage::kOutput, 99, 0, 0).head, 0);
  EXPECT_EQ(plain().at(Stage::kX, -1, 0, 0).terms.size(), 1u);
}

TEST(Explain, ThrowsForACellThatDoesNotExist) {
  const Explained explained = plain();
  EXPECT_THROW(explained.at(Stage::kWeights, 3, 0, 0), std::out_of_range);
  EXPECT_THROW(explained.at(Stage::kWeights, -1, 0, 0), std::out_of_range);
  EXPECT_THROW(explained.at(Stage::kWeights, 0, 5, 0), std::out_of_range);
  EXPECT_THROW(explained.at(Stage::kWeights, 0, 0, -1), std::out_of_range);
  EXPECT_THROW(explained.at(Stage::kConcat, 0, 0, 9), std::out_of_range);
  EXPECT_THROW(explained.at(Stage::kPosition, 0, 0, 0), std::out_of_range);
  EXPECT_THROW(explained.at(Stage::kEmbeddingKv, 0, 0, 0), std::out_of_range);
  EXPECT_THAT([&] { explained.at(Stage::kQ, 0, 0, 4); },
              testing::ThrowsMessage<std::out_of_range>(HasSubstr("Q is 5 × 4")));
}

TEST(Explain, ThrowsOnATraceThatWasNeverComputed) {
  const Problem problem = plain_problem();
  EXPECT_THROW(explain(problem, Trace(), Stage::kWeights, 0, 0, 0), std::out_of_range);
  EXPECT_THROW(explain(problem, Trace(), Stage::kConcat, 0, 0, 0), std::out_of_range);
}

}  // namespace
}  // namespace attention::test
