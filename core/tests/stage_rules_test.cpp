// Which stages are active, and the shape of each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/reference.h"
#include "core/layer/evaluator.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The stages that are active in `problem` but not in plain self-attention.
std::vector<Stage> extra_stages(const Problem& problem) {
  const Problem plain = problem_variants()[0];
  std::vector<Stage> found;
  for (const Stage stage : kAllStages) {
    if (is_active(problem, stage) && !is_active(plain, stage)) found.push_back(stage);
  }
  return found;
}

std::vector<Stage> extra_stages(void (*change)(Config&), Index kv_len = 0) {
  PortableRandom random(1);
  Config config = variant_config();
  config.d_out = config.d_model;
  change(config);
  return extra_stages(random_problem(config, 5, kv_len, random));
}

TEST(IsActive, PlainSelfAttentionHasTheStagesOfThePaper) {
  const Problem plain = problem_variants()[0];
  std::vector<Stage> active;
  for (const Stage stage : kAllStages) {
    if (is_active(plain, stage)) active.push_back(stage);
  }
  EXPECT_THAT(active, ElementsAre(Stage::kEmbedding, Stage::kQ, Stage::kK, Stage::kV,
                                  Stage::kScores, Stage::kScaledScores, Stage::kWeights,
                                  Stage::kHeadOutput, Stage::kConcat, Stage::kOutput));
}

TEST(IsActive, PositionsAddTheirOwnStages) {
  EXPECT_THAT(extra_stages([](Config& c) { c.positions = Positions::kSinusoidal; }),
              ElementsAre(Stage::kPosition, Stage::kX));
  EXPECT_THAT(extra_stages([](Config& c) { c.positions = Positions::kLearned; }, 7),
              ElementsAre(Stage::kPosition, Stage::kX, Stage::kEmbeddingKv, Stage::kPositionKv,
                          Stage::kXKv));
  EXPECT_THAT(extra_stages([](Config& c) { c.positions = Positions::kRotary; }),
              ElementsAre(Stage::kRotatedQ, Stage::kRotatedK));
  EXPECT_THAT(extra_stages([](Config& c) { c.positions = Positions::kAlibi; }),
              ElementsAre(Stage::kMaskedScores));
  EXPECT_THAT(extra_stages([](Config&) {}, 7), ElementsAre(Stage::kEmbeddingKv));
}

TEST(IsActive, EverySwitchAddsItsStage) {
  const auto masked = ElementsAre(Stage::kMaskedScores);
  EXPECT_THAT(extra_stages([](Config& c) { c.mask.causal = true; }), masked);
  EXPECT_THAT(extra_stages([](Config& c) { c.mask.key_count = 4; }), masked);
  EXPECT_THAT(extra_stages([](Config& c) { c.mask.window = 2; }), masked);
  EXPECT_THAT(extra_stages([](Config& c) { c.head_norm = true; }),
              ElementsAre(Stage::kNormedQ, Stage::kNormedK));
  EXPECT_THAT(extra_stages([](Config& c) { c.score_cap = 50; }), ElementsAre(Stage::kCappedScores));
  EXPECT_THAT(extra_stages([](Config& c) { c.dropout_rate = 0.5f; }),
              ElementsAre(Stage::kDroppedWeights));
  EXPECT_THAT(extra_stages([](Config& c) { c.residual = true; }), ElementsAre(Stage::kResidual));
  EXPECT_THAT(extra_stages([](Config& c) { c.layer_norm = true; }), ElementsAre(Stage::kLayerNorm));
  EXPECT_THAT(extra_stages([](Config& c) { c.n_kv_heads = 1; }), IsEmpty());
}

TEST(IsActive, GivenMasksAndBiasesMaskTheScores) {
  Problem problem = problem_variants()[0];
  problem.allowed = SharedMatrix(Matrix::Ones(5, 5));
  EXPECT_TRUE(is_active(problem, Stage::kMaskedScores));
  problem.allowed = {};
  problem.bias = SharedMatrix(Matrix::Ones(5, 5));
  EXPECT_TRUE(is_active(problem, Stage::kMaskedScores));
}

TEST(IsActive, AFactorOfOneScalesNothing) {
  Problem problem = problem_variants()[0];
  problem.config.scale = false;
  EXPECT_FALSE(is_active(problem, Stage::kScaledScores));
  problem.config.temperature = 2.0f;
  EXPECT_TRUE(is_active(problem, Stage::kScaledScores));
  problem.config.scale = true;  // √d_k is 2
  problem.config.temperature = 0.5f;
  EXPECT_FALSE(is_active(problem, Stage::kScaledScores));
}

TEST(IsActive, AnOverrideMakesAStageActive) {
  for (const Stage stage :
       {Stage::kX, Stage::kNormedQ, Stage::kNormedK, Stage::kRotatedQ, Stage::kRotatedK,
        Stage::kSummedScores, Stage::kCappedScores, Stage::kMaskedScores, Stage::kDroppedWeights,
        Stage::kResidual, Stage::kLayerNorm}) {
    Problem problem = problem_variants()[0];
    problem.overrides = {{stage, 0, 0, 0, 1.0f}};
    EXPECT_THAT(extra_stages(problem), ElementsAre(stage)) << stage_name(stage);
  }
}

// Every matrix of every variant; the number of the variant is in the message.
template <typename Visit>
void for_each_matrix(Visit visit) {
  const std::vector<Problem> variants = problem_variants();
  for (size_t number = 0; number < variants.size(); ++number) {
    SCOPED_TRACE("variant " + std::to_string(number));
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(variants[number]);
    for (const Stage stage : kAllStages) {
      SCOPED_TRACE(stage_name(stage));
      for (Index h = 0; h < head_count(trace, stage); ++h) visit(variants[number], trace, stage, h);
    }
  }
}

TEST(StageShape, IsThatOfEveryMatrixOfEveryVariant) {
  for_each_matrix([](const Problem& problem, const Trace& trace, Stage stage, Index h) {
    EXPECT_EQ(stage_matrix(problem, trace, stage, h).shape(), stage_shape(problem, stage));
  });
}

TEST(StageShape, IsThatOfTheReference) {
  for (const Problem& problem : problem_variants()) {
    const ReferenceTrace trace = reference_trace(problem);
    for (const Stage stage : kAllStages) {
      if (stage == Stage::kEmbedding || stage == Stage::kEmbeddingKv) continue;
      const MatrixD& found = stage_matrix(trace, stage, 0);
      EXPECT_EQ((Shape{found.rows(), found.cols()}), stage_shape(problem, stage))
          << stage_name(stage);
    }
  }
}

TEST(StageShape, NamesEverySize) {
  PortableRandom random(3);
  Config config = variant_config();
  config.positions = Positions::kSinusoidal;
  const Problem problem = random_problem(config, 4, 7, random);
  EXPECT_EQ(stage_shape(problem, Stage::kPosition), (Shape{4, 6}));
  EXPECT_EQ(stage_shape(problem, Stage::kPositionKv), (Shape{7, 6}));
  EXPECT_EQ(stage_shape(problem, Stage::kRotatedQ), (Shape{4, 4}));
  EXPECT_EQ(stage_shape(problem, Stage::kRotatedK), (Shape{7, 4}));
  EXPECT_EQ(stage_shape(problem, Stage::kV), (Shape{7, 3}));
  EXPECT_EQ(stage_shape(problem, Stage::kDroppedWeights), (Shape{4, 7}));
  EXPECT_EQ(stage_shape(problem, Stage::kHeadOutput), (Shape{4, 3}));
  EXPECT_EQ(stage_shape(problem, Stage::kConcat), (Shape{4, 9}));
  EXPECT_EQ(stage_shape(problem, Stage::kLayerNorm), (Shape{4, 5}));
}

// The stage whose matrix an inactive one shares.
Stage requested_before(const Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kX:
      return Stage::kEmbedding;
    case Stage::kXKv:
      return problem.cross() ? Stage::kEmbeddingKv : Stage::kX;
    case Stage::kNormedQ:
      return Stage::kQ;
    case Stage::kNormedK:
      return Stage::kK;
    case Stage::kNormedV:
      return Stage::kV;
    case Stage::kSummedScores:
      return Stage::kScores;
    case Stage::kRotatedQ:
      return Stage::kNormedQ;
    case Stage::kRotatedK:
      return Stage::kNormedK;
    default:
      return static_cast<Stage>(static_cast<int>(stage) - 1);
  }
}

TEST(SkippedStages, AreTheStageBeforeOrAbsent) {
  for_each_matrix([](const Problem& problem, const Trace& trace, Stage stage, Index h) {
    if (is_active(problem, stage)) return;
    const SharedMatrix& matrix = stage_matrix(problem, trace, stage, h);
    if (stage_shape(problem, stage) == Shape{}) {
      EXPECT_TRUE(matrix.empty());
    } else {
      const Stage before = requested_before(problem, stage);
      EXPECT_TRUE(matrix.same_as(stage_matrix(problem, trace, before, h)));
    }
  });
}

TEST(SharedHeads, ShareTheHandlesOfTheirKeysAndValues) {
  for_each_matrix([](const Problem& problem, const Trace& trace, Stage stage, Index h) {
    const int sharing = problem.config.n_heads / kv_head_count(problem.config);
    if (!is_per_kv_head(stage) || sharing == 1) return;
    EXPECT_TRUE(stage_matrix(problem, trace, stage, h)
                    .same_as(stage_matrix(problem, trace, stage, h - h % sharing)));
  });
}

TEST(Overrides, AppearInTheirStage) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    for (const Override& o : problem.overrides) {
      EXPECT_EQ((*stage_matrix(problem, trace, o.stage, o.head))(o.row, o.col), o.value)
          << stage_name(o.stage);
    }
  }
}

}  // namespace
}  // namespace attention::test
