#include "core/layer/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/reference.h"
#include "core/layer/evaluator.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::ElementsAre;

TEST(StageNames, AreThoseOfFiles) {
  std::vector<std::string_view> names;
  for (const Stage stage : kAllStages) names.push_back(stage_name(stage));
  EXPECT_THAT(names, ElementsAre("embedding", "position", "X", "embedding_kv", "position_kv",
                                 "X_kv", "Q", "K", "V", "normed_Q", "normed_K", "normed_V",
                                 "rotated_Q", "rotated_K", "scores", "content_to_position",
                                 "position_to_content", "summed_scores", "scaled_scores",
                                 "capped_scores", "masked_scores", "weights", "dropped_weights",
                                 "head_output", "concat", "output", "residual", "layer_norm"));
}

TEST(StageNames, ReadBackAsTheirStage) {
  for (const Stage stage : kAllStages) EXPECT_EQ(stage_from_name(stage_name(stage)), stage);
  EXPECT_EQ(stage_from_name("Weights"), std::nullopt);
  EXPECT_EQ(stage_from_name(""), std::nullopt);
}

std::vector<Stage> stages_that(bool (*property)(Stage)) {
  std::vector<Stage> found;
  for (const Stage stage : kAllStages) {
    if (property(stage)) found.push_back(stage);
  }
  return found;
}

TEST(StageKinds, PerHeadAndByKey) {
  EXPECT_THAT(
      stages_that(is_per_head),
      ElementsAre(Stage::kQ, Stage::kK, Stage::kV, Stage::kNormedQ, Stage::kNormedK,
                  Stage::kNormedV, Stage::kRotatedQ, Stage::kRotatedK, Stage::kScores,
                  Stage::kContentToPosition, Stage::kPositionToContent, Stage::kSummedScores,
                  Stage::kScaledScores, Stage::kCappedScores, Stage::kMaskedScores, Stage::kWeights,
                  Stage::kDroppedWeights, Stage::kHeadOutput));
  EXPECT_THAT(stages_that(is_per_kv_head), ElementsAre(Stage::kK, Stage::kV, Stage::kNormedK,
                                                       Stage::kNormedV, Stage::kRotatedK));
  EXPECT_THAT(stages_that(has_key_columns),
              ElementsAre(Stage::kScores, Stage::kContentToPosition, Stage::kPositionToContent,
                          Stage::kSummedScores, Stage::kScaledScores, Stage::kCappedScores,
                          Stage::kMaskedScores, Stage::kWeights, Stage::kDroppedWeights));
  EXPECT_THAT(stages_that(has_key_rows),
              ElementsAre(Stage::kEmbeddingKv, Stage::kPositionKv, Stage::kXKv, Stage::kK,
                          Stage::kV, Stage::kNormedK, Stage::kNormedV, Stage::kRotatedK));
}

// A 1 × 1 matrix that is recognised by its version.
SharedMatrix marked() { return SharedMatrix(Matrix::Zero(1, 1)); }

TEST(StageMatrix, FindsEachHeadsMatrixByNameOfItsMember) {
  const Problem problem;
  Trace trace;
  trace.heads.resize(2);
  SharedMatrix HeadTrace::*const members[] = {&HeadTrace::Q,
                                              &HeadTrace::K,
                                              &HeadTrace::V,
                                              &HeadTrace::normed_Q,
                                              &HeadTrace::normed_K,
                                              &HeadTrace::normed_V,
                                              &HeadTrace::rotated_Q,
                                              &HeadTrace::rotated_K,
                                              &HeadTrace::scores,
                                              &HeadTrace::content_to_position,
                                              &HeadTrace::position_to_content,
                                              &HeadTrace::summed_scores,
                                              &HeadTrace::scaled_scores,
                                              &HeadTrace::capped_scores,
                                              &HeadTrace::masked_scores,
                                              &HeadTrace::weights,
                                              &HeadTrace::dropped_weights,
                                              &HeadTrace::head_output};
  const std::vector<Stage> stages = stages_that(is_per_head);
  ASSERT_EQ(stages.size(), std::size(members));
  for (size_t i = 0; i < stages.size(); ++i) {
    trace.heads[1].*members[i] = marked();
    EXPECT_TRUE(stage_matrix(problem, trace, stages[i], 1).same_as(trace.heads[1].*members[i]))
        << stage_name(stages[i]);
    EXPECT_TRUE(stage_matrix(problem, trace, stages[i], 0).empty());
  }
}

TEST(StageMatrix, FindsTheOthersByNameOfTheirMember) {
  Problem problem;
  problem.embedding = marked();
  problem.embedding_kv = marked();
  const std::pair<Stage, SharedMatrix Trace::*> members[] = {
      {Stage::kPosition, &Trace::position},      {Stage::kX, &Trace::X},
      {Stage::kPositionKv, &Trace::position_kv}, {Stage::kXKv, &Trace::X_kv},
      {Stage::kConcat, &Trace::concat},          {Stage::kOutput, &Trace::output},
      {Stage::kResidual, &Trace::residual},      {Stage::kLayerNorm, &Trace::layer_norm}};
  Trace trace;
  for (const auto& [stage, member] : members) {
    trace.*member = marked();
    EXPECT_TRUE(stage_matrix(problem, trace, stage, 0).same_as(trace.*member)) << stage_name(stage);
  }
  EXPECT_TRUE(stage_matrix(problem, trace, Stage::kEmbedding, 0).same_as(problem.embedding));
  EXPECT_TRUE(stage_matrix(problem, trace, Stage::kEmbeddingKv, 0).same_as(problem.embedding_kv));
}

TEST(StageMatrix, ThrowsForAHeadThatDoesNotExist) {
  const Problem problem = problem_variants()[0];
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_THROW(stage_matrix(problem, trace, Stage::kQ, 3), std::out_of_range);
  EXPECT_THROW(stage_matrix(problem, trace, Stage::kQ, -1), std::out_of_range);
  EXPECT_NO_THROW(stage_matrix(problem, trace, Stage::kOutput, 3));
}

TEST(StageMatrix, OfTheReferenceThrowsForInputsAndMissingHeads) {
  const ReferenceTrace reference = reference_trace(problem_variants()[0]);
  EXPECT_THROW(stage_matrix(reference, Stage::kQ, 3), std::out_of_range);
  EXPECT_THROW(stage_matrix(reference, Stage::kQ, -1), std::out_of_range);
  EXPECT_THROW(stage_matrix(reference, Stage::kEmbedding, 0), std::out_of_range);
  EXPECT_THROW(stage_matrix(reference, Stage::kEmbeddingKv, 0), std::out_of_range);
  EXPECT_NO_THROW(stage_matrix(reference, Stage::kX, 3));
}

}  // namespace
}  // namespace attention::test
