#include "core/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/evaluator.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

TEST(MeanEntropy, IsTheLogarithmOfTheNumberOfEqualChoices) {
  EXPECT_NEAR(mean_entropy(Matrix::Constant(3, 8, 0.125f)), std::log(8.0), 1e-12);
  EXPECT_EQ(mean_entropy(Matrix::Identity(4, 4)), 0.0);
  EXPECT_NEAR(mean_entropy(Matrix{{1, 0}, {0.5f, 0.5f}}), std::log(2.0) / 2, 1e-12);
}

TEST(MeanEntropy, OfNothingIsZero) {
  EXPECT_EQ(mean_entropy(Matrix::Zero(2, 3)), 0.0);
  EXPECT_EQ(mean_entropy(Matrix()), 0.0);
}

TEST(StrongestPair, IsTheFirstOfTheLargest) {
  const Matrix weights{{0.1f, 0.4f, 0.5f}, {0.2f, 0.8f, 0}, {0.8f, 0.1f, 0.1f}};
  const Pair any = strongest_pair(weights, false);
  EXPECT_EQ(any.row, 1);
  EXPECT_EQ(any.col, 1);
  EXPECT_EQ(any.weight, 0.8f);
  const Pair off = strongest_pair(weights, true);
  EXPECT_EQ(off.row, 2);
  EXPECT_EQ(off.col, 0);
}

TEST(StrongestPair, OffTheDiagonalOfAnIdentityIsTheFirstZero) {
  const Pair pair = strongest_pair(Matrix::Identity(3, 3), true);
  EXPECT_EQ(pair.row, 0);
  EXPECT_EQ(pair.col, 1);
  EXPECT_EQ(pair.weight, 0.0f);
}

TEST(StrongestPair, WithOneKeyIsOnTheDiagonal) {
  const Pair pair = strongest_pair(Matrix::Ones(1, 1), true);
  EXPECT_EQ(pair.row, 0);
  EXPECT_EQ(pair.col, 0);
  EXPECT_EQ(pair.weight, 1.0f);
  EXPECT_EQ(strongest_pair(Matrix(), true).weight, 0.0f);
}

TEST(StrongestPair, PassesOverNaN) {
  Matrix weights = Matrix::Constant(3, 3, std::numeric_limits<float>::quiet_NaN());
  weights.row(2) << 0.2f, 0.7f, 0.1f;
  const Pair pair = strongest_pair(weights, false);
  EXPECT_EQ(pair.row, 2);
  EXPECT_EQ(pair.col, 1);
}

// Against all pairs, one by one.
TEST(StrongestPair, NoPairIsStronger) {
  PortableRandom random(31);
  for (int round = 0; round < 50; ++round) {
    const Matrix weights = random_matrix(4, 6, random).cwiseAbs();
    const Pair best = strongest_pair(weights, true);
    EXPECT_NE(best.row, best.col);
    EXPECT_EQ(best.weight, weights(best.row, best.col));
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 6; ++j) EXPECT_TRUE(i == j || weights(i, j) <= best.weight);
    }
  }
}

TEST(DiagonalWeight, IsTheMeanOfWhatTokensGiveThemselves) {
  EXPECT_EQ(diagonal_weight(Matrix::Identity(5, 5)), 1.0);
  EXPECT_NEAR(diagonal_weight(Matrix{{0.25f, 0.75f}, {0.5f, 0.5f}}), 0.375, 1e-12);
  EXPECT_NEAR(diagonal_weight(Matrix{{0.5f}, {1}}), 0.25, 1e-12);
  EXPECT_EQ(diagonal_weight(Matrix()), 0.0);
}

// Against the output with that head's rows of W_O set to zero.
TEST(OutputShift, IsHowFarTheOutputMovesWithoutTheHead) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace trace = evaluator.evaluate(problem);
    for (Index h = 0; h < problem.config.n_heads; ++h) {
      Problem without = problem;
      const Index d_v = problem.config.d_v;
      without.parameters.W_O.edit([&](Matrix& W) { W.middleRows(h * d_v, d_v).setZero(); });
      const Matrix moved = *evaluator.evaluate(without).output - *trace.output;
      EXPECT_NEAR(output_shift_without_head(problem, trace, h), moved.norm(), 1e-4);
    }
    EXPECT_THROW(output_shift_without_head(problem, trace, problem.config.n_heads),
                 std::out_of_range);
  }
}

}  // namespace
}  // namespace attention::test
