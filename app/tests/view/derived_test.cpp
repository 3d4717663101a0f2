// What is computed from matrices is kept by their versions.
#include "app/tests/rooms.h"
#include "app/view/maps/metrics_cache.h"

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

TEST(Memo, ForgetsWhatWasNotAskedForInAFrame) {
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

TEST(Derived, ADifferenceIsTheSameMatrixUntilOneChanges) {
  Derived derived;
  const SharedMatrix a(Matrix{{1, 2}}), b(Matrix{{1, 5}});
  const SharedMatrix first = derived.difference(a, b);
  EXPECT_EQ(*first, (Matrix{{0, 3}}));
  EXPECT_TRUE(derived.difference(a, b).same_as(first));
  EXPECT_FALSE(derived.difference(b, a).same_as(first));
  EXPECT_EQ(derived.norm(a, b), 3);
  EXPECT_EQ(derived.largest(a, b), 3);
  ASSERT_EQ(derived.moved(a, b).size(), 1U);
  EXPECT_EQ(derived.moved(a, b).front().col, 1);
}

TEST(Derived, TheLinesOfAllQueriesHoldTheShareOfEach) {
  Derived derived;
  const SharedMatrix weights(Matrix{{0.6f, 0.4f}, {0.05f, 0.95f}});
  EXPECT_EQ(derived.leading(weights, 0.5f).size(), 2U);
  EXPECT_EQ(derived.leading(weights, 0.9f).size(), 3U);
}

TEST(Derived, OfVeryManyWeightsOnlyTheStrongestAreLines) {
  Derived derived;
  const SharedMatrix weights(Matrix::Constant(600, 600, 1.0f / 600));
  EXPECT_EQ(derived.leading(weights, 0.9f).size(), 1000U);
}

}  // namespace
}  // namespace lab
