// The meaning of the switches of a problem, and which of them can be combined.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

using testing::HasSubstr;

// Five tokens, three heads of d_k 4 and d_v 3, d_model 6 and d_out 5.
Problem plain() { return problem_variants()[0]; }

Problem cross() {
  PortableRandom random(5);
  return random_problem(variant_config(), 4, 7, random);
}

std::string config_complaint(const std::function<void(Config&)>& change) {
  return complaint(plain(), [&](Problem& problem) { change(problem.config); });
}

std::string override_complaint(const Problem& problem, const Override& o) {
  return complaint(problem, [&](Problem& p) { p.overrides.push_back(o); });
}

TEST(ConfigRules, KeyAndValueHeadsDivideTheHeads) {
  EXPECT_EQ(config_complaint([](Config& c) { c.n_kv_heads = 2; }),
            "n_kv_heads is 2, it must be a divisor of n_heads, which is 3");
  EXPECT_EQ(config_complaint([](Config& c) { c.n_kv_heads = 4; }),
            "n_kv_heads is 4, it must be 0 … 3");
  EXPECT_EQ(config_complaint([](Config& c) { c.n_kv_heads = -1; }),
            "n_kv_heads is -1, it must be 0 … 3");
  EXPECT_EQ(config_complaint([](Config& c) { c.n_kv_heads = 3; }), "");
}

TEST(ConfigRules, RotaryPositionsNeedAnEvenHeadSize) {
  const auto with_d_k = [](Positions positions) {
    return config_complaint([&](Config& c) {
      c.d_k = 3;
      c.positions = positions;
    });
  };
  EXPECT_EQ(with_d_k(Positions::kRotary), "d_k is 3, it must be even with rotary positions");
  EXPECT_THAT(with_d_k(Positions::kAlibi), HasSubstr("W_Q"));
}

TEST(ConfigRules, RotaryBasesStartAtOne) {
  EXPECT_EQ(config_complaint([](Config& c) { c.rotary_base = 0.5f; }),
            "rotary_base is 0.5, it must be a number from 1");
  EXPECT_NE(config_complaint([](Config& c) { c.rotary_base = kInfinity; }), "");
  EXPECT_NE(config_complaint([](Config& c) { c.rotary_base = kNaN; }), "");
  EXPECT_EQ(config_complaint([](Config& c) { c.rotary_base = 1.0f; }), "");
}

TEST(ConfigRules, AResidualNeedsAnOutputOfTheInputsSize) {
  EXPECT_EQ(config_complaint([](Config& c) { c.residual = true; }),
            "d_out is 5, it must be d_model with a residual, which is 6");
  EXPECT_EQ(config_complaint([](Config& c) { c.layer_norm = true; }), "");
}

TEST(ConfigRules, SplitHeadsMakeUpTheModel) {
  EXPECT_EQ(config_complaint([](Config& c) { c.head_build = HeadBuild::kSplit; }),
            "n_heads · d_k is 12, it must be d_model where heads are split, which is 6");
  EXPECT_EQ(config_complaint([](Config& c) {
              c.head_build = HeadBuild::kSplit;
              c.d_k = 2;
            }),
            "n_heads · d_v is 9, it must be d_model where heads are split, which is 6");
}

TEST(ConfigRules, DropoutLeavesSomething) {
  EXPECT_EQ(config_complaint([](Config& c) { c.dropout_rate = 1.0f; }),
            "dropout_rate is 1, it must be from 0 to below 1");
  EXPECT_NE(config_complaint([](Config& c) { c.dropout_rate = -0.1f; }), "");
  EXPECT_NE(config_complaint([](Config& c) { c.dropout_rate = kNaN; }), "");
  EXPECT_EQ(config_complaint([](Config& c) { c.dropout_rate = 0.99f; }), "");
}

TEST(ConfigRules, TheEpsilonIsPositive) {
  EXPECT_EQ(config_complaint([](Config& c) { c.layer_norm_epsilon = 0; }),
            "layer_norm_epsilon is 0, it must be a positive number");
  EXPECT_NE(config_complaint([](Config& c) { c.layer_norm_epsilon = kNaN; }), "");
  EXPECT_EQ(config_complaint([](Config& c) { c.head_norm_epsilon = 0; }),
            "head_norm_epsilon is 0, it must be a positive number");
  EXPECT_NE(config_complaint([](Config& c) { c.head_norm_epsilon = kInfinity; }), "");
}

TEST(ConfigRules, ACapIsFiniteAndNotNegative) {
  EXPECT_EQ(config_complaint([](Config& c) { c.score_cap = -1; }),
            "score_cap is -1, it must be a number from 0, which is no cap");
  EXPECT_NE(config_complaint([](Config& c) { c.score_cap = kInfinity; }), "");
  EXPECT_NE(config_complaint([](Config& c) { c.score_cap = kNaN; }), "");
  EXPECT_EQ(config_complaint([](Config& c) { c.score_cap = 50; }), "");
}

TEST(HeadNorms, HaveANumberForEachFeatureOfAHead) {
  const auto with_norm = [](Index cols) {
    return complaint(
        plain(), [cols](Problem& p) { p.parameters.norm_K = SharedMatrix(Matrix::Ones(1, cols)); });
  };
  EXPECT_EQ(with_norm(3), "norm_K is 1 × 3, it must be 1 × 4 (1 × d_k)");
  EXPECT_EQ(with_norm(4), "");
}

// Dividing by a number below the normal range would give infinity.
TEST(ConfigRules, PositiveNumbersAreNormalOnes) {
  EXPECT_EQ(config_complaint([](Config& c) { c.temperature = 1e-42f; }),
            "temperature is 1.00053e-42, it must be at least 1.17549e-38, the smallest normal "
            "number");
  EXPECT_EQ(config_complaint([](Config& c) { c.layer_norm_epsilon = 1e-45f; }),
            "layer_norm_epsilon is 1.4013e-45, it must be at least 1.17549e-38, the smallest "
            "normal number");
  EXPECT_EQ(config_complaint([](Config& c) { c.temperature = -1e-42f; }),
            "temperature is -1.00053e-42, it must be a positive number");
  EXPECT_EQ(config_complaint([](Config& c) { c.temperature = kInfinity; }),
            "temperature is inf, it must be a positive number");
}

TEST(ConfigRules, MasksCountFromZeroToTheLongestSentence) {
  EXPECT_EQ(config_complaint([](Config& c) { c.mask.key_count = -1; }),
            "key_count is -1, it must be 0 … 2048");
  EXPECT_EQ(config_complaint([](Config& c) { c.mask.window = 2049; }),
            "window is 2049, it must be 0 … 2048");
  EXPECT_EQ(config_complaint([](Config& c) { c.mask.key_count = 2048; }), "");
}

TEST(PositionTables, HoldARowForEveryPosition) {
  const auto learned = [](Problem problem, Index rows, Index cols, Index kv_rows) {
    return complaint(std::move(problem), [&](Problem& p) {
      p.config.positions = Positions::kLearned;
      if (rows > 0) p.position_table = SharedMatrix(Matrix::Zero(rows, cols));
      if (kv_rows > 0) p.position_table_kv = SharedMatrix(Matrix::Zero(kv_rows, cols));
    });
  };
  EXPECT_EQ(learned(plain(), 4, 6, 0),
            "position_table is 4 × 6, it must be at least 5 × 6 (positions × d_model)");
  EXPECT_EQ(learned(plain(), 9, 5, 0),
            "position_table is 9 × 5, it must be at least 5 × 6 (positions × d_model)");
  EXPECT_THAT(learned(plain(), 0, 0, 0), HasSubstr("position_table is 0 × 0"));
  EXPECT_EQ(learned(plain(), 9, 6, 0), "");
  EXPECT_EQ(learned(cross(), 4, 6, 0),
            "position_table is 4 × 6, it must be at least 7 × 6 (positions × d_model)");
  EXPECT_EQ(learned(cross(), 4, 6, 6),
            "position_table_kv is 6 × 6, it must be at least 7 × 6 (positions × d_model)");
  EXPECT_EQ(learned(cross(), 4, 6, 7), "");
}

TEST(PositionTables, AreIgnoredWithoutLearnedPositions) {
  EXPECT_EQ(complaint(plain(), [](Problem& p) { p.position_table = SharedMatrix(Matrix(1, 1)); }),
            "");
}

TEST(KeyValueParameters, AreNamedByTheHeadTheyServe) {
  Problem shared = plain();
  shared.config.n_kv_heads = 1;
  shared.parameters.kv_heads.resize(1);
  EXPECT_EQ(complaint(shared, [](Problem& p) { p.parameters.kv_heads[0].W_V = {}; }),
            "W_V of key and value head_1 is 0 × 0, it must be 6 × 3 (d_model × d_v)");
  EXPECT_EQ(kv_head_of(shared.config, 2), 0);
  EXPECT_EQ(&shared.kv_parameters(2), &shared.parameters.kv_heads[0]);
}

TEST(KeyValueHeads, ServeConsecutiveHeads) {
  Config config;
  config.n_heads = 6;
  EXPECT_EQ(kv_head_count(config), 6);
  EXPECT_EQ(kv_head_of(config, 4), 4);
  config.n_kv_heads = 2;
  EXPECT_EQ(kv_head_count(config), 2);
  EXPECT_EQ(kv_head_of(config, 2), 0);
  EXPECT_EQ(kv_head_of(config, 3), 1);
}

TEST(KeyValueHeads, ThrowForAHeadThatDoesNotExist) {
  Config config;
  config.n_heads = 2;
  for (const int head : {-1, 2}) EXPECT_THROW(kv_head_of(config, head), std::out_of_range) << head;
  config.n_kv_heads = 4;
  EXPECT_NO_THROW(kv_head_of(config, 1));
  config.n_heads = 0;
  EXPECT_THROW(kv_head_of(config, 0), std::out_of_range);
}

TEST(Overrides, NameACellOfAComputedStage) {
  EXPECT_EQ(override_complaint(plain(), {Stage::kScores, 2, 4, 4, 1.0f}), "");
  EXPECT_EQ(override_complaint(plain(), {Stage::kScores, 0, 5, 0, 1.0f}),
            "there is no cell to override: scores of head_1 at (5, 0), the stage is 5 × 5");
  EXPECT_EQ(override_complaint(plain(), {Stage::kOutput, 0, 0, 5, 1.0f}),
            "there is no cell to override: output at (0, 5), the stage is 5 × 5");
  EXPECT_EQ(override_complaint(plain(), {Stage::kEmbedding, 0, 0, 0, 1.0f}),
            "embedding at (0, 0) is an input: it is edited, not overridden");
  EXPECT_THAT(override_complaint(cross(), {Stage::kEmbeddingKv, 0, 0, 0, 1.0f}),
              HasSubstr("is an input"));
  for (const Override& o : {Override{Stage::kQ, 0, -1, 0, 1.0f},
                            {Stage::kQ, 0, 0, -1, 1.0f},
                            {Stage::kV, 0, 0, 3, 1.0f}}) {
    EXPECT_THAT(override_complaint(plain(), o), HasSubstr("no cell")) << stage_name(o.stage);
  }
}

TEST(Overrides, NameAHeadThatHasTheStage) {
  EXPECT_EQ(override_complaint(plain(), {Stage::kQ, 3, 0, 0, 1.0f}),
            "there is no head_4 among 3: Q of head_4 at (0, 0) cannot be overridden there");
  EXPECT_EQ(override_complaint(plain(), {Stage::kQ, -1, 0, 0, 1.0f}),
            "there is no head_0 among 3: Q of head_0 at (0, 0) cannot be overridden there");
  EXPECT_EQ(override_complaint(plain(), {Stage::kConcat, 1, 0, 0, 1.0f}),
            "concat at (0, 0) is not of head_2 alone: it is overridden in head_1");
}

TEST(Overrides, NameAnExistingStage) {
  for (const int stage : {-1, 28, 99}) {
    EXPECT_EQ(override_complaint(plain(), {static_cast<Stage>(stage), 0, 0, 0, 1.0f}),
              "an override is of stage number " + std::to_string(stage) + ", it must be 0 … 27");
  }
}

TEST(Overrides, AreRefusedWhereTheStageIsAbsent) {
  EXPECT_THAT(override_complaint(plain(), {Stage::kPosition, 0, 0, 0, 1.0f}), HasSubstr("0 × 0"));
  EXPECT_THAT(override_complaint(plain(), {Stage::kXKv, 0, 0, 0, 1.0f}), HasSubstr("0 × 0"));
  EXPECT_EQ(override_complaint(cross(), {Stage::kXKv, 0, 6, 5, 1.0f}), "");
  EXPECT_THAT(override_complaint(cross(), {Stage::kPositionKv, 0, 0, 0, 1.0f}), HasSubstr("0 × 0"));
}

TEST(Overrides, OfSharedKeysNameTheFirstHeadOfTheGroup) {
  PortableRandom random(6);
  Config config = variant_config();
  config.n_heads = 4;
  config.n_kv_heads = 2;
  const Problem problem = random_problem(config, 5, 0, random);
  for (const Stage stage :
       {Stage::kK, Stage::kV, Stage::kNormedK, Stage::kNormedV, Stage::kRotatedK}) {
    EXPECT_EQ(override_complaint(problem, {stage, 2, 0, 0, 1.0f}), "") << stage_name(stage);
    EXPECT_EQ(override_complaint(problem, {stage, 3, 0, 0, 1.0f}),
              std::string(stage_name(stage)) +
                  " of head_4 at (0, 0) is not of head_4 alone: it is overridden in head_3");
  }
  EXPECT_EQ(override_complaint(problem, {Stage::kQ, 1, 0, 0, 1.0f}), "");
}

TEST(Overrides, ChangeACellOnce) {
  EXPECT_EQ(complaint(plain(),
                      [](Problem& p) {
                        p.overrides = {{Stage::kScores, 1, 2, 3, 1.0f},
                                       {Stage::kScores, 1, 3, 2, 1.0f},
                                       {Stage::kScores, 1, 2, 3, 2.0f}};
                      }),
            "scores of head_2 at (2, 3) is overridden twice");
  EXPECT_EQ(complaint(plain(),
                      [](Problem& p) {
                        p.overrides = {{Stage::kScores, 1, 2, 3, 1.0f},
                                       {Stage::kScores, 0, 2, 3, 1.0f},
                                       {Stage::kWeights, 1, 2, 3, 1.0f}};
                      }),
            "");
}

// The keys that each query may attend to, as ones and zeros.
Matrix allowed_cells(const Problem& problem) {
  return Matrix::NullaryExpr(problem.seq_len(), problem.kv_len(), [&](Index i, Index j) {
    return problem.may_attend(i, j) ? 1.0f : 0.0f;
  });
}

Matrix cells_under(const MaskRules& rules) {
  Problem problem;
  problem.embedding = SharedMatrix(Matrix::Zero(4, 8));
  problem.config.mask = rules;
  return allowed_cells(problem);
}

TEST(MayAttend, EachRuleForbidsItsOwnCells) {
  EXPECT_EQ(cells_under({}), Matrix::Ones(4, 4));
  EXPECT_EQ(cells_under({.causal = true}),
            (Matrix{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}}));
  EXPECT_EQ(cells_under({.key_count = 2}),
            (Matrix{{1, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}}));
  EXPECT_EQ(cells_under({.window = 2}),
            (Matrix{{1, 1, 0, 0}, {1, 1, 1, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}}));
  EXPECT_EQ(cells_under({.window = 1}), Matrix::Identity(4, 4));
}

TEST(MayAttend, AllRulesAndTheMaskApplyTogether) {
  EXPECT_EQ(cells_under({.causal = true, .key_count = 3, .window = 2}),
            (Matrix{{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 0}}));
  Problem problem;
  problem.embedding = SharedMatrix(Matrix::Zero(2, 8));
  problem.config.mask.causal = true;
  problem.allowed = SharedMatrix(Matrix{{1, 1}, {1, 0}});
  EXPECT_EQ(allowed_cells(problem), (Matrix{{1, 0}, {1, 0}}));
}

TEST(MaskRules, AnyIsTrueForEachOfThem) {
  EXPECT_FALSE(MaskRules{}.any());
  EXPECT_TRUE(MaskRules{.causal = true}.any());
  EXPECT_TRUE(MaskRules{.key_count = 1}.any());
  EXPECT_TRUE(MaskRules{.window = 1}.any());
}

std::vector<float> gains(std::vector<HeadMix> mixes) {
  Problem problem;
  problem.head_mix = std::move(mixes);
  std::vector<float> found;
  for (Index h = 0; h < 3; ++h) found.push_back(head_gain(problem, h));
  return found;
}

TEST(HeadGain, MutesSolosAndScales) {
  using Gains = std::vector<float>;
  EXPECT_EQ(gains({}), (Gains{1, 1, 1}));
  EXPECT_EQ(gains({{}, {.scale = -2.0f}, {.mute = true}}), (Gains{1, -2, 0}));
  EXPECT_EQ(gains({{.scale = 3.0f}, {.solo = true, .scale = 0.5f}, {}}), (Gains{0, 0.5f, 0}));
  EXPECT_EQ(gains({{.solo = true}, {.solo = true}, {}}), (Gains{1, 1, 0}));
  EXPECT_EQ(gains({{.mute = true, .solo = true}, {}, {}}), (Gains{0, 0, 0}));
}

std::vector<float> slopes(int n_heads) {
  std::vector<float> found;
  for (int h = 0; h < n_heads; ++h) found.push_back(alibi_slope(h, n_heads));
  return found;
}

TEST(AlibiSlope, HalvesFromHeadToHeadOfEight) {
  using testing::ElementsAre;
  EXPECT_THAT(slopes(8),
              ElementsAre(0x1p-1f, 0x1p-2f, 0x1p-3f, 0x1p-4f, 0x1p-5f, 0x1p-6f, 0x1p-7f, 0x1p-8f));
  EXPECT_THAT(slopes(1), ElementsAre(0x1p-8f));
  EXPECT_THAT(slopes(4), ElementsAre(0x1p-2f, 0x1p-4f, 0x1p-6f, 0x1p-8f));
  EXPECT_FLOAT_EQ(slopes(16)[0], std::sqrt(0.5f));
}

// The slopes of four heads, then every other one of eight.
TEST(AlibiSlope, FillsUpFromTheNextPowerOfTwo) {
  EXPECT_THAT(slopes(6),
              testing::ElementsAre(0x1p-2f, 0x1p-4f, 0x1p-6f, 0x1p-8f, 0x1p-1f, 0x1p-3f));
  EXPECT_THAT(slopes(3), testing::ElementsAre(0x1p-4f, 0x1p-8f, 0x1p-2f));
}

}  // namespace
}  // namespace attention::test
