// Properties of the whole formula that hold for any numbers.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "core/analysis/invariants.h"
#include "core/layer/evaluator.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

constexpr double kRelative = 1e-5;

Eigen::PermutationMatrix<Eigen::Dynamic> random_order(Index count, PortableRandom& random) {
  Eigen::PermutationMatrix<Eigen::Dynamic> order(count);
  order.setIdentity();
  for (Index i = count - 1; i > 0; --i)
    order.applyTranspositionOnTheRight(i, random_below(i + 1, random));
  return order;
}

Config config_of_two_heads() {
  Config config;
  config.d_model = config.d_out = 10;
  config.n_heads = 2;
  config.d_k = 5;
  config.d_v = 4;
  return config;
}

TEST(Symmetry, ReorderingTheTokensReordersTheOutput) {
  PortableRandom random(1);
  for (int round = 0; round < 20; ++round) {
    const Problem problem = random_problem(config_of_two_heads(), 9, 0, random);
    const auto order = random_order(9, random);
    Problem reordered = problem;
    reordered.embedding = SharedMatrix(order * *problem.embedding);
    Evaluator a, b;
    const Trace &before = a.evaluate(problem), &after = b.evaluate(reordered);
    EXPECT_TRUE(all_near_relative(*after.output, Matrix(order * *before.output), kRelative));
    const Matrix weights = order * *before.heads[1].weights * order.transpose();
    EXPECT_TRUE(all_near_relative(*after.heads[1].weights, weights, kRelative));
  }
}

TEST(Symmetry, EveryKindOfPositionsTellsTheTokensApart) {
  PortableRandom random(12);
  for (const Positions positions :
       {Positions::kSinusoidal, Positions::kLearned, Positions::kRotary, Positions::kAlibi}) {
    Config config = config_of_two_heads();
    config.d_k = 4;
    config.positions = positions;
    const Problem problem = random_problem(config, 9, 0, random);
    const auto order = random_order(9, random);
    Problem reordered = problem;
    reordered.embedding = SharedMatrix(order * *problem.embedding);
    Evaluator a, b;
    const Matrix expected = order * *a.evaluate(problem).output;
    EXPECT_FALSE(all_near_relative(*b.evaluate(reordered).output, expected, 0.01))
        << static_cast<int>(positions);
  }
}

TEST(Symmetry, ReorderingTheKeysLeavesTheOutput) {
  PortableRandom random(2);
  const Problem problem = random_problem(config_of_two_heads(), 4, 9, random);
  Problem reordered = problem;
  reordered.embedding_kv = SharedMatrix(random_order(9, random) * *problem.embedding_kv);
  Evaluator a, b;
  EXPECT_TRUE(
      all_near_relative(*b.evaluate(reordered).output, *a.evaluate(problem).output, kRelative));
}

TEST(Symmetry, SwappingHeadsWithTheirRowsOfW_OLeavesTheOutput) {
  PortableRandom random(3);
  const Problem problem = random_problem(config_of_two_heads(), 6, 0, random);
  Problem swapped = problem;
  std::swap(swapped.parameters.heads[0], swapped.parameters.heads[1]);
  std::swap(swapped.parameters.kv_heads[0], swapped.parameters.kv_heads[1]);
  swapped.parameters.W_O.edit([](Matrix& W_O) {
    const Matrix top = W_O.topRows(4);
    W_O.topRows(4) = Matrix(W_O.bottomRows(4));
    W_O.bottomRows(4) = top;
  });
  Evaluator a, b;
  EXPECT_TRUE(
      all_near_relative(*b.evaluate(swapped).output, *a.evaluate(problem).output, kRelative));
}

TEST(Symmetry, CausalRowsDoNotDependOnLaterTokens) {
  PortableRandom random(4);
  Problem problem = random_problem(config_of_two_heads(), 7, 0, random);
  problem.config.mask.causal = true;
  Evaluator evaluator;
  const Matrix before = *evaluator.evaluate(problem).output;
  problem.embedding.edit([](Matrix& X) { X.bottomRows(3) *= -2.0f; });
  const Matrix after = *evaluator.evaluate(problem).output;
  EXPECT_TRUE(all_identical(after.topRows(4), before.topRows(4)));
  EXPECT_FALSE(all_near_relative(after.bottomRows(3), before.bottomRows(3), 0.01));
}

TEST(Symmetry, EqualTokensAttendEquallyToAll) {
  PortableRandom random(5);
  Problem problem = random_problem(config_of_two_heads(), 8, 0, random);
  problem.embedding = SharedMatrix(problem.embedding->row(0).replicate(8, 1));
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_TRUE(all_near(*trace.heads[0].weights, Matrix::Constant(8, 8, 0.125f), 1e-6));
  EXPECT_TRUE(all_near_relative(*trace.heads[0].head_output, *trace.heads[0].V, kRelative));
}

TEST(Symmetry, OneTokenAttendsToItself) {
  PortableRandom random(6);
  const Problem problem = random_problem(config_of_two_heads(), 1, 0, random);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_EQ(*trace.heads[0].weights, Matrix::Ones(1, 1));
  EXPECT_TRUE(all_identical(*trace.heads[0].head_output, *trace.heads[0].V));
}

TEST(Symmetry, ZeroQueriesGiveTheMeanOfTheValues) {
  PortableRandom random(7);
  Problem problem = random_problem(config_of_two_heads(), 4, 0, random);
  problem.parameters.heads[0].W_Q = SharedMatrix(Matrix::Zero(10, 5));
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const Matrix mean = trace.heads[0].V->colwise().mean().replicate(4, 1);
  EXPECT_TRUE(all_near_relative(*trace.heads[0].head_output, mean, kRelative));
}

TEST(Extremes, InputsOfAMillionGiveFiniteNumbersAndHoldEveryInvariant) {
  PortableRandom random(8);
  Problem problem = random_problem(config_of_two_heads(), 6, 0, random);
  problem.embedding = SharedMatrix(1e6f * *problem.embedding);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_TRUE(trace.output->allFinite());
  for (const Invariant& invariant : check_invariants(problem, trace)) {
    EXPECT_TRUE(invariant.holds()) << invariant.name << ": " << invariant.error;
  }
}

TEST(Extremes, ADeadRowGivesExactlyTheOutputBias) {
  PortableRandom random(9);
  Problem problem = random_problem(config_of_two_heads(), 5, 0, random);
  problem.parameters.b_O = SharedMatrix(random_matrix(1, 10, random));
  problem.allowed = SharedMatrix(Matrix::Ones(5, 5));
  problem.allowed.edit([](Matrix& allowed) { allowed.row(2).setZero(); });
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_EQ(trace.heads[1].weights->row(2), RowVector::Zero(5));
  EXPECT_EQ(trace.output->row(2), problem.parameters.b_O->row(0));
}

TEST(Extremes, NaNStaysInTheRowsThatSeeIt) {
  PortableRandom random(10);
  Problem problem = random_problem(config_of_two_heads(), 5, 0, random);
  problem.config.mask.causal = true;
  problem.embedding.edit([](Matrix& X) { X(4, 0) = std::nanf(""); });
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_TRUE(trace.heads[0].weights->topRows(4).allFinite());
  EXPECT_TRUE(trace.heads[0].weights->row(4).hasNaN());
}

TEST(Extremes, TheLargestFloatsDoNotCrash) {
  PortableRandom random(11);
  Problem problem = random_problem(config_of_two_heads(), 5, 0, random);
  problem.embedding = SharedMatrix(Matrix::Constant(5, 10, 3e38f));
  Evaluator evaluator;
  EXPECT_EQ(evaluator.evaluate(problem).output->rows(), 5);
}

}  // namespace
}  // namespace attention::test
