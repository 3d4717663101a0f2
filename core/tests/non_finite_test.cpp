#include "core/analysis/non_finite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/layer/evaluator.h"
#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

Problem small_problem(int n_kv_heads = 0) {
  PortableRandom random(51);
  Config config;
  config.n_heads = 4;
  config.n_kv_heads = n_kv_heads;
  return random_problem(config, 3, 0, random);
}

NonFiniteCount count_of(const Problem& problem, const Trace& trace, Stage stage) {
  for (const NonFiniteCount& counts : count_non_finite(problem, trace)) {
    if (counts.stage == stage) return counts;
  }
  ADD_FAILURE() << stage_name(stage) << " is not counted";
  return {};
}

TEST(NonFinite, CountsEveryActiveStageInOrder) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    std::vector<Stage> expected, found;
    for (const Stage stage : kAllStages) {
      if (is_active(problem, stage)) expected.push_back(stage);
    }
    for (const NonFiniteCount& counts : count_non_finite(problem, evaluator.evaluate(problem))) {
      found.push_back(counts.stage);
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(NonFinite, OfGoodNumbersIsNothing) {
  const Problem problem = small_problem();
  Evaluator evaluator;
  for (const NonFiniteCount& counts : count_non_finite(problem, evaluator.evaluate(problem))) {
    EXPECT_EQ(counts, NonFiniteCount{counts.stage});
    EXPECT_EQ(counts.total(), 0);
  }
}

TEST(NonFinite, TellsTheKindsApartAndAddsTheHeads) {
  const Problem problem = small_problem();
  Evaluator evaluator;
  Trace trace = evaluator.evaluate(problem);
  trace.heads[0].scores.edit([](Matrix& scores) { scores.row(1) << kNaN, kInfinity, -kInfinity; });
  trace.heads[3].scores.edit([](Matrix& scores) { scores.row(2) << kNaN, 1, -kInfinity; });
  const NonFiniteCount expected{
      .stage = Stage::kScores, .nan = 2, .positive_infinity = 1, .negative_infinity = 2};
  EXPECT_EQ(count_of(problem, trace, Stage::kScores), expected);
  EXPECT_EQ(expected.total(), 5);
  EXPECT_EQ(count_of(problem, trace, Stage::kWeights).total(), 0);
}

TEST(NonFinite, CountsWhatAMaskPutsIntoMaskedScores) {
  Problem problem = small_problem();
  problem.config.mask.causal = true;
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_EQ(count_of(problem, trace, Stage::kMaskedScores).negative_infinity, 4 * 3);
  EXPECT_EQ(count_of(problem, trace, Stage::kWeights).total(), 0);
}

TEST(NonFinite, CountsMatricesThatHeadsShareOnce) {
  Problem problem = small_problem(2);
  problem.parameters.kv_heads[1].W_K.edit([](Matrix& W) { W(0, 5) = kNaN; });
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_EQ(count_of(problem, trace, Stage::kK).nan, 3);
  EXPECT_EQ(count_of(problem, trace, Stage::kScores).nan, 2 * 3 * 3);
}

TEST(NonFinite, CountsEmbeddingsToo) {
  Problem problem = small_problem();
  problem.embedding.edit([](Matrix& X) { X(2, 1) = kInfinity; });
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_EQ(count_of(problem, trace, Stage::kEmbedding).positive_infinity, 1);
}

}  // namespace
}  // namespace attention::test
