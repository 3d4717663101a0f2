#include "core/initialise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

TEST(Filled, ZeroAndIdentityHaveTheirShape) {
  EXPECT_EQ(filled(FillType::kZero, {2, 3}, 1), Matrix::Zero(2, 3));
  EXPECT_EQ(filled(FillType::kIdentity, {2, 3}, 1), (Matrix{{1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(filled(FillType::kIdentity, {3, 2}, 2), (Matrix{{1, 0}, {0, 1}, {0, 0}}));
}

TEST(Filled, NormalHasMeanZeroAndVarianceOne) {
  const Matrix values = filled(FillType::kNormal, {300, 200}, 4);
  EXPECT_NEAR(values.mean(), 0.0, 0.02);
  EXPECT_NEAR(values.array().square().mean(), 1.0, 0.03);
}

// Uniform in ±√(6 / (rows + cols)): variance a third of the bound's square.
TEST(Filled, XavierFillsItsBounds) {
  const Matrix values = filled(FillType::kXavier, {120, 30}, 5);
  const float bound = std::sqrt(6.0f / 150.0f);
  EXPECT_LE(values.maxCoeff(), bound);
  EXPECT_GE(values.minCoeff(), -bound);
  EXPECT_GT(values.maxCoeff(), 0.99f * bound);
  EXPECT_LT(values.minCoeff(), -0.99f * bound);
  EXPECT_NEAR(values.array().square().mean(), bound * bound / 3.0f, 0.001);
}

// splitmix64 of seed 7 gives 6540257 and 281660 as its first upper 24 bits; rows + cols = 6
// makes the bound 1.
TEST(Filled, XavierHasTheSameNumbersOnEveryMachine) {
  const Matrix values = filled(FillType::kXavier, {2, 4}, 7);
  EXPECT_EQ(filled(FillType::kXavier, {2, 4}, 7), values);
  const Matrix pinned = filled(FillType::kXavier, {1, 5}, 7);
  EXPECT_EQ(pinned(0, 0), 2.0f * (6540257.0f / 16777216.0f) - 1.0f);
  EXPECT_EQ(pinned(0, 1), 2.0f * (281660.0f / 16777216.0f) - 1.0f);
}

TEST(Filled, DependsOnTheSeed) {
  for (const FillType type : {FillType::kNormal, FillType::kXavier}) {
    EXPECT_EQ(filled(type, {3, 4}, 1), filled(type, {3, 4}, 1));
    EXPECT_NE(filled(type, {3, 4}, 1), filled(type, {3, 4}, 2));
  }
}

TEST(FillNames, ReadBackAsTheirKind) {
  for (const FillType type :
       {FillType::kZero, FillType::kIdentity, FillType::kNormal, FillType::kXavier}) {
    EXPECT_EQ(fill_from_name(fill_name(type)), type);
  }
  EXPECT_EQ(fill_name(FillType::kXavier), "xavier");
  EXPECT_EQ(fill_from_name("Xavier"), std::nullopt);
  EXPECT_EQ(fill_from_name(""), std::nullopt);
}

}  // namespace
}  // namespace attention::test
