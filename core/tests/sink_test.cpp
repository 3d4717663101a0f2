// Attention sinks: what they mean, said in a second way, and what an edit of one makes stale.

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "core/analysis/invariants.h"
#include "core/explain/explain.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/evaluator.h"
#include "core/layer/stages.h"
#include "core/solve/solver.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

// Five tokens and three heads with a sink each.
Problem problem_with_sinks(std::uint64_t seed) {
  PortableRandom random(seed);
  Config config;
  config.n_heads = 3;
  config.d_k = config.d_v = 4;
  config.sink = true;
  Problem problem = random_problem(config, 5, 0, random);
  add_biases(problem, random);
  return problem;
}

void set_sink(Problem& problem, std::size_t head, float value) {
  problem.parameters.heads[head].sink = SharedMatrix(Matrix{{value}});
}

// The definition: one more key, whose score is the sink and whose value is nothing.
TEST(Sink, IsAKeyWithoutAValue) {
  const Problem problem = problem_with_sinks(50);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  for (std::size_t head = 0; head < 3; ++head) {
    const Matrix& scores = *trace.heads[head].masked_scores;
    Matrix with_key(scores.rows(), scores.cols() + 1), weights = with_key;
    with_key << scores,
        Matrix::Constant(scores.rows(), 1, (*problem.parameters.heads[head].sink)(0, 0));
    softmax_rows(with_key, weights);
    EXPECT_TRUE(
        all_near(*trace.heads[head].weights, Matrix(weights.leftCols(scores.cols())), 1e-6));
    EXPECT_TRUE(all_near(sink_shares(scores, sink_of(problem, static_cast<Index>(head))),
                         weights.rightCols(1), 1e-6));
  }
}

TEST(Sink, FarBelowTheScoresIsNone) {
  Problem problem = problem_with_sinks(51), none = problem;
  none.config.sink = false;
  for (std::size_t head = 0; head < 3; ++head) set_sink(problem, head, -1e6f);
  Evaluator one, other;
  const Matrix output = *one.evaluate(problem).output;
  EXPECT_TRUE(all_identical(output, *other.evaluate(none).output));
}

TEST(Sink, FarAboveTheScoresTakesEverything) {
  Problem problem = problem_with_sinks(52);
  set_sink(problem, 1, 1e6f);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_TRUE(trace.heads[1].head_output->isZero(0));
  EXPECT_FALSE(trace.heads[0].head_output->isZero(0));
}

TEST(Sink, ThatIsNotANumberIsSeen) {
  Problem problem = problem_with_sinks(53);
  set_sink(problem, 0, std::numeric_limits<float>::quiet_NaN());
  Evaluator evaluator;
  EXPECT_TRUE(evaluator.evaluate(problem).heads[0].weights->array().isNaN().all());
}

TEST(Sink, OfOneHeadMakesItsWeightsStaleAndNoScores) {
  Problem problem = problem_with_sinks(54);
  Evaluator evaluator, fresh;
  evaluator.evaluate(problem);
  set_sink(problem, 2, 0.5f);
  const Trace& trace = evaluator.evaluate(problem);
  std::set<std::pair<Stage, Index>> parts;
  for (const Recomputation& part : evaluator.report().parts) parts.emplace(part.stage, part.head);
  EXPECT_EQ(parts, (std::set<std::pair<Stage, Index>>{{Stage::kWeights, 2},
                                                      {Stage::kHeadOutput, 2},
                                                      {Stage::kConcat, 0},
                                                      {Stage::kOutput, 0}}));
  EXPECT_TRUE(all_identical(*trace.heads[2].weights, *fresh.evaluate(problem).heads[2].weights));
}

TEST(Sink, ThatIsOffMakesNothingStale) {
  Problem problem = problem_with_sinks(55);
  problem.config.sink = false;
  Evaluator evaluator;
  evaluator.evaluate(problem);
  set_sink(problem, 2, 0.5f);
  evaluator.evaluate(problem);
  EXPECT_EQ(evaluator.report().parts.size(), 0U);
}

// A row with nothing but the sink to attend to has weights 0, and moves nothing.
TEST(Sink, AloneTakesTheWholeRow) {
  Problem problem = problem_with_sinks(56);
  problem.allowed = SharedMatrix(Matrix::Ones(5, 5));
  problem.allowed.edit([](Matrix& values) { values.row(3).setZero(); });
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_TRUE(trace.heads[0].weights->row(3).isZero(0));
  Seed seed{Stage::kHeadOutput, 0, Matrix::Zero(5, 4)};
  seed.weights.row(3).setOnes();
  const LayerGradient gradient = gradient_of(problem, trace, seed);
  EXPECT_EQ(gradient.parameters.heads[0].sink(0, 0), 0);
  for (const Invariant& invariant : check_invariants(problem, trace))
    EXPECT_TRUE(invariant.holds()) << invariant.name << ": " << invariant.error;
}

TEST(Sink, IsNamedWhereAWeightIsExplained) {
  const Problem problem = problem_with_sinks(57);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const Explanation e = explain(problem, trace, Stage::kWeights, 1, 2, 3);
  ASSERT_TRUE(e.softmax && e.softmax->sink);
  EXPECT_EQ(e.softmax->sink->cell, (CellRef{"sink", 1, 0, 0}));
  EXPECT_EQ(e.softmax->sink->value, (*problem.parameters.heads[1].sink)(0, 0));
  const double share = e.softmax->of_sink / e.softmax->denominator;
  EXPECT_NEAR(share, 1 - trace.heads[1].weights->row(2).cast<double>().sum(), 1e-6);
  EXPECT_NEAR(e.recomputed, e.value, 1e-6);
}

// With a sink the weight of the only key is no longer always 1.
TEST(Sink, LetsTheOnlyKeyHaveAnyWeight) {
  Problem problem = problem_with_sinks(58);
  problem.config.mask.causal = true;
  const TargetCell cell{Stage::kWeights, 0, 0, 0, 0.25f};
  problem.config.sink = false;
  EXPECT_EQ(Solver(problem, {{cell}, free_rows(problem, MatrixId::kSink, 0)}).fault()->type,
            SolveFaultType::kOnlyKey);
  problem.config.sink = true;
  const Solution found = solve(problem, {{cell}, free_rows(problem, MatrixId::kSink, 0)});
  EXPECT_TRUE(found.reached);
  Evaluator evaluator;
  EXPECT_NEAR((*evaluator.evaluate(found.problem).heads[0].weights)(0, 0), 0.25f, 1e-4);
}

// Of several keys too, when something else than the sink is free.
TEST(Sink, CountsAmongTheOthersWhereAWeightIsWanted) {
  const Problem problem = problem_with_sinks(59);
  const TargetCell cell{Stage::kWeights, 1, 3, 2, 0.5f};
  for (const MatrixId free : {MatrixId::kWQ, MatrixId::kSink}) {
    const float wanted = free == MatrixId::kSink ? 0.01f : 0.5f;
    TargetCell target = cell;
    target.value = wanted;
    const Solution found = solve(problem, {{target}, free_rows(problem, free, 1)});
    EXPECT_TRUE(found.reached) << matrix_name(free);
    EXPECT_NEAR(found.values.front(), wanted, 1e-4) << matrix_name(free);
  }
}

}  // namespace
}  // namespace attention::test
