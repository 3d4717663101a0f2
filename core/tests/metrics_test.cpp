#include "core/analysis/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/layer/evaluator.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(RowEntropies, AreTheLogarithmOfTheNumberOfEqualChoices) {
  const Matrix weights{{1, 0, 0, 0}, {0.5f, 0, 0.5f, 0}, {0.25f, 0.25f, 0.25f, 0.25f}};
  EXPECT_THAT(row_entropies(weights),
              ElementsAre(0.0, DoubleNear(std::log(2.0), 1e-12), DoubleNear(std::log(4.0), 1e-12)));
  EXPECT_THAT(row_entropies(Matrix()), IsEmpty());
}

TEST(EntropyShare, IsOfTheLogarithmOfTheNumberOfKeys) {
  EXPECT_DOUBLE_EQ(entropy_share(std::log(8.0), 8), 1.0);
  EXPECT_DOUBLE_EQ(entropy_share(std::log(2.0), 8), 1.0 / 3.0);
  EXPECT_EQ(entropy_share(0.0, 8), 0.0);
}

TEST(EntropyShare, OfOneKeyIsZero) {
  EXPECT_EQ(entropy_share(0.0, 1), 0.0);
  EXPECT_EQ(entropy_share(0.5, 1), 0.0);
  EXPECT_EQ(entropy_share(0.0, 0), 0.0);
}

TEST(MeanEntropy, IsTheLogarithmOfTheNumberOfEqualChoices) {
  EXPECT_NEAR(mean_entropy(Matrix::Constant(3, 8, 0.125f)), std::log(8.0), 1e-12);
  EXPECT_EQ(mean_entropy(Matrix::Identity(4, 4)), 0.0);
  EXPECT_NEAR(mean_entropy(Matrix{{1, 0}, {0.5f, 0.5f}}), std::log(2.0) / 2, 1e-12);
}

TEST(MeanEntropy, OfNothingIsZero) {
  EXPECT_EQ(mean_entropy(Matrix::Zero(2, 3)), 0.0);
  EXPECT_EQ(mean_entropy(Matrix()), 0.0);
}

using WeightCell = std::pair<Index, Index>;

std::vector<WeightCell> places(const std::vector<Pair>& pairs) {
  std::vector<WeightCell> result(pairs.size());
  std::ranges::transform(pairs, result.begin(),
                         [](const Pair& p) { return WeightCell(p.row, p.col); });
  return result;
}

TEST(StrongestPairs, ComeInOrderAndTiesInReadingOrder) {
  const Matrix weights{{0.1f, 0.4f, 0.5f}, {0.2f, 0.8f, 0}, {0.8f, 0.1f, 0.1f}};
  EXPECT_THAT(places(strongest_pairs(weights, 4, false)),
              ElementsAre(WeightCell(1, 1), WeightCell(2, 0), WeightCell(0, 2), WeightCell(0, 1)));
  EXPECT_THAT(places(strongest_pairs(weights, 3, true)),
              ElementsAre(WeightCell(2, 0), WeightCell(0, 2), WeightCell(0, 1)));
  EXPECT_EQ(strongest_pairs(weights, 1, false)[0].weight, 0.8f);
}

TEST(StrongestPairs, AreAllPairsWhenThereAreFewer) {
  EXPECT_EQ(strongest_pairs(Matrix::Identity(2, 2), 9, false).size(), 4u);
  EXPECT_EQ(strongest_pairs(Matrix::Identity(2, 2), 9, true).size(), 2u);
  EXPECT_THAT(strongest_pairs(Matrix::Identity(2, 2), 0, false), IsEmpty());
  EXPECT_THAT(strongest_pairs(Matrix::Identity(2, 2), -1, false), IsEmpty());
  EXPECT_THAT(strongest_pairs(Matrix(), 3, false), IsEmpty());
}

TEST(StrongestPairs, PutNaNLast) {
  const Matrix weights{{kNaN, 0.25f}, {kNaN, 0.75f}};
  EXPECT_THAT(places(strongest_pairs(weights, 4, false)),
              ElementsAre(WeightCell(1, 1), WeightCell(0, 1), WeightCell(0, 0), WeightCell(1, 0)));
}

// Against a sort of all pairs. Few different numbers make for many ties.
TEST(StrongestPairs, AreTheFirstOfAllPairsSorted) {
  PortableRandom random(31);
  for (int round = 0; round < 50; ++round) {
    const Matrix weights =
        Matrix::NullaryExpr(4, 6, [&] { return static_cast<float>(random_below(5, random)) / 4; });
    std::vector<Pair> all;
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 6; ++j) {
        if (i != j) all.push_back({i, j, weights(i, j)});
      }
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &Pair::weight);
    const Index count = 1 + random_below(20, random);
    all.resize(static_cast<size_t>(count));
    EXPECT_EQ(places(strongest_pairs(weights, count, true)), places(all));
  }
}

TEST(StrongestPair, IsTheFirstOfTheLargest) {
  const Matrix weights{{0.1f, 0.4f, 0.5f}, {0.2f, 0.8f, 0}, {0.8f, 0.1f, 0.1f}};
  EXPECT_EQ(places({strongest_pair(weights, false)}), (std::vector<WeightCell>{{1, 1}}));
  EXPECT_EQ(places({strongest_pair(weights, true)}), (std::vector<WeightCell>{{2, 0}}));
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

TEST(StrongestPair, SkipsNaN) {
  Matrix weights = Matrix::Constant(3, 3, kNaN);
  weights.row(2) << 0.2f, 0.7f, 0.1f;
  const Pair pair = strongest_pair(weights, false);
  EXPECT_EQ(pair.row, 2);
  EXPECT_EQ(pair.col, 1);
}

TEST(DiagonalWeight, IsTheMeanOfWhatTokensGiveThemselves) {
  EXPECT_EQ(diagonal_weight(Matrix::Identity(5, 5)), 1.0);
  EXPECT_NEAR(diagonal_weight(Matrix{{0.25f, 0.75f}, {0.5f, 0.5f}}), 0.375, 1e-12);
  EXPECT_NEAR(diagonal_weight(Matrix{{0.5f}, {1}}), 0.25, 1e-12);
  EXPECT_EQ(diagonal_weight(Matrix()), 0.0);
}

TEST(PreviousTokenWeight, IsTheMeanOverAllRowsButTheFirst) {
  const Matrix weights{{1, 0, 0}, {0.75f, 0.25f, 0}, {0.125f, 0.25f, 0.625f}};
  EXPECT_EQ(previous_token_weight(weights), 0.5);
  EXPECT_EQ(previous_token_weight(Matrix{{0.5f}, {1}, {1}}), 0.5) << "row 2 has no key 1";
  EXPECT_EQ(previous_token_weight(Matrix{{0.5f, 0.25f, 0.25f}, {0.75f, 0, 0}}), 0.75);
}

TEST(PreviousTokenWeight, OfOneRowIsZero) {
  EXPECT_EQ(previous_token_weight(Matrix::Ones(1, 3)), 0.0);
  EXPECT_EQ(previous_token_weight(Matrix()), 0.0);
}

TEST(FirstTokenWeight, IsTheMeanOfTheFirstColumn) {
  EXPECT_EQ(first_token_weight(Matrix{{1, 0}, {0.5f, 0.5f}, {0, 1}}), 0.5);
  EXPECT_EQ(first_token_weight(Matrix()), 0.0);
}

Trace metrics_trace(const std::vector<Matrix>& weights) {
  Trace trace;
  for (const Matrix& head : weights) trace.heads.emplace_back().weights = SharedMatrix(head);
  return trace;
}

TEST(HeadSimilarity, IsTheCosineOfTheWeightsAsVectors) {
  const Matrix identity = Matrix::Identity(2, 2), even = Matrix::Constant(2, 2, 0.5f);
  const Matrix swapped{{0, 1}, {1, 0}};
  const float root = std::sqrt(0.5f);
  const Matrix expected{{1, root, 0}, {root, 1, root}, {0, root, 1}};
  EXPECT_TRUE(all_near(head_similarity(metrics_trace({identity, even, swapped})), expected, 1e-6));
}

TEST(HeadSimilarity, IgnoresTheMagnitude) {
  const Matrix weights{{0.25f, 0.75f}, {1, 0}};
  for (const float size : {0.001f, 1e-25f, 1e-37f, 1e20f, 1e38f}) {
    const Matrix similarity = head_similarity(metrics_trace({weights, size * weights}));
    EXPECT_TRUE(all_near(similarity, Matrix::Ones(2, 2), 1e-6)) << size;
  }
}

TEST(HeadSimilarity, OfAHeadWithoutWeightIsZero) {
  const Matrix similarity =
      head_similarity(metrics_trace({Matrix::Zero(2, 2), Matrix::Ones(2, 2)}));
  EXPECT_TRUE(all_near(similarity, Matrix{{0, 0}, {0, 1}}, 1e-6));
  EXPECT_EQ(head_similarity(Trace()).size(), 0);
}

bool overrides(const Problem& problem, Stage stage) {
  return std::ranges::count(problem.overrides, stage, &Override::stage) > 0;
}

// Includes gains, dropout, shared keys and overrides; only overridden cells of the output itself
// are not sums.
TEST(HeadPart, AddsUpToTheOutputWithoutItsBias) {
  for (const Problem& problem : problem_variants()) {
    if (overrides(problem, Stage::kOutput)) continue;
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    Matrix sum = Matrix::Zero(problem.seq_len(), problem.config.d_out);
    for (Index h = 0; h < problem.config.n_heads; ++h) sum += head_part(problem, trace, h);
    const Matrix& b_O = *problem.parameters.b_O;
    if (problem.config.biases && b_O.size() > 0) sum.rowwise() += b_O.row(0);
    EXPECT_TRUE(all_near_relative(sum, *trace.output, 1e-5));
  }
}

Problem with_gain(float gain) {
  PortableRandom random(32);
  Config config;
  config.n_heads = 2;
  Problem problem = random_problem(config, 4, 0, random);
  problem.head_mix = {{}, {.mute = false, .solo = false, .scale = gain}};
  return problem;
}

TEST(HeadPart, IncludesTheGain) {
  Evaluator evaluator;
  const Trace whole = evaluator.evaluate(with_gain(1));
  const Trace half = evaluator.evaluate(with_gain(0.5f));
  EXPECT_TRUE(
      all_identical(head_part(with_gain(0.5f), half, 1), 0.5f * head_part(with_gain(1), whole, 1)));
  const Trace none = evaluator.evaluate(with_gain(0));
  EXPECT_EQ(head_part(with_gain(0), none, 1).norm(), 0.0f);
}

TEST(HeadPart, ThrowsWithoutSuchAHead) {
  Evaluator evaluator;
  const Problem problem = with_gain(1);
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_THROW(head_part(problem, trace, 2), std::out_of_range);
  EXPECT_THROW(head_part(problem, trace, -1), std::out_of_range);
  EXPECT_THROW(output_shift_without_head(problem, trace, 2), std::out_of_range);
  EXPECT_THROW(output_share_of_head(problem, trace, 2), std::out_of_range);
}

// The same problem with only `head` muted in addition.
Problem muted(Problem problem, Index head) {
  if (problem.head_mix.empty()) {
    problem.head_mix.resize(static_cast<size_t>(problem.config.n_heads));
  }
  problem.head_mix[static_cast<size_t>(head)].mute = true;
  return problem;
}

TEST(OutputShift, IsHowFarTheOutputMovesWhenTheHeadIsMuted) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace trace = evaluator.evaluate(problem);
    for (Index h = 0; h < problem.config.n_heads; ++h) {
      const Matrix moved = *evaluator.evaluate(muted(problem, h)).output - *trace.output;
      EXPECT_NEAR(output_shift_without_head(problem, trace, h), moved.norm(),
                  1e-4 * std::max(1.0f, trace.output->norm()));
    }
  }
}

// Overridden cells do not move.
TEST(OutputShift, LeavesOverriddenCells) {
  Problem problem = with_gain(1);
  problem.overrides = {{Stage::kConcat, 0, 1, 8 + 2, 5.0f},
                       {Stage::kConcat, 0, 2, 3, -4.0f},
                       {Stage::kOutput, 0, 3, 1, 7.0f}};
  Evaluator evaluator;
  const Trace trace = evaluator.evaluate(problem);
  for (Index h = 0; h < 2; ++h) {
    const Matrix moved = *evaluator.evaluate(muted(problem, h)).output - *trace.output;
    EXPECT_NEAR(output_shift_without_head(problem, trace, h), moved.norm(), 1e-4);
  }
}

TEST(OutputShare, IsOfTheOutputWithoutItsBias) {
  Evaluator evaluator;
  Problem problem = with_gain(0);
  problem.parameters.b_O = SharedMatrix(Matrix::Constant(1, 8, 100));
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_NEAR(output_share_of_head(problem, trace, 0), 1.0, 1e-4);
  EXPECT_EQ(output_share_of_head(problem, trace, 1), 0.0);
}

TEST(OutputShare, OfNothingIsZero) {
  Evaluator evaluator;
  Problem problem = with_gain(1);
  problem.head_mix = {{.mute = true}, {.mute = true}};
  EXPECT_EQ(output_share_of_head(problem, evaluator.evaluate(problem), 0), 0.0);
}

// A bias that is switched off is not part of the output and must not be subtracted.
TEST(OutputShare, IgnoresBiasesThatAreSwitchedOff) {
  Evaluator evaluator;
  Problem problem = with_gain(0);
  problem.parameters.b_O = SharedMatrix(Matrix::Constant(1, 8, 100));
  problem.config.biases = false;
  EXPECT_NEAR(output_share_of_head(problem, evaluator.evaluate(problem), 0), 1.0, 1e-6);
}

}  // namespace
}  // namespace attention::test
