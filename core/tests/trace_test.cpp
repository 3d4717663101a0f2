#include "core/trace.h"

#include <gtest/gtest.h>

#include "core/evaluator.h"
#include "core/reference.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

TEST(StageNames, ReadBackAsTheirStage) {
  for (const Stage stage : kAllStages) EXPECT_EQ(stage_from_name(stage_name(stage)), stage);
  EXPECT_EQ(stage_name(Stage::kMaskedScores), "masked_scores");
  EXPECT_EQ(stage_from_name("Weights"), std::nullopt);
}

TEST(StageKinds, PerHeadAndByKey) {
  for (const Stage stage : {Stage::kX, Stage::kConcat, Stage::kOutput}) {
    EXPECT_FALSE(is_per_head(stage)) << stage_name(stage);
  }
  EXPECT_TRUE(is_per_head(Stage::kQ));
  EXPECT_TRUE(is_per_head(Stage::kHeadOutput));
  EXPECT_TRUE(has_key_columns(Stage::kScores));
  EXPECT_TRUE(has_key_columns(Stage::kWeights));
  EXPECT_FALSE(has_key_columns(Stage::kV));
  EXPECT_FALSE(has_key_columns(Stage::kHeadOutput));
}

TEST(StageMatrix, FindsEachByNameOfItsMember) {
  const Problem problem = problem_variants()[1];
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const auto same = [&](Stage stage, const SharedMatrix& wanted) {
    return stage_matrix(problem, trace, stage, 1).same_as(wanted);
  };
  EXPECT_TRUE(same(Stage::kX, problem.X));
  EXPECT_TRUE(same(Stage::kQ, trace.heads[1].Q));
  EXPECT_TRUE(same(Stage::kK, trace.heads[1].K));
  EXPECT_TRUE(same(Stage::kV, trace.heads[1].V));
  EXPECT_TRUE(same(Stage::kScores, trace.heads[1].scores));
  EXPECT_TRUE(same(Stage::kScaledScores, trace.heads[1].scaled_scores));
  EXPECT_TRUE(same(Stage::kMaskedScores, trace.heads[1].masked_scores));
  EXPECT_TRUE(same(Stage::kWeights, trace.heads[1].weights));
  EXPECT_TRUE(same(Stage::kHeadOutput, trace.heads[1].head_output));
  EXPECT_TRUE(same(Stage::kConcat, trace.concat));
  EXPECT_TRUE(same(Stage::kOutput, trace.output));
}

TEST(StageMatrix, ThrowsForAHeadThatIsNotThere) {
  const Problem problem = problem_variants()[0];
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_THROW(stage_matrix(problem, trace, Stage::kQ, 3), std::out_of_range);
  EXPECT_THROW(stage_matrix(problem, trace, Stage::kQ, -1), std::out_of_range);
  EXPECT_NO_THROW(stage_matrix(problem, trace, Stage::kOutput, 3));
  const ReferenceTrace reference = reference_trace(problem);
  EXPECT_THROW(stage_matrix(reference, Stage::kQ, 3), std::out_of_range);
  EXPECT_THROW(stage_matrix(reference, Stage::kX, 0), std::out_of_range);
}

}  // namespace
}  // namespace attention::test
