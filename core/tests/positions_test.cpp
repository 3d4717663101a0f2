#include "core/layer/positions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/layer/stages.h"
#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

constexpr double kAngleRounding = 1e-6;

TEST(SinusoidalPositions, HoldSinesAndCosinesOfFallingFrequency) {
  const float hundredth = 0.01f;
  const Matrix expected{
      {0, 1, 0, 1},
      {std::sin(1.0f), std::cos(1.0f), std::sin(hundredth), std::cos(hundredth)},
      {std::sin(2.0f), std::cos(2.0f), std::sin(2 * hundredth), std::cos(2 * hundredth)}};
  EXPECT_TRUE(all_near(sinusoidal_positions(3, 4), expected, kAngleRounding));
}

TEST(SinusoidalPositions, AnOddSizeEndsWithASine) {
  const Matrix table = sinusoidal_positions(3, 5);
  EXPECT_EQ(table.cols(), 5);
  EXPECT_NEAR(table(2, 4), std::sin(2.0 / std::pow(10000.0, 0.8)), kAngleRounding);
}

// sin a sin b + cos a cos b = cos(a − b).
TEST(SinusoidalPositions, TheirProductDependsOnlyOnTheDistance) {
  const Matrix table = sinusoidal_positions(40, 16);
  for (const Index distance : {1, 7, 20}) {
    const float first = table.row(0).dot(table.row(distance));
    for (Index i = 1; i + distance < 40; ++i) {
      EXPECT_NEAR(table.row(i).dot(table.row(i + distance)), first, 1e-5) << i;
    }
  }
}

TEST(SinusoidalAngle, IsTheOneBehindTheTable) {
  const Matrix table = sinusoidal_positions(2000, 6);
  for (Index d = 0; d < 6; ++d) {
    const double angle = sinusoidal_angle(1999, d, 6);
    EXPECT_NEAR(table(1999, d), d % 2 == 0 ? std::sin(angle) : std::cos(angle), kAngleRounding);
  }
  EXPECT_EQ(sinusoidal_angle(7, 2, 6), sinusoidal_angle(7, 3, 6));
  EXPECT_EQ(sinusoidal_angle(7, 1, 6), 7.0);
}

Problem rotary_problem(RotaryPairs pairs) {
  Problem problem;
  Config& config = problem.config;
  config.d_k = 6;
  config.positions = Positions::kRotary;
  config.rotary_base = 1000.0f;
  config.rotary_pairs = pairs;
  return problem;
}

// base^(−2 pair / d_k) is 1, 1/10 and 1/100.
TEST(RotaryAngle, FallsFromPairToPairAndGrowsWithThePosition) {
  const Problem problem = rotary_problem(RotaryPairs::kAdjacent);
  EXPECT_DOUBLE_EQ(rotary_angle(problem, 0, 2), 0.0);
  EXPECT_DOUBLE_EQ(rotary_angle(problem, 5, 0), 5.0);
  EXPECT_DOUBLE_EQ(rotary_angle(problem, 5, 1), 0.5);
  EXPECT_DOUBLE_EQ(rotary_angle(problem, 300, 2), 3.0);
}

TEST(RotaryColumns, AreNeighboursOrAHalfApart) {
  const RotaryColumns adjacent = rotary_columns(rotary_problem(RotaryPairs::kAdjacent), 2);
  EXPECT_EQ(adjacent.first, 4);
  EXPECT_EQ(adjacent.second, 5);
  const RotaryColumns halves = rotary_columns(rotary_problem(RotaryPairs::kHalves), 2);
  EXPECT_EQ(halves.first, 2);
  EXPECT_EQ(halves.second, 5);
}

TEST(RotaryTable, HoldsTheCosineAndSineOfEveryAngle) {
  const Problem problem = rotary_problem(RotaryPairs::kHalves);
  const RotaryTable table = rotary_table(problem, 50);
  ASSERT_EQ(table.cosines.rows(), 50);
  ASSERT_EQ(table.sines.cols(), 3);
  for (Index pair = 0; pair < 3; ++pair) {
    EXPECT_NEAR(table.cosines(49, pair), std::cos(rotary_angle(problem, 49, pair)), kAngleRounding);
    EXPECT_NEAR(table.sines(49, pair), std::sin(rotary_angle(problem, 49, pair)), kAngleRounding);
  }
}

TEST(RotaryFrequencies, ReplaceTheBaseAndLeaveTheOtherFeatures) {
  Problem problem = rotary_problem(RotaryPairs::kHalves);
  problem.rotary_frequencies = SharedMatrix(Matrix{{0.5f, 0.25f}});
  EXPECT_DOUBLE_EQ(rotary_angle(problem, 6, 0), 3.0);
  EXPECT_DOUBLE_EQ(rotary_angle(problem, 6, 1), 1.5);
  EXPECT_EQ(rotary_columns(problem, 1).second, 3);
  EXPECT_EQ(rotary_pair_of(problem, 3), 1);
  EXPECT_EQ(rotary_pair_of(problem, 4), std::nullopt);
  const Matrix Q = Matrix::Random(7, 6);
  Matrix result(7, 6);
  rotate(Q, rotary_table(problem, 7), RotaryPairs::kHalves, 0, result);
  EXPECT_EQ(result.rightCols(2), Q.rightCols(2));
  EXPECT_NEAR(result(6, 0), Q(6, 0) * std::cos(3.0) - Q(6, 2) * std::sin(3.0), 1e-6);
}

}  // namespace
}  // namespace attention::test
