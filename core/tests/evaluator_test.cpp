#include "core/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Problem three_heads() {
  PortableRandom random(21);
  Config config;
  config.d_model = config.d_out = 6;
  config.n_heads = 3;
  config.d_k = 4;
  config.d_v = 2;
  return random_problem(config, 5, 0, random);
}

void nudge(SharedMatrix& matrix) {
  matrix.edit([](Matrix& values) { values(0, 0) += 0.5f; });
}

// The stages of one head that changed their identity, in the order of the formula.
std::vector<Stage> changed_stages(const Problem& problem, const Trace& before, const Trace& after,
                                  Index head) {
  std::vector<Stage> changed;
  for (const Stage stage : kAllStages) {
    if (!is_per_head(stage)) continue;
    const SharedMatrix& was = stage_matrix(problem, before, stage, head);
    if (!was.same_as(stage_matrix(problem, after, stage, head))) changed.push_back(stage);
  }
  return changed;
}

class EvaluatorTest : public testing::Test {
 protected:
  // Evaluates, edits, evaluates again.
  void edit(const std::function<void(Problem&)>& change) {
    before_ = evaluator_.evaluate(problem_);
    change(problem_);
    evaluator_.evaluate(problem_);
  }

  std::vector<Stage> changed(Index head) const {
    return changed_stages(problem_, before_, evaluator_.trace(), head);
  }

  Problem problem_ = three_heads();
  Evaluator evaluator_;
  Trace before_;
};

TEST_F(EvaluatorTest, HasNoHeadsBeforeTheFirstEvaluation) {
  EXPECT_THAT(evaluator_.trace().heads, IsEmpty());
  EXPECT_TRUE(evaluator_.trace().output.empty());
}

// Without a mask every head has seven stages of its own, and concat and output come after.
TEST_F(EvaluatorTest, ComputesEverythingAtFirst) {
  evaluator_.evaluate(problem_);
  EXPECT_EQ(evaluator_.recomputed().stages, 3 * 7 + 2);
  EXPECT_THAT(evaluator_.recomputed().heads, ElementsAre(0, 1, 2));
  EXPECT_TRUE(evaluator_.recomputed().output);
}

TEST_F(EvaluatorTest, ComputesNothingWithoutAnEdit) {
  edit([](Problem&) {});
  EXPECT_EQ(evaluator_.recomputed().stages, 0);
  EXPECT_THAT(evaluator_.recomputed().heads, IsEmpty());
  EXPECT_FALSE(evaluator_.recomputed().output);
  EXPECT_TRUE(evaluator_.trace().output.same_as(before_.output));
}

TEST_F(EvaluatorTest, W_QChangesItsOwnHeadFromTheQueriesOn) {
  edit([](Problem& problem) { nudge(problem.parameters.heads[1].W_Q); });
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(changed(1), ElementsAre(Stage::kQ, Stage::kScores, Stage::kScaledScores,
                                      Stage::kMaskedScores, Stage::kWeights, Stage::kHeadOutput));
  EXPECT_THAT(changed(2), IsEmpty());
  EXPECT_THAT(evaluator_.recomputed().heads, ElementsAre(1));
  EXPECT_EQ(evaluator_.recomputed().stages, 5 + 2);
  EXPECT_TRUE(evaluator_.recomputed().output);
}

TEST_F(EvaluatorTest, W_VChangesValuesAndWhatIsMixedFromThem) {
  edit([](Problem& problem) { nudge(problem.parameters.heads[2].W_V); });
  EXPECT_THAT(changed(2), ElementsAre(Stage::kV, Stage::kHeadOutput));
  EXPECT_THAT(evaluator_.recomputed().heads, ElementsAre(2));
  EXPECT_EQ(evaluator_.recomputed().stages, 2 + 2);
}

TEST_F(EvaluatorTest, W_OChangesTheOutputAlone) {
  edit([](Problem& problem) { nudge(problem.parameters.W_O); });
  EXPECT_THAT(evaluator_.recomputed().heads, IsEmpty());
  EXPECT_EQ(evaluator_.recomputed().stages, 1);
  EXPECT_TRUE(evaluator_.trace().concat.same_as(before_.concat));
  EXPECT_FALSE(evaluator_.trace().output.same_as(before_.output));
}

TEST_F(EvaluatorTest, X_kvLeavesTheQueries) {
  problem_.X_kv = problem_.X;
  edit([](Problem& problem) { nudge(problem.X_kv); });
  for (Index h = 0; h < 3; ++h) {
    EXPECT_THAT(changed(h), testing::Not(testing::Contains(Stage::kQ)));
    EXPECT_THAT(changed(h), testing::IsSupersetOf({Stage::kK, Stage::kV, Stage::kHeadOutput}));
  }
}

TEST_F(EvaluatorTest, TheMaskLeavesTheScaledScores) {
  edit([](Problem& problem) { problem.config.mask = MaskKind::kCausal; });
  for (Index h = 0; h < 3; ++h) {
    EXPECT_THAT(changed(h), ElementsAre(Stage::kMaskedScores, Stage::kWeights, Stage::kHeadOutput));
  }
}

TEST_F(EvaluatorTest, WithoutMaskTheMaskedScoresAreTheScaledScores) {
  evaluator_.evaluate(problem_);
  const HeadTrace& head = evaluator_.trace().heads[0];
  EXPECT_TRUE(head.masked_scores.same_as(head.scaled_scores));
  EXPECT_FALSE(head.scaled_scores.same_as(head.scores));
}

TEST_F(EvaluatorTest, WithoutScaleAndTemperatureTheScaledScoresAreTheScores) {
  edit([](Problem& problem) { problem.config.scale = false; });
  const HeadTrace& head = evaluator_.trace().heads[0];
  EXPECT_TRUE(head.scaled_scores.same_as(head.scores));
  EXPECT_TRUE(head.scores.same_as(before_.heads[0].scores));
}

TEST_F(EvaluatorTest, ChangingASizeOfTheConfigAloneIsRefused) {
  evaluator_.evaluate(problem_);
  problem_.config.d_k = 5;
  EXPECT_THROW(evaluator_.evaluate(problem_), std::invalid_argument);
}

TEST_F(EvaluatorTest, RemovedHeadsGoAndTheOthersStay) {
  edit([](Problem& problem) {
    problem.config.n_heads = 2;
    problem.parameters.heads.pop_back();
    problem.parameters.W_O = SharedMatrix(problem.parameters.W_O->topRows(4));
  });
  EXPECT_EQ(evaluator_.trace().heads.size(), 2u);
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(changed(1), IsEmpty());
  EXPECT_THAT(evaluator_.recomputed().heads, IsEmpty());
  EXPECT_EQ(evaluator_.trace().concat->cols(), 4);
  EXPECT_TRUE(evaluator_.recomputed().output);
}

TEST_F(EvaluatorTest, AnAddedHeadLeavesTheOthers) {
  edit([](Problem& problem) {
    problem.config.n_heads = 4;
    problem.parameters.heads.push_back(problem.parameters.heads[0]);
    problem.parameters.W_O = SharedMatrix(Matrix::Ones(8, 6));
  });
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(evaluator_.recomputed().heads, ElementsAre(3));
  EXPECT_TRUE(all_identical(*evaluator_.trace().heads[3].weights, *before_.heads[0].weights));
}

// After a refused problem the next good one is still compared with the last good one.
TEST_F(EvaluatorTest, ARefusedProblemChangesNothing) {
  edit([](Problem& problem) { nudge(problem.X); });
  const Trace before = evaluator_.trace();
  Problem bad = problem_;
  nudge(bad.parameters.heads[0].W_Q);
  bad.parameters.W_O = {};
  EXPECT_THROW(evaluator_.evaluate(bad), std::invalid_argument);
  EXPECT_TRUE(evaluator_.trace().output.same_as(before.output));
  EXPECT_TRUE(evaluator_.trace().heads[0].Q.same_as(before.heads[0].Q));
  EXPECT_EQ(evaluator_.recomputed().stages, 3 * 7 + 2);
  evaluator_.evaluate(problem_);
  EXPECT_EQ(evaluator_.recomputed().stages, 0);
}

// A drag writes the same cell over and over; each value must show.
TEST_F(EvaluatorTest, FollowsOneCellThroughManyValues) {
  for (int step = 0; step < 50; ++step) {
    problem_.parameters.heads[1].W_K.edit(
        [&](Matrix& W) { W(2, 3) = 0.01f * static_cast<float>(step); });
    Evaluator fresh;
    EXPECT_TRUE(
        all_identical(*evaluator_.evaluate(problem_).output, *fresh.evaluate(problem_).output));
  }
}

}  // namespace
}  // namespace attention::test
