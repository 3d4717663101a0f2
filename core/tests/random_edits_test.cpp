// A hundred thousand random edits of every kind: after each the trace equals a full computation of
// the same problem, and nothing was recomputed without being reported.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/layer/evaluator.h"
#include "core/tests/full_computation.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_editor.h"

namespace attention::test {
namespace {

constexpr int kEdits = 5000;

template <typename Visit>
void for_each_computed_matrix(const Problem& problem, const Trace& trace, Visit visit) {
  for (const Stage stage : kAllStages) {
    for (Index h = 0; h < head_count(trace, stage); ++h) {
      visit(stage, h, stage_matrix(problem, trace, stage, h));
    }
  }
}

using Place = std::pair<Stage, Index>;

// The part of each matrix that the evaluator reports as recomputed.
std::map<Place, Change> reported(const EvaluationReport& report) {
  std::map<Place, Change> parts;
  for (const Recomputation& r : report.parts) {
    Change& part = parts[{r.stage, r.head}];
    part = either(part, r.part);
  }
  return parts;
}

bool all_whole(const EvaluationReport& report) {
  return std::ranges::all_of(report.parts, [](const auto& r) { return r.part.is_whole(); });
}

// Outside the recomputed part every number is unchanged, bit for bit.
void expect_kept_outside(const Matrix& before, const Matrix& now, const Change& part, Stage stage) {
  if (part.is_whole()) return;
  ASSERT_EQ(before.rows(), now.rows()) << stage_name(stage);
  Matrix expected = before;
  if (!part.is_none()) {
    const CellBlock box = cells_of(part, {now.rows(), now.cols()});
    expected.block(box.row, box.col, box.rows, box.cols) =
        now.block(box.row, box.col, box.rows, box.cols);
  }
  EXPECT_TRUE(all_identical(now, expected)) << stage_name(stage);
}

// Checks the active stages; of heads that share keys and values, the first.
void expect_reported(const Problem& problem, const Trace& before, const Evaluator& evaluator) {
  const std::map<Place, Change> parts = reported(evaluator.report());
  const Index sharing = problem.config.n_heads / kv_head_count(problem.config);
  for_each_computed_matrix(
      problem, evaluator.trace(), [&](Stage stage, Index h, const SharedMatrix& now) {
        const bool input = stage == Stage::kEmbedding || stage == Stage::kEmbeddingKv;
        if (input || !is_active(problem, stage) || now.empty()) return;
        if (stage == Stage::kXKv && !problem.cross()) return;
        if (is_per_kv_head(stage) && h % sharing != 0) return;
        const auto found = parts.find({stage, h});
        const Change part = found == parts.end() ? Change{} : found->second;
        if (part.is_whole() || stage == Stage::kScores) return;  // rows and columns of scores
        ASSERT_LT(h, head_count(before, stage)) << stage_name(stage);
        expect_kept_outside(*stage_matrix(problem, before, stage, h), *now, part, stage);
      });
}

class RandomEdits : public testing::TestWithParam<int> {};

// The error does not grow with the number of edits: the bound is the same throughout.
TEST_P(RandomEdits, EqualAFullComputation) {
  RandomEditor editor(static_cast<std::uint64_t>(GetParam()));
  Evaluator evaluator(GetParam() % 2 + 1);
  evaluator.evaluate(editor.problem());
  for (int step = 0; step < kEdits && !HasFailure(); ++step) {
    // Matrices that are also held elsewhere are copied, the others are overwritten in place.
    const bool held = step % 2 == 0;
    const Trace before = held ? evaluator.trace() : Trace();
    editor.edit();
    SCOPED_TRACE("step " + std::to_string(step) + ": " + editor.name());
    evaluator.evaluate(editor.problem());
    expect_equals_full_computation(editor.problem(), evaluator.trace(), false);
    if (held) expect_reported(editor.problem(), before, evaluator);
  }
}

// After an edit of a fresh trace, what is computed whole equals a full computation bit for bit.
TEST_P(RandomEdits, EqualAFullComputationBitForBitWhereAllIsComputedWhole) {
  RandomEditor editor(static_cast<std::uint64_t>(1000 + GetParam()));
  int exact = 0;
  for (int step = 0; step < kEdits && !HasFailure(); ++step) {
    Evaluator evaluator;
    evaluator.evaluate(editor.problem());
    editor.edit();
    SCOPED_TRACE("step " + std::to_string(step) + ": " + editor.name());
    evaluator.evaluate(editor.problem());
    const bool exactly = all_whole(evaluator.report());
    expect_equals_full_computation(editor.problem(), evaluator.trace(), exactly);
    exact += exactly ? 1 : 0;
  }
  EXPECT_GT(exact, kEdits / 3);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEdits, testing::Range(1, 21));

}  // namespace
}  // namespace attention::test
