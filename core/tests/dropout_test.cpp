#include "core/config.h"

#include <gtest/gtest.h>

namespace attention::test {
namespace {

Config config_of(float rate, std::uint64_t seed) {
  Config config;
  config.dropout_rate = rate;
  config.dropout_seed = seed;
  return config;
}

// The first numbers of splitmix64 from seed 1234567 are 6457827717110365317,
// 3203168211198807973 and 9817491932198370423: 0.3501, 0.1736 and 0.5322 of 2^64.
TEST(Dropout, ReadsItsNumbersFromSplitmix64) {
  const float shares[] = {0.3501f, 0.1736f, 0.5322f};
  for (Index col = 0; col < 3; ++col) {
    EXPECT_TRUE(is_dropped(config_of(shares[col] + 0.001f, 1234567), 0, 0, col)) << col;
    EXPECT_FALSE(is_dropped(config_of(shares[col] - 0.001f, 1234567), 0, 0, col)) << col;
  }
}

// The fraction of 3 · 100 · 100 cells for which `dropped(head, row, col)` is true.
template <typename Dropped>
double share(Dropped dropped) {
  int count = 0;
  for (Index place = 0; place < 30000; ++place) {
    count += dropped(place / 10000, place / 100 % 100, place % 100) ? 1 : 0;
  }
  return count / 30000.0;
}

// Four standard deviations of 30000 draws are at most 0.0116.
constexpr double kChance = 0.012;

TEST(Dropout, DropsTheFractionGivenByTheRate) {
  for (const float rate : {0.05f, 0.3f, 0.5f, 0.9f}) {
    const Config config = config_of(rate, 42);
    EXPECT_NEAR(share([&](Index h, Index i, Index j) { return is_dropped(config, h, i, j); }), rate,
                kChance);
  }
}

TEST(Dropout, DropsNothingAtRateZero) {
  const Config config = config_of(0.0f, 42);
  EXPECT_EQ(share([&](Index h, Index i, Index j) { return is_dropped(config, h, i, j); }), 0.0);
}

// Two independent cells are both dropped in a quarter of all cases.
TEST(Dropout, NeighboursAndSeedsAreIndependent) {
  const Config one = config_of(0.5f, 1), two = config_of(0.5f, 2);
  const auto both = [&](const Config& other, Index h, Index i, Index j) {
    return share([&, h, i, j](Index head, Index row, Index col) {
      return is_dropped(one, head, row, col) && is_dropped(other, head + h, row + i, col + j);
    });
  };
  EXPECT_NEAR(both(one, 0, 0, 1), 0.25, kChance);
  EXPECT_NEAR(both(one, 0, 1, 0), 0.25, kChance);
  EXPECT_NEAR(both(one, 1, 0, 0), 0.25, kChance);
  EXPECT_NEAR(both(two, 0, 0, 0), 0.25, kChance);
}

TEST(Dropout, AHigherRateDropsWhatALowerOneDrops) {
  const Config low = config_of(0.2f, 7), high = config_of(0.6f, 7);
  EXPECT_EQ(share([&](Index h, Index i, Index j) {
              return is_dropped(low, h, i, j) && !is_dropped(high, h, i, j);
            }),
            0.0);
}

TEST(DropoutFactor, CompensatesForWhatIsDropped) {
  EXPECT_EQ(dropout_factor(config_of(0.0f, 0)), 1.0f);
  EXPECT_EQ(dropout_factor(config_of(0.5f, 0)), 2.0f);
  EXPECT_FLOAT_EQ(dropout_factor(config_of(0.9f, 0)), 10.0f);
}

}  // namespace
}  // namespace attention::test
