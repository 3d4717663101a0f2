#include "core/numerics/work_watch.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/layer/evaluator.h"
#include "core/tests/full_computation.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

TEST(WorkWatch, CountsToTheWholeOfAFullComputation) {
  for (const Problem& problem : problem_variants()) {
    WorkWatch watch;
    EXPECT_EQ(watch.progress(), 0.0);
    Evaluator(2).evaluate(problem, &watch);
    EXPECT_NEAR(watch.progress(), 1.0, 0.25);  // a head that shares keys does not project its own
  }
}

TEST(WorkWatch, StopsAnEvaluationAndLeavesNoTrace) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator(2);
    WorkWatch watch;
    evaluator.evaluate(problem);
    Problem edited = problem;
    edited.embedding.edit([](Matrix& values) { values(0, 0) += 1; });
    watch.stop();
    EXPECT_THROW(evaluator.evaluate(edited, &watch), WorkStopped);
    EXPECT_TRUE(evaluator.trace().heads.empty());
    watch.reset();
    expect_equals_full_computation(edited, evaluator.evaluate(edited, &watch), true);
  }
}

TEST(WorkWatch, WithoutAStopChangesNoBit) {
  const Problem problem = problem_variants().back();
  WorkWatch watch;
  Evaluator watched, alone;
  const Matrix with = *watched.evaluate(problem, &watch).layer_norm;
  const Matrix without = *alone.evaluate(problem).layer_norm;
  EXPECT_TRUE((with.array() == without.array()).all());
}

}  // namespace
}  // namespace attention::test
