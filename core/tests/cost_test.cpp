#include "core/analysis/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/explain/explain.h"
#include "core/layer/evaluator.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

Config counted_config() {
  Config config;
  config.d_model = 6;
  config.n_heads = 4;
  config.d_k = 2;
  config.d_v = 3;
  config.d_out = 6;
  return config;
}

Problem counted_problem(const Config& config, Index seq_len = 5, Index kv_len = 0) {
  PortableRandom random(61);
  return random_problem(config, seq_len, kv_len, random);
}

StageCost stage_cost(const Problem& problem, Stage stage) {
  for (const StageCost& cost : cost_of(problem).stages) {
    if (cost.stage == stage) return cost;
  }
  ADD_FAILURE() << stage_name(stage) << " has no cost";
  return {};
}

Polynomial multiply_adds(const Problem& problem, Stage stage) {
  return stage_cost(problem, stage).multiply_adds;
}

TEST(Polynomial, HasItsValueAtN) {
  EXPECT_EQ((Polynomial{7, 5, 3}).at(0), 7);
  EXPECT_EQ((Polynomial{7, 5, 3}).at(10), 357);
  EXPECT_EQ((Polynomial{0, 0, 4096}).at(2048), std::int64_t{1} << 34) << "more than 32 bits";
}

TEST(Cost, OfSelfAttentionGrowsWithTheSquareInEveryStageOfPairs) {
  const Problem problem = counted_problem(counted_config());
  EXPECT_EQ(multiply_adds(problem, Stage::kEmbedding), (Polynomial{0, 0, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kQ), (Polynomial{0, 4 * 6 * 2, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kK), (Polynomial{0, 4 * 6 * 2, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kV), (Polynomial{0, 4 * 6 * 3, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kScores), (Polynomial{0, 0, 4 * 2}));
  EXPECT_EQ(multiply_adds(problem, Stage::kScaledScores), (Polynomial{0, 0, 4}));
  EXPECT_EQ(multiply_adds(problem, Stage::kWeights), (Polynomial{0, 0, 4 * 4}));
  EXPECT_EQ(multiply_adds(problem, Stage::kHeadOutput), (Polynomial{0, 0, 4 * 3}));
  EXPECT_EQ(multiply_adds(problem, Stage::kConcat), (Polynomial{0, 0, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kOutput), (Polynomial{0, 4 * 3 * 6, 0}));
}

TEST(Cost, OfCrossAttentionIsLinearInTheQueries) {
  const Problem problem = counted_problem(counted_config(), 5, 7);
  EXPECT_EQ(multiply_adds(problem, Stage::kK), (Polynomial{7 * 4 * 6 * 2, 0, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kScores), (Polynomial{0, 7 * 4 * 2, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kHeadOutput), (Polynomial{0, 7 * 4 * 3, 0}));
  EXPECT_EQ(cost_of(problem).multiply_adds.quadratic, 0);
}

TEST(Cost, OfSharedKeysAndValuesIsCountedOnce) {
  Config config = counted_config();
  config.n_kv_heads = 2;
  const Problem problem = counted_problem(config);
  EXPECT_EQ(multiply_adds(problem, Stage::kQ), (Polynomial{0, 4 * 6 * 2, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kK), (Polynomial{0, 2 * 6 * 2, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kV), (Polynomial{0, 2 * 6 * 3, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kScores), (Polynomial{0, 0, 4 * 2}));
}

TEST(Cost, OfElementwiseStages) {
  Config config = counted_config();
  config.positions = Positions::kSinusoidal;
  config.dropout_rate = 0.1f;
  config.residual = config.layer_norm = true;
  config.mask.causal = true;
  Problem problem = counted_problem(config);
  EXPECT_EQ(multiply_adds(problem, Stage::kPosition), (Polynomial{0, 6, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kX), (Polynomial{0, 6, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kMaskedScores), (Polynomial{0, 0, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kDroppedWeights), (Polynomial{0, 0, 4}));
  EXPECT_EQ(multiply_adds(problem, Stage::kResidual), (Polynomial{0, 6, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kLayerNorm), (Polynomial{0, 4 * 6 + 4, 0}));
  problem.parameters.gamma = SharedMatrix(Matrix::Ones(1, 6));
  EXPECT_EQ(multiply_adds(problem, Stage::kLayerNorm), (Polynomial{0, 5 * 6 + 4, 0}));
  problem.bias = SharedMatrix(Matrix::Ones(5, 5));
  EXPECT_EQ(multiply_adds(problem, Stage::kMaskedScores), (Polynomial{0, 0, 4}));
}

TEST(Cost, OfNormsOfHeadsAndOfACap) {
  Config config = counted_config();
  config.n_kv_heads = 2;
  config.head_norm = true;
  config.score_cap = 50;
  Problem problem = counted_problem(config, 5, 7);
  EXPECT_EQ(multiply_adds(problem, Stage::kNormedQ), (Polynomial{0, 4 * (2 * 2 + 3), 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kNormedK), (Polynomial{7 * 2 * (2 * 2 + 3), 0, 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kCappedScores), (Polynomial{0, 7 * 4 * 3, 0}));
  problem.parameters.norm_K = SharedMatrix(Matrix::Ones(1, 2));
  EXPECT_EQ(multiply_adds(problem, Stage::kNormedQ), (Polynomial{0, 4 * (2 * 2 + 3), 0}));
  EXPECT_EQ(multiply_adds(problem, Stage::kNormedK), (Polynomial{7 * 2 * (3 * 2 + 3), 0, 0}));
}

TEST(Cost, OfPositionsThatActOnTheHeads) {
  Config config = counted_config();
  config.positions = Positions::kRotary;
  EXPECT_EQ(multiply_adds(counted_problem(config), Stage::kRotatedK),
            (Polynomial{0, 2 * 4 * 2, 0}));
  EXPECT_EQ(multiply_adds(counted_problem(config, 5, 7), Stage::kRotatedK),
            (Polynomial{2 * 7 * 4 * 2, 0, 0}));
  config.positions = Positions::kAlibi;
  EXPECT_EQ(multiply_adds(counted_problem(config), Stage::kMaskedScores), (Polynomial{0, 0, 4}));
}

TEST(Cost, OfAGainIsCountedForHeadsThatHaveOne) {
  Problem problem = counted_problem(counted_config());
  problem.head_mix = {{.scale = 2}, {.mute = true}, {}, {.scale = -1}};
  EXPECT_EQ(multiply_adds(problem, Stage::kConcat), (Polynomial{0, 2 * 3, 0}));
}

TEST(Cost, AStageActiveOnlyForItsOverridesComputesNothing) {
  Problem problem = counted_problem(counted_config());
  for (const Stage stage :
       {Stage::kNormedQ, Stage::kRotatedQ, Stage::kCappedScores, Stage::kMaskedScores,
        Stage::kDroppedWeights, Stage::kResidual, Stage::kLayerNorm}) {
    problem.overrides = {{.stage = stage, .head = 0, .row = 0, .col = 0, .value = 1}};
    const StageCost cost = stage_cost(problem, stage);
    EXPECT_EQ(cost.multiply_adds, Polynomial()) << stage_name(stage);
    EXPECT_GT(cost.bytes.at(5), 0) << stage_name(stage);
  }
}

TEST(Cost, OfAllStagesIsTheirSum) {
  for (const Problem& problem : problem_variants()) {
    const Cost cost = cost_of(problem);
    Polynomial multiply_adds, bytes;
    for (const StageCost& stage : cost.stages) {
      EXPECT_TRUE(is_active(problem, stage.stage));
      multiply_adds += stage.multiply_adds;
      bytes += stage.bytes;
    }
    EXPECT_EQ(cost.multiply_adds, multiply_adds);
    EXPECT_EQ(cost.bytes, bytes);
  }
}

// The coefficients are those of the layer, not of the sentence.
TEST(Cost, IsTheSamePolynomialAtEveryLength) {
  const Cost shorter = cost_of(counted_problem(counted_config(), 3));
  const Cost longer = cost_of(counted_problem(counted_config(), 11));
  EXPECT_EQ(shorter.multiply_adds, longer.multiply_adds);
  EXPECT_EQ(shorter.bytes, longer.bytes);
}

// The number of heads that compute the stage themselves: one of each group that shares keys and
// values.
Index own_heads(const Problem& problem, Stage stage) {
  return is_per_kv_head(stage) ? kv_head_count(problem.config)
                               : (is_per_head(stage) ? problem.config.n_heads : 1);
}

TEST(Cost, BytesAreThoseOfTheMatricesInTheTrace) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    for (const StageCost& cost : cost_of(problem).stages) {
      const Index numbers = stage_matrix(problem, trace, cost.stage, 0)->size();
      EXPECT_EQ(cost.bytes.at(problem.seq_len()), 4 * numbers * own_heads(problem, cost.stage))
          << stage_name(cost.stage);
    }
  }
}

// The products that explain every cell of the stage, counted one by one.
std::int64_t counted_products(const Problem& problem, const Trace& trace, Stage stage) {
  const auto is_product = [](const Term& term) { return term.b && term.b->value != 0.0f; };
  const Index heads = own_heads(problem, stage), step = problem.config.n_heads / heads;
  const Shape shape = stage_shape(problem, stage);
  std::int64_t count = 0;
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < shape.rows; ++i) {
      for (Index j = 0; j < shape.cols; ++j) {
        count +=
            std::ranges::count_if(explain(problem, trace, stage, h * step, i, j).terms, is_product);
      }
    }
  }
  return count;
}

TEST(Cost, MultiplyAddsOfProductsAreTheProductsOfTheirCells) {
  for (Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    for (const StageCost& cost : cost_of(problem).stages) {
      const bool product = cost.stage == Stage::kQ || cost.stage == Stage::kK ||
                           cost.stage == Stage::kV || cost.stage == Stage::kScores ||
                           cost.stage == Stage::kHeadOutput || cost.stage == Stage::kOutput;
      if (!product) continue;
      EXPECT_EQ(cost.multiply_adds.at(problem.seq_len()),
                counted_products(problem, trace, cost.stage))
          << stage_name(cost.stage);
    }
  }
}

}  // namespace
}  // namespace attention::test
