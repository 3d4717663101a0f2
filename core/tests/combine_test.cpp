#include "core/analysis/combine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/analysis/metrics.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Index kBoth[] = {0, 1};
constexpr float kInf = std::numeric_limits<float>::infinity();

Trace combine_trace(const std::vector<Matrix>& weights) {
  Trace trace;
  for (const Matrix& one : weights) {
    trace.heads.emplace_back();
    trace.heads.back().weights = SharedMatrix(one);
  }
  return trace;
}

TEST(MeanWeights, IsTheMeanOfEveryCell) {
  const Trace trace = combine_trace({Matrix{{1, 0}, {0.5f, 0.5f}}, Matrix{{0, 1}, {0.25f, 0.75f}}});
  EXPECT_EQ(mean_weights(trace, kBoth), (Matrix{{0.5f, 0.5f}, {0.375f, 0.625f}}));
  EXPECT_EQ(mean_weights(Trace(), {}).size(), 0);
}

TEST(MeanWeights, LeavesOutTheOtherHeads) {
  const Trace trace = combine_trace({Matrix{{1, 0}}, Matrix{{0.5f, 0.5f}}, Matrix{{0, 1}}});
  constexpr Index kOuter[] = {0, 2}, kLast[] = {2};
  EXPECT_EQ(mean_weights(trace, kOuter), (Matrix{{0.5f, 0.5f}}));
  EXPECT_EQ(mean_weights(trace, kLast), (Matrix{{0, 1}}));
  EXPECT_EQ(largest_weights(trace, kLast), (Matrix{{0, 1}}));
}

TEST(MeanWeights, OfHeardHeadsStandInPlaceOfEachHeads) {
  Problem problem;
  problem.config.n_heads = 3;
  problem.head_mix.resize(3);
  problem.head_mix[1].mute = true;
  const Trace mean = with_mean_weights(
      problem, combine_trace({Matrix{{1, 0}}, Matrix{{0.9f, 0.1f}}, Matrix{{0, 1}}}));
  for (const auto& head : mean.heads) EXPECT_EQ(*head.weights, (Matrix{{0.5f, 0.5f}}));
}

TEST(LargestWeights, AreThoseOfTheHeadsThatAreHeard) {
  Problem problem;
  problem.config.n_heads = 3;
  problem.head_mix.resize(3);
  problem.head_mix[1].mute = true;
  const Trace largest = with_largest_weights(
      problem, combine_trace({Matrix{{0.7f, 0.3f}}, Matrix{{0, 1}}, Matrix{{0.4f, 0.6f}}}));
  for (const auto& head : largest.heads) EXPECT_EQ(*head.weights, (Matrix{{0.7f, 0.6f}}));
}

TEST(ActiveHeads, AreThoseThatNothingSilences) {
  Problem problem;
  problem.config.n_heads = 3;
  EXPECT_THAT(active_heads(problem), ElementsAre(0, 1, 2));
  problem.head_mix = {{}, {.mute = true}, {}};
  EXPECT_THAT(active_heads(problem), ElementsAre(0, 2));
  problem.head_mix = {{}, {.solo = true}, {.scale = 0.0f}};
  EXPECT_THAT(active_heads(problem), ElementsAre(1));
  problem.head_mix = {{.mute = true}, {.mute = true}, {.mute = true}};
  EXPECT_THAT(active_heads(problem), ElementsAre(0, 1, 2)) << "there is no other mean to show";
}

TEST(LargestWeights, IsTheLargestOfEveryCell) {
  const Trace trace = combine_trace({Matrix{{1, 0}, {0.5f, 0.5f}}, Matrix{{0, 1}, {0.25f, 0.75f}}});
  EXPECT_EQ(largest_weights(trace, kBoth), (Matrix{{1, 1}, {0.5f, 0.75f}}));
  EXPECT_EQ(largest_weights(Trace(), {}).size(), 0);
}

TEST(LargestWeights, ShowsThatAHeadHasNoNumber) {
  for (const bool first : {false, true}) {
    const Matrix bad{{kNaN, 0.5f}}, good{{0.5f, 0.25f}};
    const Matrix largest =
        largest_weights(combine_trace({first ? bad : good, first ? good : bad}), kBoth);
    EXPECT_TRUE(std::isnan(largest(0, 0)));
    EXPECT_EQ(largest(0, 1), 0.5f);
  }
}

TEST(Difference, IsWhatWasAdded) {
  EXPECT_EQ(difference(Matrix{{1, 2}}, Matrix{{1.5f, 0}}), (Matrix{{0.5f, -2}}));
}

TEST(Difference, OfTheSameIsZeroWhateverItIs) {
  const Matrix bad{{-kInf, kInf, kNaN}};
  EXPECT_EQ(difference(bad, bad), Matrix::Zero(1, 3));
  EXPECT_EQ(difference(Matrix{{0}}, Matrix{{-kInf}})(0, 0), -kInf);
}

TEST(Difference, OfOtherShapesIsRefused) {
  EXPECT_THROW(difference(Matrix::Zero(2, 3), Matrix::Zero(3, 2)), std::invalid_argument);
}

TEST(MostMoved, AreTheCellsFarthestFromZero) {
  const Matrix moves{{0, -3, 1}, {3, 0, 0.5f}};
  const std::vector<DifferenceCell> most = most_changed(moves, 3);
  ASSERT_THAT(most, SizeIs(3));
  EXPECT_EQ(most[0].by, -3);
  EXPECT_EQ(most[1].by, 3);
  EXPECT_EQ(most[2].by, 1);
  EXPECT_EQ(most[1].row, 1);
  EXPECT_EQ(most[1].col, 0);
}

TEST(MostMoved, OmitUnchangedCells) {
  EXPECT_THAT(most_changed(Matrix::Zero(3, 3), 10), IsEmpty());
  EXPECT_THAT(most_changed(Matrix{{0, 1}}, 10), SizeIs(1));
  EXPECT_THAT(most_changed(Matrix{{1, 1}}, 0), IsEmpty());
}

TEST(MostMoved, PutNaNFirst) {
  const std::vector<DifferenceCell> most = most_changed(Matrix{{5, kNaN, -kInf}}, 2);
  ASSERT_THAT(most, SizeIs(2));
  EXPECT_TRUE(std::isnan(most[0].by));
  EXPECT_EQ(most[1].by, -kInf);
}

TEST(LargestMove, IsOfTheFiniteOnes) {
  EXPECT_EQ(largest_change(Matrix{{1, -2, kNaN, kInf}}), 2);
  EXPECT_EQ(largest_change(Matrix{{kNaN}}), 0);
  EXPECT_EQ(largest_change(Matrix()), 0);
}

TEST(LeadingPairs, HoldTheShareAndNoMore) {
  const Matrix weights{{0.1f, 0.6f, 0.05f, 0.25f}};
  const auto count = [&](double share) { return leading_pairs(weights, 0, share).size(); };
  EXPECT_EQ(count(0.5), 1U);
  EXPECT_EQ(count(0.7), 2U);
  EXPECT_EQ(count(0.9), 3U);
  EXPECT_EQ(count(1.0), 4U);
  EXPECT_EQ(count(0.0), 0U);
  EXPECT_EQ(leading_pairs(weights, 0, 0.7)[1].col, 3);
}

TEST(LeadingPairs, AreOfTheSumOfTheRow) {
  EXPECT_THAT(leading_pairs(Matrix{{3, 1}}, 0, 0.75), SizeIs(1));
}

TEST(LeadingPairs, AreEmptyWithoutAnyWeight) {
  EXPECT_THAT(leading_pairs(Matrix{{0, 0}}, 0, 1.0), IsEmpty());
  EXPECT_THAT(leading_pairs(Matrix{{kNaN, kNaN}}, 0, 1.0), IsEmpty());
  EXPECT_THAT(leading_pairs(Matrix{{0, 1}, {kNaN, 0.5f}}, 1, 1.0), SizeIs(1));
}

TEST(MostSimilarHead, IsTheOneOfTheLargestCosine) {
  const Trace trace = combine_trace({Matrix{{1, 0}}, Matrix{{0, 1}}, Matrix{{0.8f, 0.6f}}});
  const auto of_first = most_similar_head(trace, 0);
  ASSERT_TRUE(of_first);
  EXPECT_EQ(of_first->head, 2);
  EXPECT_NEAR(of_first->cosine, 0.8, 1e-6);
  EXPECT_NEAR(of_first->cosine, head_similarity(trace)(0, 2), 1e-6);
}

TEST(MostSimilarHead, IsNothingForASingleHead) {
  EXPECT_FALSE(most_similar_head(combine_trace({Matrix{{1}}}), 0));
  EXPECT_THROW(most_similar_head(combine_trace({Matrix{{1}}}), 1), std::out_of_range);
}

}  // namespace
}  // namespace attention::test
