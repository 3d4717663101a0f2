#include "core/layer/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

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

// The stages of one head whose version changed, in the order of the formula.
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
  EXPECT_EQ(evaluator_.report().stages, 3 * 7 + 2);
  EXPECT_THAT(evaluator_.report().heads, ElementsAre(0, 1, 2));
  EXPECT_TRUE(evaluator_.report().output);
}

TEST_F(EvaluatorTest, ComputesNothingWithoutAnEdit) {
  edit([](Problem&) {});
  EXPECT_EQ(evaluator_.report().stages, 0);
  EXPECT_THAT(evaluator_.report().heads, IsEmpty());
  EXPECT_FALSE(evaluator_.report().output);
  EXPECT_TRUE(evaluator_.trace().output.same_as(before_.output));
}

TEST_F(EvaluatorTest, W_QChangesItsOwnHeadFromTheQueriesOn) {
  edit([](Problem& problem) { nudge(problem.parameters.heads[1].W_Q); });
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(changed(1), ElementsAre(Stage::kQ, Stage::kNormedQ, Stage::kRotatedQ, Stage::kScores,
                                      Stage::kSummedScores, Stage::kScaledScores,
                                      Stage::kCappedScores, Stage::kMaskedScores, Stage::kWeights,
                                      Stage::kDroppedWeights, Stage::kHeadOutput));
  EXPECT_THAT(changed(2), IsEmpty());
  EXPECT_THAT(evaluator_.report().heads, ElementsAre(1));
  EXPECT_EQ(evaluator_.report().stages, 5 + 2);
  EXPECT_EQ(evaluator_.report().parts[0].part, Change::columns(0, 1));
  EXPECT_TRUE(evaluator_.report().output);
}

TEST_F(EvaluatorTest, W_VChangesValuesAndWhatIsComputedFromThem) {
  edit([](Problem& problem) { nudge(problem.parameters.kv_heads[2].W_V); });
  EXPECT_THAT(changed(2), ElementsAre(Stage::kV, Stage::kNormedV, Stage::kHeadOutput));
  EXPECT_THAT(evaluator_.report().heads, ElementsAre(2));
  EXPECT_EQ(evaluator_.report().stages, 2 + 2);
}

TEST_F(EvaluatorTest, W_OChangesOnlyTheOutput) {
  edit([](Problem& problem) { nudge(problem.parameters.W_O); });
  EXPECT_THAT(evaluator_.report().heads, IsEmpty());
  EXPECT_EQ(evaluator_.report().stages, 1);
  EXPECT_TRUE(evaluator_.trace().concat.same_as(before_.concat));
  EXPECT_FALSE(evaluator_.trace().output.same_as(before_.output));
}

TEST_F(EvaluatorTest, X_kvLeavesTheQueries) {
  problem_.embedding_kv = problem_.embedding;
  edit([](Problem& problem) { nudge(problem.embedding_kv); });
  for (Index h = 0; h < 3; ++h) {
    EXPECT_THAT(changed(h), testing::Not(testing::Contains(Stage::kQ)));
    EXPECT_THAT(changed(h), testing::IsSupersetOf({Stage::kK, Stage::kV, Stage::kHeadOutput}));
  }
}

TEST_F(EvaluatorTest, TheMaskLeavesTheScaledScores) {
  edit([](Problem& problem) { problem.config.mask.causal = true; });
  for (Index h = 0; h < 3; ++h) {
    EXPECT_THAT(changed(h), ElementsAre(Stage::kMaskedScores, Stage::kWeights,
                                        Stage::kDroppedWeights, Stage::kHeadOutput));
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

TEST_F(EvaluatorTest, ChangingOnlyASizeOfTheConfigIsRefused) {
  evaluator_.evaluate(problem_);
  problem_.config.d_k = 5;
  EXPECT_THROW(evaluator_.evaluate(problem_), std::invalid_argument);
}

TEST_F(EvaluatorTest, RemovedHeadsGoAndTheOthersStay) {
  edit([](Problem& problem) {
    problem.config.n_heads = 2;
    problem.parameters.heads.pop_back();
    problem.parameters.kv_heads.pop_back();
    problem.parameters.W_O = SharedMatrix(problem.parameters.W_O->topRows(4));
  });
  EXPECT_EQ(evaluator_.trace().heads.size(), 2u);
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(changed(1), IsEmpty());
  EXPECT_THAT(evaluator_.report().heads, IsEmpty());
  EXPECT_EQ(evaluator_.trace().concat->cols(), 4);
  EXPECT_TRUE(evaluator_.report().output);
}

TEST_F(EvaluatorTest, AnAddedHeadLeavesTheOthers) {
  edit([](Problem& problem) {
    problem.config.n_heads = 4;
    problem.parameters.heads.push_back(problem.parameters.heads[0]);
    problem.parameters.kv_heads.push_back(problem.parameters.kv_heads[0]);
    problem.parameters.W_O = SharedMatrix(Matrix::Ones(8, 6));
  });
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(evaluator_.report().heads, ElementsAre(3));
  EXPECT_TRUE(all_identical(*evaluator_.trace().heads[3].weights, *before_.heads[0].weights));
}

// After a refused problem the next good one is still compared with the last good one.
TEST_F(EvaluatorTest, ARefusedProblemChangesNothing) {
  edit([](Problem& problem) { nudge(problem.embedding); });
  const Trace before = evaluator_.trace();
  Problem bad = problem_;
  nudge(bad.parameters.heads[0].W_Q);
  bad.parameters.W_O = {};
  EXPECT_THROW(evaluator_.evaluate(bad), std::invalid_argument);
  EXPECT_TRUE(evaluator_.trace().output.same_as(before.output));
  EXPECT_TRUE(evaluator_.trace().heads[0].Q.same_as(before.heads[0].Q));
  EXPECT_EQ(evaluator_.report().stages, 3 * 7 + 2);
  evaluator_.evaluate(problem_);
  EXPECT_EQ(evaluator_.report().stages, 0);
}

// The first row of X is the first row of Q and of V, and of K, which is the first column of the
// scores: small ones are computed whole.
TEST_F(EvaluatorTest, ACellOfTheEmbeddingIsARowOfTheProjections) {
  edit([](Problem& problem) { nudge(problem.embedding); });
  for (const Recomputation& r : evaluator_.report().parts) {
    const bool projection = r.stage == Stage::kQ || r.stage == Stage::kK || r.stage == Stage::kV;
    EXPECT_EQ(r.part, projection ? Change::rows(0, 1) : Change::whole()) << stage_name(r.stage);
  }
}

TEST_F(EvaluatorTest, ACellOfW_OIsAColumnOfTheOutput) {
  edit([](Problem& problem) { nudge(problem.parameters.W_O); });
  ASSERT_EQ(evaluator_.report().parts.size(), 1u);
  EXPECT_EQ(evaluator_.report().parts[0].stage, Stage::kOutput);
  EXPECT_EQ(evaluator_.report().parts[0].part, Change::columns(0, 1));
}

TEST_F(EvaluatorTest, ARowOfTheMaskIsARowFromThereOn) {
  problem_.allowed = SharedMatrix(Matrix::Ones(5, 5));
  edit([](Problem& problem) { problem.allowed.edit([](Matrix& mask) { mask(2, 1) = 0; }); });
  for (const Recomputation& r : evaluator_.report().parts) {
    EXPECT_EQ(r.part, Change::rows(2, 1)) << stage_name(r.stage);
  }
  EXPECT_EQ(evaluator_.report().stages, 3 * 3 + 2);
}

TEST_F(EvaluatorTest, AnOverrideChangesWhatComesAfterAndNothingBefore) {
  edit([](Problem& problem) { problem.overrides = {{Stage::kScores, 1, 2, 3, 9.0f}}; });
  EXPECT_THAT(changed(0), IsEmpty());
  EXPECT_THAT(changed(1), testing::Not(testing::Contains(Stage::kQ)));
  EXPECT_EQ((*evaluator_.trace().heads[1].scores)(2, 3), 9.0f);
  edit([](Problem& problem) { problem.overrides.clear(); });
  Evaluator fresh;
  EXPECT_TRUE(all_identical(*evaluator_.trace().output, *fresh.evaluate(problem_).output));
}

TEST_F(EvaluatorTest, MutingAHeadLeavesTheHeads) {
  edit([](Problem& problem) { problem.head_mix = {{}, {true, false, 1.0f}, {}}; });
  EXPECT_THAT(evaluator_.report().heads, IsEmpty());
  EXPECT_TRUE(evaluator_.trace().concat->middleCols(2, 2).isZero(0));
  EXPECT_TRUE(evaluator_.report().output);
}

TEST_F(EvaluatorTest, HeadsThatShareKeysAndValuesHoldTheSameMatrix) {
  PortableRandom random(3);
  Config config = problem_.config;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  problem_ = random_problem(config, 5, 0, random);
  edit([](Problem& problem) { nudge(problem.parameters.kv_heads[1].W_K); });
  const auto& heads = evaluator_.trace().heads;
  EXPECT_TRUE(heads[0].K.same_as(heads[1].K));
  EXPECT_TRUE(heads[2].V.same_as(heads[3].V));
  EXPECT_FALSE(heads[1].K.same_as(heads[2].K));
  EXPECT_THAT(evaluator_.report().heads, ElementsAre(2, 3));
}

TEST_F(EvaluatorTest, MatricesHeldElsewhereAreNotOverwritten) {
  evaluator_.evaluate(problem_);
  const SharedMatrix held = evaluator_.trace().heads[0].weights;
  const Matrix numbers = *held;
  nudge(problem_.embedding);
  evaluator_.evaluate(problem_);
  EXPECT_TRUE(all_identical(*held, numbers));
  EXPECT_FALSE(held.same_as(evaluator_.trace().heads[0].weights));
}

TEST_F(EvaluatorTest, StorageHeldByNobodyElseIsReused) {
  evaluator_.evaluate(problem_);
  const float* const storage = evaluator_.trace().heads[0].weights->data();
  nudge(problem_.embedding);
  evaluator_.evaluate(problem_);
  EXPECT_EQ(evaluator_.trace().heads[0].weights->data(), storage);
}

TEST_F(EvaluatorTest, AnOverrideOfNaNIsNotAnEditTheNextTime) {
  problem_.overrides = {{Stage::kScores, 1, 2, 3, kNaN}};
  problem_.head_mix = {{}, {.scale = kNaN}, {}};
  edit([](Problem&) {});
  EXPECT_EQ(evaluator_.report().stages, 0);
}

// They are equal as numbers, but 1 / −0 is −∞.
TEST_F(EvaluatorTest, TheSignOfAnOverriddenZeroIsNoticed) {
  problem_.overrides = {{Stage::kOutput, 0, 2, 3, -0.0f}};
  edit([](Problem& problem) { problem.overrides[0].value = 0.0f; });
  EXPECT_TRUE(std::signbit((*before_.output)(2, 3)));
  EXPECT_FALSE(std::signbit((*evaluator_.trace().output)(2, 3)));
}

// Large enough to be computed by several threads.
Problem large_problem(std::uint64_t seed) {
  PortableRandom random(seed);
  Config config;
  config.d_model = config.d_out = 160;
  config.n_heads = 5;
  config.d_k = config.d_v = 32;
  config.residual = config.layer_norm = true;
  return random_problem(config, 40, 0, random);
}

void expect_same_numbers(const Problem& problem, const Trace& a, const Trace& b) {
  for (const Stage stage : kAllStages) {
    for (Index h = 0; h < head_count(a, stage); ++h) {
      EXPECT_TRUE(
          all_identical(*stage_matrix(problem, a, stage, h), *stage_matrix(problem, b, stage, h)))
          << stage_name(stage);
    }
  }
}

// Every optional matrix with its name.
using OptionalMatrix = std::pair<const char*, std::function<SharedMatrix&(Problem&)>>;

std::vector<OptionalMatrix> optional_matrices() {
  return {{"b_Q", [](Problem& p) -> SharedMatrix& { return p.parameters.heads[1].b_Q; }},
          {"sink", [](Problem& p) -> SharedMatrix& { return p.parameters.heads[1].sink; }},
          {"b_K", [](Problem& p) -> SharedMatrix& { return p.parameters.kv_heads[1].b_K; }},
          {"b_V", [](Problem& p) -> SharedMatrix& { return p.parameters.kv_heads[1].b_V; }},
          {"b_O", [](Problem& p) -> SharedMatrix& { return p.parameters.b_O; }},
          {"gamma", [](Problem& p) -> SharedMatrix& { return p.parameters.gamma; }},
          {"beta", [](Problem& p) -> SharedMatrix& { return p.parameters.beta; }},
          {"norm_Q", [](Problem& p) -> SharedMatrix& { return p.parameters.norm_Q; }},
          {"norm_K", [](Problem& p) -> SharedMatrix& { return p.parameters.norm_K; }},
          {"allowed", [](Problem& p) -> SharedMatrix& { return p.allowed; }},
          {"bias", [](Problem& p) -> SharedMatrix& { return p.bias; }},
          {"embedding_kv", [](Problem& p) -> SharedMatrix& { return p.embedding_kv; }},
          {"position_table_kv", [](Problem& p) -> SharedMatrix& { return p.position_table_kv; }}};
}

Problem with_every_optional_matrix() {
  PortableRandom random(23);
  Problem problem = three_heads();
  problem.config.positions = Positions::kLearned;
  problem.config.layer_norm = problem.config.head_norm = problem.config.sink = true;
  add_biases(problem, random);
  problem.embedding_kv = SharedMatrix(random_matrix(5, 6, random));
  problem.position_table = SharedMatrix(random_matrix(5, 6, random));
  problem.position_table_kv = SharedMatrix(random_matrix(5, 6, random));
  problem.allowed = SharedMatrix(random_mask(5, 5, 0.7, random));
  problem.bias = SharedMatrix(random_matrix(5, 5, random));
  return problem;
}

TEST(EvaluatorMoves, AMatrixThatWasMovedOutIsGone) {
  for (const auto& [name, matrix] : optional_matrices()) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, name);
    Problem problem = with_every_optional_matrix();
    Evaluator evaluator, fresh;
    evaluator.evaluate(problem);
    const SharedMatrix elsewhere = std::move(matrix(problem));
    expect_same_numbers(problem, evaluator.evaluate(problem), fresh.evaluate(problem));
  }
}

TEST(EvaluatorThreads, AnyNumberGivesTheSameNumbers) {
  for (const int threads : {2, 3, 8}) {
    Problem problem = large_problem(1);
    Evaluator alone, together(threads);
    expect_same_numbers(problem, alone.evaluate(problem), together.evaluate(problem));
    nudge(problem.parameters.heads[2].W_Q);
    expect_same_numbers(problem, alone.evaluate(problem), together.evaluate(problem));
    nudge(problem.parameters.W_O);
    nudge(problem.embedding);
    expect_same_numbers(problem, alone.evaluate(problem), together.evaluate(problem));
  }
}

// Queries change rows of the scores and keys columns of them: two parts of one stage.
TEST(EvaluatorReport, CountsAStageOfTwoPartsOnce) {
  Problem problem = large_problem(3);
  Evaluator evaluator;
  evaluator.evaluate(problem);
  const int all = evaluator.report().stages;
  nudge(problem.embedding);
  evaluator.evaluate(problem);
  const std::vector<Recomputation>& parts = evaluator.report().parts;
  const auto scores = std::ranges::find(parts, Stage::kScores, &Recomputation::stage);
  ASSERT_LT(scores + 1, parts.end());
  EXPECT_EQ(scores->part, Change::rows(0, 1));
  EXPECT_EQ((scores + 1)->stage, Stage::kScores);
  EXPECT_EQ((scores + 1)->part, Change::columns(0, 1));
  EXPECT_EQ(evaluator.report().stages, all);
}

// Partial updates do not add differences: going back gives the old numbers again.
TEST(EvaluatorAccuracy, AThousandDragsAndBackLeaveNoError) {
  Problem problem = large_problem(2);
  const Problem start = problem;
  Evaluator evaluator;
  evaluator.evaluate(problem);
  for (int step = 0; step < 1000; ++step) {
    problem.parameters.heads[1].W_Q.edit(
        [&](Matrix& W) { W(3, 4) = 0.01f * static_cast<float>(step); });
    evaluator.evaluate(problem);
  }
  Evaluator fresh;
  const Trace& expected = fresh.evaluate(start);
  const Trace& found = evaluator.evaluate(start);
  EXPECT_TRUE(all_near_relative(*found.heads[1].Q, *expected.heads[1].Q, 1e-6));
  EXPECT_TRUE(all_near_relative(*found.output, *expected.output, 1e-6));
}

// A drag writes the same cell over and over; each value must have its effect.
TEST_F(EvaluatorTest, FollowsOneCellThroughManyValues) {
  for (int step = 0; step < 50; ++step) {
    problem_.parameters.kv_heads[1].W_K.edit(
        [&](Matrix& W) { W(2, 3) = 0.01f * static_cast<float>(step); });
    Evaluator fresh;
    EXPECT_TRUE(all_near_relative(*evaluator_.evaluate(problem_).output,
                                  *fresh.evaluate(problem_).output, 1e-6));
  }
}

}  // namespace
}  // namespace attention::test
