#include "core/tests/full_computation.h"

#include <gtest/gtest.h>

#include "core/analysis/invariant_sizes.h"
#include "core/layer/evaluator.h"
#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

// The largest difference from a full computation that row `row` of a stage may have: a millionth of
// the numbers that it is computed from.
double tolerance(const StageSizes& sizes, Stage stage, Index head, Index row) {
  constexpr double kShare = 1e-6;
  const double size = kShare * sizes.of_row(stage, head, row);
  return stage < Stage::kWeights ? size : size * sizes.attended();
}

void expect_near(const Matrix& found, const Matrix& full, const StageSizes& sizes, Stage stage,
                 Index head) {
  ASSERT_EQ(found.rows(), full.rows()) << stage_name(stage);
  for (Index i = 0; i < full.rows(); ++i) {
    EXPECT_TRUE(all_near(found.row(i), full.row(i), tolerance(sizes, stage, head, i)))
        << stage_name(stage) << ", row " << i;
  }
}

}  // namespace

void expect_equals_full_computation(const Problem& problem, const Trace& trace, bool exactly) {
  Evaluator fresh;
  const Trace& expected = fresh.evaluate(problem);
  const ReferenceTrace reference = reference_trace(problem);
  const StageSizes sizes(problem, reference);
  ASSERT_EQ(trace.heads.size(), expected.heads.size());
  for (const Stage stage : kAllStages) {
    for (Index h = 0; h < (is_per_head(stage) ? std::ssize(trace.heads) : 1); ++h) {
      const Matrix& found = *stage_matrix(problem, trace, stage, h);
      const Matrix& full = *stage_matrix(problem, expected, stage, h);
      if (exactly) {
        EXPECT_TRUE(all_identical(found, full)) << stage_name(stage) << " of head " << h;
      } else {
        expect_near(found, full, sizes, stage, h);
      }
    }
  }
}

}  // namespace attention::test
