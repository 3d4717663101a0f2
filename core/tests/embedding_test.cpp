#include "core/embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

// The first numbers for seed 1234567 of the published reference generator.
TEST(PortableRandom, IsSplitmix64) {
  PortableRandom random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(PortableRandom, UniformTakesTheUpper24Bits) {
  PortableRandom random(7);
  EXPECT_EQ(random.uniform(), 6540257.0f / 16777216.0f);
  EXPECT_EQ(random.uniform(), 281660.0f / 16777216.0f);
}

TEST(PortableRandom, UniformFillsZeroToOneEvenly) {
  PortableRandom random(8);
  int tenths[10] = {};
  for (int i = 0; i < 100000; ++i) {
    const float value = random.uniform();
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    ++tenths[static_cast<int>(value * 10.0f)];
  }
  for (const int count : tenths) EXPECT_NEAR(count, 10000, 400);
}

TEST(PortableRandom, NormalHasMeanZeroVarianceOneAndTheRightTails) {
  PortableRandom random(9);
  double sum = 0, squares = 0;
  int beyond_one = 0, beyond_two = 0;
  const int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    beyond_one += std::abs(value) > 1 ? 1 : 0;
    beyond_two += std::abs(value) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(squares / count, 1.0, 0.02);
  EXPECT_NEAR(beyond_one / static_cast<double>(count), 0.317, 0.01);
  EXPECT_NEAR(beyond_two / static_cast<double>(count), 0.0455, 0.005);
}

RowVector hundredths(std::initializer_list<int> values) {
  RowVector row(std::ssize(values));
  Index i = 0;
  for (const int value : values) row(i++) = static_cast<float>(value) / 100.0f;
  return row;
}

// From an independent implementation in whole numbers and fractions, in Python:
//   h = FNV-1a 64 of the UTF-8 bytes; r = splitmix64(splitmix64(h).next())
//   x = Fraction(sum(r.next() >> 40 for _ in range(12)) - (6 << 24), 1 << 24)
//   entry = 100 x rounded half away from zero
TEST(DefaultEmbedding, HasTheSameNumbersOnEveryMachine) {
  EXPECT_EQ(default_embedding("it", 6), hundredths({125, -32, -66, -202, -41, -30}));
  EXPECT_EQ(default_embedding("animal", 6), hundredths({-138, 51, -49, -108, -87, 30}));
  EXPECT_EQ(default_embedding("a", 6), hundredths({176, -88, -155, 77, -39, 43}));
  EXPECT_EQ(default_embedding("b", 6), hundredths({55, -122, -132, -20, -87, 114}));
  EXPECT_EQ(default_embedding("แมว", 6), hundredths({121, -62, -86, 37, 185, -84}));
  EXPECT_EQ(default_embedding("", 6), hundredths({-114, 46, -166, -17, -178, 52}));
}

TEST(DefaultEmbedding, FirstColumnsDoNotDependOnTheirNumber) {
  const RowVector wide = default_embedding("street", 512);
  for (const Index d_model : {1, 2, 8, 511}) {
    EXPECT_EQ(default_embedding("street", d_model), wide.head(d_model)) << d_model;
  }
}

TEST(DefaultEmbedding, EntriesAreHundredthsAndNeverMinusZero) {
  for (const float value : default_embedding("hundredths", 4096)) {
    EXPECT_EQ(value, std::round(value * 100.0f) / 100.0f);
    EXPECT_FALSE(value == 0.0f && std::signbit(value));
  }
}

// One hundred short words have one hundred different vectors, and no two point in the same
// direction.
TEST(DefaultEmbedding, SimilarWordsHaveDissimilarVectors) {
  Matrix vectors(100, 256);
  for (int i = 0; i < 100; ++i) vectors.row(i) = default_embedding(std::to_string(i), 256);
  EXPECT_NEAR(vectors.mean(), 0.0, 0.03);
  EXPECT_NEAR(vectors.array().square().mean(), 1.0, 0.04);
  vectors.rowwise().normalize();
  const Matrix cosines = vectors * vectors.transpose() - Matrix::Identity(100, 100);
  EXPECT_LT(cosines.cwiseAbs().maxCoeff(), 0.3f);
}

}  // namespace
}  // namespace attention::test
