// Values computed from matrices are cached by their versions.
#include "app/view/maps/metrics_cache.h"
#include "app/tests/rooms.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

using attention::Matrix;
using attention::SharedMatrix;

TEST(Memo, ComputesOnce) {
  Memo<int> memo;
  int calls = 0;
  const auto make = [&] { return ++calls; };
  EXPECT_EQ(memo.get({1, 2}, make), 1);
  EXPECT_EQ(memo.get({1, 2}, make), 1);
  EXPECT_EQ(memo.get({1, 3}, make), 2);
}

TEST(Memo, DiscardsWhatWasNotRequestedInAFrame) {
  Memo<int> memo;
  int calls = 0;
  const auto make = [&] { return ++calls; };
  memo.get({1}, make);
  memo.end_frame();
  EXPECT_EQ(memo.get({1}, make), 1) << "kept for the next frame";
  memo.end_frame();
  memo.end_frame();
  EXPECT_EQ(memo.get({1}, make), 2);
}

TEST(MetricsCache, ADifferenceIsTheSameMatrixUntilOneChanges) {
  MetricsCache metrics;
  const SharedMatrix a(Matrix{{1, 2}}), b(Matrix{{1, 5}});
  const SharedMatrix first = metrics.difference(a, b);
  EXPECT_EQ(*first, (Matrix{{0, 3}}));
  EXPECT_TRUE(metrics.difference(a, b).same_as(first));
  EXPECT_FALSE(metrics.difference(b, a).same_as(first));
  EXPECT_EQ(metrics.norm(a, b), 3);
  EXPECT_EQ(metrics.largest(a, b), 3);
  ASSERT_EQ(metrics.moved(a, b).size(), 1U);
  EXPECT_EQ(metrics.moved(a, b).front().col, 1);
}

TEST(MetricsCache, RoundingIsNoChange) {
  MetricsCache metrics;
  const SharedMatrix a(Matrix{{40, 1}}), b(Matrix{{40.000004f, 1.00001f}}), c(Matrix{{40, 1.1f}});
  EXPECT_TRUE(metrics.moved(a, b).empty());
  EXPECT_EQ(metrics.largest(a, b), 0);
  EXPECT_EQ(metrics.moved(a, c).size(), 1U);
}

TEST(MetricsCache, TheLinesOfAllQueriesHoldTheShareOfEach) {
  MetricsCache metrics;
  const SharedMatrix weights(Matrix{{0.6f, 0.4f}, {0.05f, 0.95f}});
  EXPECT_EQ(metrics.leading(weights, 0.5f).size(), 2U);
  EXPECT_EQ(metrics.leading(weights, 0.9f).size(), 3U);
}

TEST(MetricsCache, OfVeryManyWeightsOnlyTheStrongestAreLines) {
  MetricsCache metrics;
  const SharedMatrix weights(Matrix::Constant(600, 600, 1.0f / 600));
  EXPECT_EQ(metrics.leading(weights, 0.9f).size(), 1000U);
}

}  // namespace
}  // namespace lab
