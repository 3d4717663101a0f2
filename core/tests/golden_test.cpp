// Problems and answers that PyTorch computed in double precision from the definition, and where
// torch.nn.MultiheadAttention can do the case, checked against it.

#include <gtest/gtest.h>

#include "core/evaluator.h"
#include "core/invariants.h"
#include "core/reference.h"
#include "core/tests/golden_file.h"
#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

// The tensor's largest magnitude over all heads decides, so all heads are compared as one matrix.
Matrix stacked(const std::vector<Matrix>& parts) {
  Matrix all(std::ssize(parts) * parts[0].rows(), parts[0].cols());
  for (size_t i = 0; i < parts.size(); ++i) {
    all.middleRows(static_cast<Index>(i) * parts[0].rows(), parts[0].rows()) = parts[i];
  }
  return all;
}

Matrix answer_of(const Tensor& tensor) {
  std::vector<Matrix> parts;
  for (Index h = 0; h < tensor.count(); ++h) parts.push_back(tensor.matrix(h));
  return stacked(parts);
}

class Golden : public testing::TestWithParam<const char*> {
 protected:
  Golden()
      : problem_(problem_of(read_golden(GetParam() + std::string(".problem")))),
        answer_(read_golden(GetParam() + std::string(".answer"))) {}

  // Calls matrix_of(stage, head) for every head of every stage and compares with the file.
  template <typename MatrixOf>
  void expect_answer(double share, MatrixOf matrix_of) const {
    for (const Stage stage : kAllStages) {
      if (stage == Stage::kX) continue;
      const Tensor& wanted = answer_.tensors.at(std::string(stage_name(stage)));
      std::vector<Matrix> found;
      for (Index h = 0; h < wanted.count(); ++h) found.push_back(matrix_of(stage, h));
      EXPECT_TRUE(all_near_relative(stacked(found), answer_of(wanted), share)) << stage_name(stage);
    }
  }

  Problem problem_;
  GoldenFile answer_;
};

TEST_P(Golden, Float32AgreesOnEveryStage) {
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem_);
  expect_answer(1e-5,
                [&](Stage stage, Index h) { return *stage_matrix(problem_, trace, stage, h); });
}

TEST_P(Golden, DoublePrecisionReferenceAgreesOnEveryStage) {
  const ReferenceTrace trace = reference_trace(problem_);
  expect_answer(1e-6,
                [&](Stage stage, Index h) { return stage_matrix(trace, stage, h).cast<float>(); });
}

TEST_P(Golden, InvariantsHold) {
  Evaluator evaluator;
  for (const Invariant& invariant : check_invariants(problem_, evaluator.evaluate(problem_))) {
    EXPECT_TRUE(invariant.holds()) << invariant.name << ": " << invariant.error;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Golden,
                         testing::Values("self_small", "self_bias", "causal", "padding", "cross",
                                         "random_mask", "dead_row", "separate_heads", "dv_not_dk",
                                         "unscaled", "temperature", "additive_bias", "saturated",
                                         "one_token"),
                         [](const auto& instance) { return std::string(instance.param); });

// The causal case gives its mask cell by cell; the rule must mean the same.
TEST(GoldenCausal, TheRuleEqualsTheMaskGivenCellByCell) {
  Problem given = problem_of(read_golden("causal.problem"));
  Problem rule = given;
  rule.allowed = {};
  rule.config.mask = MaskKind::kCausal;
  Evaluator a, b;
  EXPECT_TRUE(all_identical(*a.evaluate(given).output, *b.evaluate(rule).output));
  EXPECT_TRUE(all_identical(*a.trace().heads[3].masked_scores, *b.trace().heads[3].masked_scores));
}

}  // namespace
}  // namespace attention::test
