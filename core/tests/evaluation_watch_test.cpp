#include "core/evaluation_watch.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/evaluator.h"
#include "core/tests/full_computation.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

TEST(EvaluationWatch, CountsToTheWholeOfAFullComputation) {
  for (const Problem& problem : problem_variants()) {
    EvaluationWatch watch;
    EXPECT_EQ(watch.progress(), 0.0);
    Evaluator(2).evaluate(problem, &watch);
    EXPECT_NEAR(watch.progress(), 1.0, 0.25);  // a head that shares keys projects none of its own
  }
}

TEST(EvaluationWatch, StopsAnEvaluationAndLeavesNoTrace) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator(2);
    EvaluationWatch watch;
    evaluator.evaluate(problem);
    Problem edited = problem;
    edited.embedding.edit([](Matrix& values) { values(0, 0) += 1; });
    watch.stop();
    EXPECT_THROW(evaluator.evaluate(edited, &watch), EvaluationStopped);
    EXPECT_TRUE(evaluator.trace().heads.empty());
    watch.reset();
    expect_equals_full_computation(edited, evaluator.evaluate(edited, &watch), true);
  }
}

TEST(EvaluationWatch, WithoutAStopChangesNoBit) {
  const Problem problem = problem_variants().back();
  EvaluationWatch watch;
  Evaluator watched, alone;
  const Matrix with = *watched.evaluate(problem, &watch).layer_norm;
  const Matrix without = *alone.evaluate(problem).layer_norm;
  EXPECT_TRUE((with.array() == without.array()).all());
}

}  // namespace
}  // namespace attention::test
