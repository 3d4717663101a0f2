#include "core/layer/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The stages, with results by value.
template <typename Stage>
Matrix filled(Index rows, Index cols, Stage stage) {
  Matrix result(rows, cols);
  stage(result);
  return result;
}

Matrix project(const Matrix& input, const Matrix& W, const Matrix& b) {
  return filled(input.rows(), W.cols(),
                [&](Matrix& result) { attention::project(input, W, b, result); });
}

Matrix attention_scores(const Matrix& Q, const Matrix& K) {
  return filled(Q.rows(), K.rows(),
                [&](Matrix& result) { attention::attention_scores(Q, K, result); });
}

Matrix scale_scores(const Matrix& scores, float factor) {
  return filled(scores.rows(), scores.cols(),
                [&](Matrix& result) { attention::scale_scores(scores, factor, result); });
}

Matrix mask_scores(const Matrix& scaled, const Problem& problem, Index head = 0,
                   Index first_row = 0) {
  return filled(scaled.rows(), scaled.cols(), [&](Matrix& result) {
    attention::mask_scores(scaled, problem, head, first_row, result);
  });
}

Matrix softmax_of(const Matrix& scores) {
  return filled(scores.rows(), scores.cols(),
                [&](Matrix& result) { attention::softmax_rows(scores, result); });
}

Matrix mix_values(const Matrix& weights, const Matrix& V) {
  return filled(weights.rows(), V.cols(),
                [&](Matrix& result) { attention::mix_values(weights, V, result); });
}

Matrix mix_head(const Matrix& head_output, float gain) {
  return filled(head_output.rows(), head_output.cols(),
                [&](Matrix& result) { attention::mix_head(head_output, gain, result); });
}

Matrix normalise_rows(const Matrix& input, const Matrix& gamma, const Matrix& beta, float epsilon) {
  return filled(input.rows(), input.cols(), [&](Matrix& result) {
    attention::normalise_rows(input, gamma, beta, epsilon, result);
  });
}

Matrix normalise_by_rms(const Matrix& input, const Matrix& weight, float epsilon) {
  return filled(input.rows(), input.cols(), [&](Matrix& result) {
    attention::normalise_by_rms(input, weight, epsilon, result);
  });
}

Matrix cap_scores(const Matrix& scaled, float cap) {
  return filled(scaled.rows(), scaled.cols(),
                [&](Matrix& result) { attention::cap_scores(scaled, cap, result); });
}

Matrix row(std::initializer_list<float> values) {
  return Eigen::Map<const Matrix>(values.begin(), 1, std::ssize(values));
}

TEST(Project, AddsTheBiasToEveryRow) {
  const Matrix input{{1, 2}, {3, 4}};
  const Matrix W{{1, 0, 2}, {0, 1, -1}};
  EXPECT_EQ(project(input, W, Matrix()), (Matrix{{1, 2, 0}, {3, 4, 2}}));
  EXPECT_EQ(project(input, W, row({10, 20, 30})), (Matrix{{11, 22, 30}, {13, 24, 32}}));
}

TEST(AttentionScores, AreTheProductsOfQueriesAndKeys) {
  const Matrix Q{{1, 2}, {0, 1}};
  const Matrix K{{3, 4}, {5, 6}, {7, 8}};
  EXPECT_EQ(attention_scores(Q, K), (Matrix{{11, 17, 23}, {4, 6, 8}}));
}

TEST(ScaleScores, MultipliesByTheFactor) {
  EXPECT_EQ(scale_scores(row({2, -4}), 0.5f), row({1, -2}));
}

TEST(ScoreFactor, IsOneOverRootAndTemperature) {
  Config config;
  config.d_k = 16;
  EXPECT_EQ(score_factor(config), 0.25f);
  config.temperature = 0.5f;
  EXPECT_EQ(score_factor(config), 0.5f);
  config.scale = false;
  EXPECT_EQ(score_factor(config), 2.0f);
}

// The mean of 1, 49 and twice 25 is 25.
TEST(NormaliseByRms, DividesByTheRootMeanSquare) {
  const Matrix input{{1, -7, 5, 5}, {0, 0, 0, 0}};
  EXPECT_EQ(normalise_by_rms(input, Matrix(), 1e-12f), (Matrix{{0.2f, -1.4f, 1, 1}, {0, 0, 0, 0}}));
  EXPECT_TRUE(all_near(normalise_by_rms(input, row({5, 0, 1, -2}), 11),
                       Matrix{{1.0f / 1.2f, 0, 1.0f / 1.2f, -2.0f / 1.2f}, {0, 0, 0, 0}}, 1e-6));
}

// Only the direction of a row matters, whatever its length.
TEST(NormaliseByRms, ForgetsTheLengthOfARow) {
  const Matrix once = normalise_by_rms(row({3, -1, 2}), Matrix(), 1e-30f);
  for (const float factor : {1e-12f, 1e-3f, 1e18f})
    EXPECT_TRUE(all_near(normalise_by_rms(factor * row({3, -1, 2}), Matrix(), 1e-30f), once, 1e-6));
  EXPECT_NEAR(once.squaredNorm(), 3, 1e-5);
}

TEST(NormaliseByRms, ARowWithNaNIsNaN) {
  const Matrix result = normalise_by_rms(Matrix{{1, kNaN}, {3, 4}}, Matrix(), 1e-6f);
  EXPECT_TRUE(std::isnan(result(0, 0)) && std::isnan(result(0, 1)));
  EXPECT_FALSE(result.row(1).hasNaN());
}

TEST(CapScores, KeepsSmallScoresAndBoundsLargeOnes) {
  const Matrix capped = cap_scores(row({0, 0.01f, -0.01f, 25, 1e6f, -1e30f}), 50);
  EXPECT_TRUE(all_near(capped, row({0, 0.01f, -0.01f, 50 * std::tanh(0.5f), 50, -50}), 1e-5));
}

TEST(CapScores, PassesNaNOnAndTurnsInfinityIntoTheCap) {
  Matrix scores = Matrix::Zero(1, 19);  // numbers that are computed together, and some left over
  for (const Index col : {0, 9, 18}) {
    for (const float value : {kInfinity, -kInfinity}) {
      scores(0, col) = value;
      EXPECT_NEAR(cap_scores(scores, 2)(0, col), std::copysign(2.0f, value), 1e-6) << col;
    }
    scores(0, col) = kNaN;
    EXPECT_TRUE(std::isnan(cap_scores(scores, 2)(0, col))) << col;
  }
}

TEST(CapScores, OfZeroIsNoCap) {
  EXPECT_EQ(cap_scores(row({1, -200, kInfinity}), 0), row({1, -200, kInfinity}));
}

TEST(MaskScores, AddsTheBiasThenForbids) {
  Problem problem;
  problem.config.mask.causal = true;
  problem.allowed = SharedMatrix(Matrix{{1, 1, 1}, {0, 1, 1}});
  problem.bias = SharedMatrix(Matrix{{1, 2, 3}, {4, 5, kNaN}});
  const Matrix masked = mask_scores(Matrix{{10, 20, 30}, {40, 50, 60}}, problem);
  EXPECT_EQ(masked, (Matrix{{11, -kInfinity, -kInfinity}, {-kInfinity, 55, -kInfinity}}));
}

TEST(MaskScores, CausalWithMoreQueriesThanKeys) {
  Problem problem;
  problem.config.mask.causal = true;
  const Matrix masked = mask_scores(Matrix::Ones(3, 2), problem);
  EXPECT_EQ(masked, (Matrix{{1, -kInfinity}, {1, 1}, {1, 1}}));
}

TEST(Softmax, OfOneKeyIsOne) {
  EXPECT_EQ(softmax_of(Matrix{{-3.5f}, {1e30f}, {-1e30f}}), Matrix::Ones(3, 1));
}

TEST(Softmax, OfEqualScoresIsEqual) {
  for (const float score : {0.0f, -7.25f, 1e6f, -1e6f}) {
    EXPECT_EQ(softmax_of(Matrix::Constant(2, 8, score)), Matrix::Constant(2, 8, 0.125f)) << score;
  }
}

// exp(ln k) = k, so the weights are k / Σ k.
TEST(Softmax, OfLogarithmsIsProportional) {
  const Matrix logarithms = row({1, 2, 3, 4}).array().log();
  EXPECT_TRUE(all_near(softmax_of(logarithms), row({0.1f, 0.2f, 0.3f, 0.4f}), 1e-7));
}

TEST(Softmax, RowsSumToOneAtEveryLengthAndSize) {
  PortableRandom random(5);
  for (const Index cols : {1, 2, 7, 8, 17, 64, 1000, 2048}) {
    for (const float size : {0.0f, 1.0f, 30.0f, 1e6f}) {
      const Matrix weights = softmax_of(size * random_matrix(3, cols, random));
      const Eigen::VectorXd sums = weights.cast<double>().rowwise().sum();
      EXPECT_TRUE(all_near(sums, Eigen::VectorXd::Ones(3), 2e-6)) << cols << " keys, size " << size;
      EXPECT_GE(weights.minCoeff(), 0.0f);
    }
  }
}

// Sixty-fourths plus a whole number are exact, so that the shifted scores must give the same bits.
TEST(Softmax, DoesNotChangeWhenARowIsShifted) {
  PortableRandom random(6);
  const Matrix scores = Matrix::NullaryExpr(
      4, 19, [&] { return static_cast<float>(random_below(1024, random)) / 64.0f; });
  for (const float shift : {1024.0f, -4096.0f}) {
    EXPECT_TRUE(all_identical(softmax_of(scores.array() + shift), softmax_of(scores))) << shift;
  }
}

TEST(Softmax, AgreesWithTheDefinitionInDoublePrecision) {
  PortableRandom random(7);
  const Matrix scores = 5.0f * random_matrix(6, 37, random);
  const Eigen::ArrayXXd exponentials = scores.cast<double>().array().exp();
  const Eigen::ArrayXXd expected = exponentials.colwise() / exponentials.rowwise().sum();
  EXPECT_TRUE(all_near(softmax_of(scores), expected, 5e-7));
}

TEST(Softmax, HugeDifferencesSaturateWithoutOverflow) {
  EXPECT_EQ(softmax_of(row({1e6f, -1e6f, 0})), row({1, 0, 0}));
  EXPECT_EQ(softmax_of(row({3e38f, -3e38f, 3e38f})), row({0.5f, 0, 0.5f}));
}

// exp(−87) is 1.6e−38, a normal number; exp(−88) is 6e−39, which is not.
TEST(Softmax, ExponentialsBelowTheNormalRangeAreZero) {
  const Matrix weights = softmax_of(row({0, -87, -88}));
  EXPECT_GT(weights(0, 1), 0.0f);
  EXPECT_EQ(weights(0, 2), 0.0f);
}

// Both widths, because vector instructions and leftover cells take different code paths.
TEST(Softmax, ForbiddenKeysGetExactlyZero) {
  for (const Index cols : {3, 40}) {
    Matrix scores = Matrix::Constant(1, cols, -kInfinity);
    scores(0, 0) = scores(0, cols - 1) = -200.0f;
    Matrix expected = Matrix::Zero(1, cols);
    expected(0, 0) = expected(0, cols - 1) = 0.5f;
    EXPECT_EQ(softmax_of(scores), expected);
  }
}

TEST(Softmax, ARowWithNothingToAttendToIsZero) {
  Matrix scores = Matrix::Zero(3, 4);
  scores.row(1).setConstant(-kInfinity);
  Matrix expected = Matrix::Constant(3, 4, 0.25f);
  expected.row(1).setZero();
  EXPECT_EQ(softmax_of(scores), expected);
}

TEST(Softmax, NaNAndPlusInfinityAffectOnlyTheirRow) {
  for (const float bad : {kNaN, kInfinity}) {
    for (const Index place : {0, 5, 17}) {
      Matrix scores = Matrix::Zero(3, 18);
      scores(1, place) = bad;
      Matrix expected = Matrix::Constant(3, 18, 1.0f / 18.0f);
      expected.row(1).setConstant(kNaN);
      EXPECT_TRUE(all_near(softmax_of(scores), expected, 1e-7)) << bad << " at " << place;
    }
  }
}

TEST(Softmax, NaNBesideForbiddenKeysIsNaN) {
  EXPECT_TRUE(
      all_near(softmax_of(row({-kInfinity, kNaN, -kInfinity})), row({kNaN, kNaN, kNaN}), 0));
}

TEST(MixValues, IsTheWeightedMeanOfTheValues) {
  const Matrix weights{{0.5f, 0.5f}, {0, 1}, {0, 0}};
  const Matrix V{{1, 2}, {3, 4}};
  EXPECT_EQ(mix_values(weights, V), (Matrix{{2, 3}, {3, 4}, {0, 0}}));
}

TEST(MixHead, MultipliesByTheGainAndAMutedHeadIsZeroWhateverItHolds) {
  EXPECT_EQ(mix_head(row({1, -2}), 3.0f), row({3, -6}));
  EXPECT_EQ(mix_head(row({kNaN, kInfinity}), 0.0f), row({0, 0}));
}

TEST(MaskScores, TheWindowAndThePaddingForbid) {
  Problem problem;
  problem.config.mask.window = 2;
  problem.config.mask.key_count = 3;
  const Matrix masked = mask_scores(Matrix::Zero(4, 4), problem);
  const float x = -kInfinity;
  EXPECT_EQ(masked, (Matrix{{0, 0, x, x}, {0, 0, 0, x}, {x, 0, 0, x}, {x, x, 0, x}}));
}

// Some of the rows alone give the same result as within the whole.
TEST(MaskScores, RowsFromTheMiddleKeepTheirPositions) {
  PortableRandom random(8);
  Problem problem;
  problem.config.n_heads = 2;
  problem.config.positions = Positions::kAlibi;
  problem.config.mask = {true, 4, 3};
  problem.bias = SharedMatrix(random_matrix(5, 5, random));
  problem.allowed = SharedMatrix(random_mask(5, 5, 0.7, random));
  const Matrix scaled = random_matrix(5, 5, random);
  const Matrix whole = mask_scores(scaled, problem, 1);
  EXPECT_TRUE(
      all_identical(mask_scores(scaled.middleRows(2, 2), problem, 1, 2), whole.middleRows(2, 2)));
}

// ALiBi's slope of the first of two heads is 2^(−4).
TEST(MaskScores, AlibiSubtractsTheSlopeForEachStep) {
  Problem problem;
  problem.config.n_heads = 2;
  problem.config.positions = Positions::kAlibi;
  EXPECT_EQ(mask_scores(Matrix::Zero(2, 3), problem),
            (Matrix{{0, -0.0625f, -0.125f}, {-0.0625f, 0, -0.0625f}}));
}

TEST(NormaliseRows, GivesMeanZeroAndVarianceOne) {
  PortableRandom random(9);
  const Matrix normal = normalise_rows(3.0f * random_matrix(4, 50, random).array() + 7.0f, Matrix(),
                                       Matrix(), 1e-12f);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(normal.row(i).cast<double>().mean(), 0, 1e-6);
    EXPECT_NEAR(normal.row(i).cast<double>().squaredNorm() / 50, 1, 1e-5);
  }
}

TEST(NormaliseRows, ThenMultipliesByGammaAndAddsBeta) {
  EXPECT_TRUE(all_near(normalise_rows(row({1, 3}), row({2, 4}), row({10, 20}), 1e-12f),
                       row({8, 24}), 1e-5));
}

TEST(NormaliseRows, OfEqualNumbersIsBeta) {
  EXPECT_EQ(normalise_rows(row({5, 5, 5}), Matrix(), row({1, 2, 3}), 1e-5f), row({1, 2, 3}));
}

// Each stage names both shapes when they do not fit.
TEST(Stages, RefuseShapesThatDoNotFit) {
  const Matrix a = Matrix::Zero(2, 3), b = Matrix::Zero(4, 5);
  const auto names_both =
      ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr("2 × 3"), HasSubstr("4 × 5")));
  Problem masked;
  masked.allowed = SharedMatrix(b);
  Problem biased;
  biased.bias = SharedMatrix(b);
  Matrix result = b;
  EXPECT_THAT([&] { project(a, b, Matrix()); }, names_both);
  EXPECT_THAT([&] { attention_scores(a, b); }, names_both);
  EXPECT_THAT([&] { mask_scores(a, masked); }, names_both);
  EXPECT_THAT([&] { mask_scores(a, biased); }, names_both);
  EXPECT_THAT([&] { mix_values(a, b); }, names_both);
  EXPECT_THAT([&] { add_residual(a, b, result); }, names_both);
  EXPECT_THAT([&] { add_positions(a, b, result); }, names_both);
  EXPECT_THAT([&] { attention::softmax_rows(a, result); }, names_both);
  EXPECT_THAT([&] { attention::mix_head(a, 1.0f, result); }, names_both);
  EXPECT_THAT([&] { normalise_rows(a, b, Matrix(), 1.0f); }, names_both);
  EXPECT_THAT([&] { project(a, Matrix::Zero(3, 6), b); },
              ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr("3 × 6"), HasSubstr("4 × 5"))));
}

}  // namespace
}  // namespace attention::test
