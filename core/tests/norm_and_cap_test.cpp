// Norms of queries and keys and the cap of scores: what they mean, said in a second way, and what
// an edit makes stale.

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/layer/evaluator.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

constexpr double kNormedRelative = 1e-5;

// Six tokens and four heads, of which two share keys, with all biases and factors.
Problem normed_problem(std::uint64_t seed, bool head_norm = true) {
  PortableRandom random(seed);
  Config config;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.d_k = config.d_v = 4;
  config.head_norm = head_norm;
  Problem problem = random_problem(config, 6, 0, random);
  add_biases(problem, random);
  return problem;
}

Matrix output_of(const Problem& problem) { return *Evaluator().evaluate(problem).output; }

// Longer queries and keys are the same ones.
TEST(HeadNorm, ForgetsTheSizeOfProjections) {
  Problem given = normed_problem(30);
  given.config.head_norm_epsilon = 1e-20f;
  Problem larger = given;
  const auto grow = [](SharedMatrix& matrix) { matrix.edit([](Matrix& values) { values *= 64; }); };
  for (QueryParameters& head : larger.parameters.heads) grow(head.W_Q), grow(head.b_Q);
  for (KeyValueParameters& head : larger.parameters.kv_heads) grow(head.W_K), grow(head.b_K);
  EXPECT_TRUE(all_near_relative(output_of(larger), output_of(given), kNormedRelative));
  larger.config.head_norm = given.config.head_norm = false;
  EXPECT_FALSE(all_near_relative(output_of(larger), output_of(given), 0.01));
}

TEST(HeadNorm, MultipliesTheFactorsOfQueriesAndKeys) {
  const Problem given = normed_problem(31);
  Problem moved = given;
  const Matrix &norm_Q = *given.parameters.norm_Q, &norm_K = *given.parameters.norm_K;
  moved.parameters.norm_Q = {};
  moved.parameters.norm_K = SharedMatrix(Matrix(norm_Q.cwiseProduct(norm_K)));
  EXPECT_TRUE(all_near_relative(output_of(moved), output_of(given), kNormedRelative));
}

// The rows that are rotated have the length that the norm gives them.
TEST(HeadNorm, ComesBeforeTheRotation) {
  Problem problem = normed_problem(32);
  problem.config.positions = Positions::kRotary;
  Evaluator evaluator;
  const HeadTrace& head = evaluator.evaluate(problem).heads[3];
  const RowVector squares = head.normed_Q->cwiseQuotient(problem.parameters.norm_Q->replicate(6, 1))
                                .rowwise()
                                .squaredNorm()
                                .transpose();
  EXPECT_TRUE(all_near(Matrix(squares), Matrix(Matrix::Constant(1, 6, 4)), 1e-4));
  EXPECT_TRUE(all_near(Matrix(head.rotated_Q->row(0)), Matrix(head.normed_Q->row(0)), 0));
  EXPECT_FALSE(all_near(Matrix(head.rotated_Q->row(3)), Matrix(head.normed_Q->row(3)), 0.01));
}

TEST(ScoreCap, FarAboveTheScoresIsNone) {
  const Problem given = normed_problem(33, false);
  Problem capped = given;
  capped.config.score_cap = 1e5f;
  EXPECT_TRUE(all_near_relative(output_of(capped), output_of(given), kNormedRelative));
  capped.config.score_cap = 0.5f;
  EXPECT_FALSE(all_near_relative(output_of(capped), output_of(given), 0.01));
}

TEST(ScoreCap, ComesBeforeBiasAndMask) {
  Problem problem = normed_problem(34, false);
  problem.config.score_cap = 0.5f;
  problem.config.mask.causal = true;
  problem.bias = SharedMatrix(Matrix::Constant(6, 6, 10));
  Evaluator evaluator;
  const Matrix& masked = *evaluator.evaluate(problem).heads[0].masked_scores;
  EXPECT_LE((masked.col(0).array() - 10).abs().maxCoeff(), 0.5f);
  EXPECT_EQ(masked(0, 5), -std::numeric_limits<float>::infinity());
}

// The stages of head 2 that are computed again after an edit.
std::set<Stage> stages_after(const Problem& problem, void (*change)(Problem&)) {
  Evaluator evaluator;
  evaluator.evaluate(problem);
  Problem edited = problem;
  change(edited);
  evaluator.evaluate(edited);
  std::set<Stage> stages;
  for (const Recomputation& part : evaluator.report().parts)
    if (part.head == 2 && is_per_head(part.stage)) stages.insert(part.stage);
  return stages;
}

void nudge_first(SharedMatrix& matrix) {
  matrix.edit([](Matrix& values) { values(0, 0) += 0.5f; });
}

TEST(HeadNorm, OfQueriesIsStaleWithTheirFactors) {
  const auto stages =
      stages_after(normed_problem(35), [](Problem& p) { nudge_first(p.parameters.norm_Q); });
  EXPECT_EQ(stages, (std::set<Stage>{Stage::kNormedQ, Stage::kScores, Stage::kScaledScores,
                                     Stage::kWeights, Stage::kHeadOutput}));
}

TEST(HeadNorm, OfKeysIsStaleWithItsProjection) {
  const auto stages = stages_after(normed_problem(36),
                                   [](Problem& p) { nudge_first(p.parameters.kv_heads[1].W_K); });
  EXPECT_EQ(stages, (std::set<Stage>{Stage::kK, Stage::kNormedK, Stage::kScores,
                                     Stage::kScaledScores, Stage::kWeights, Stage::kHeadOutput}));
}

TEST(HeadNorm, IsComputedAgainOnlyInStaleRows) {
  Problem problem = normed_problem(37);
  Evaluator evaluator;
  evaluator.evaluate(problem);
  nudge_first(problem.embedding);
  evaluator.evaluate(problem);
  int normed = 0;
  for (const Recomputation& part : evaluator.report().parts) {
    if (part.stage != Stage::kNormedQ && part.stage != Stage::kNormedK) continue;
    EXPECT_EQ(part.part, Change::rows(0, 1)) << stage_name(part.stage);
    ++normed;
  }
  EXPECT_EQ(normed, 4 + 2) << "queries of four heads, keys of two";
}

// Queries of all heads share one mean square, so a number of one reaches the row of all.
TEST(JointHeadNorm, ReachesTheRowOfEveryHead) {
  Problem problem = normed_problem(39);
  problem.config.head_norm_joint = true;
  problem.parameters.norm_Q = problem.parameters.norm_K = {};
  Evaluator evaluator;
  const Trace before = evaluator.evaluate(problem);
  problem.overrides = {{Stage::kQ, 0, 2, 1, 9.0f}};
  const Trace& after = evaluator.evaluate(problem);
  for (std::size_t h = 0; h < 4; ++h) {
    const Matrix &was = *before.heads[h].normed_Q, &is = *after.heads[h].normed_Q;
    EXPECT_FALSE(all_near(is.row(2), was.row(2), 1e-3)) << h;
    EXPECT_TRUE(all_identical(is.topRows(2), was.topRows(2))) << h;
    EXPECT_TRUE(all_identical(*after.heads[h].normed_K, *before.heads[h].normed_K)) << h;
  }
}

// With one head there is nothing to share.
TEST(JointHeadNorm, OfOneHeadIsItsOwn) {
  Problem problem = normed_problem(40);
  problem.config.n_heads = problem.config.n_kv_heads = 1;
  problem.parameters.heads.resize(1);
  problem.parameters.kv_heads.resize(1);
  problem.parameters.W_O = SharedMatrix(Matrix(problem.parameters.W_O->topRows(4)));
  const Matrix alone = output_of(problem);
  problem.config.head_norm_joint = true;
  EXPECT_TRUE(all_near_relative(output_of(problem), alone, kNormedRelative));
}

TEST(ScoreCap, LeavesTheScaledScores) {
  const auto stages = stages_after(normed_problem(38), [](Problem& p) { p.config.score_cap = 2; });
  EXPECT_EQ(stages, (std::set<Stage>{Stage::kCappedScores, Stage::kWeights, Stage::kHeadOutput}));
}

TEST(ScoreCap, IsComputedAgainFromAnOverriddenScore) {
  Problem problem = normed_problem(39);
  problem.config.score_cap = 2;
  Evaluator evaluator;
  evaluator.evaluate(problem);
  problem.overrides = {{Stage::kScaledScores, 2, 1, 3, 100}};
  const HeadTrace& head = evaluator.evaluate(problem).heads[2];
  EXPECT_EQ((*head.scaled_scores)(1, 3), 100);
  EXPECT_FLOAT_EQ((*head.capped_scores)(1, 3), 2);
  problem.overrides = {{Stage::kCappedScores, 2, 1, 3, -7}};
  EXPECT_EQ((*evaluator.evaluate(problem).heads[2].capped_scores)(1, 3), -7);
}

}  // namespace
}  // namespace attention::test
