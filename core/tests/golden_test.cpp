// Problems and answers that were computed by another program in double precision from the
// definition, and checked against PyTorch where it supports the case or a part of it.

#include <gtest/gtest.h>

#include "core/analysis/invariants.h"
#include "core/analysis/reference.h"
#include "core/layer/evaluator.h"
#include "core/tests/golden_file.h"
#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

// The tolerance depends on the largest magnitude over all heads, so all heads are compared as one
// matrix.
Matrix stacked(const std::vector<Matrix>& parts) {
  Matrix all(std::ssize(parts) * parts[0].rows(), parts[0].cols());
  for (size_t i = 0; i < parts.size(); ++i) {
    all.middleRows(static_cast<Index>(i) * parts[0].rows(), parts[0].rows()) = parts[i];
  }
  return all;
}

class Golden : public testing::TestWithParam<const char*> {
 protected:
  Golden()
      : problem_(problem_of(read_golden(GetParam() + std::string(".problem")))),
        answer_(read_golden(GetParam() + std::string(".answer"))) {}

  // The file's matrix for query head `h`: where heads share keys and values, so does the file.
  Matrix expected(const Tensor& tensor, Stage stage, Index h) const {
    const int head = static_cast<int>(h);
    return tensor.matrix(is_per_kv_head(stage) ? kv_head_of(problem_.config, head) : h);
  }

  // Calls matrix_of(stage, head) for every head of every stage and compares with the file, which
  // holds every active stage.
  template <typename MatrixOf>
  void expect_answer(double share, MatrixOf matrix_of) const {
    for (const Stage stage : kAllStages) {
      if (stage == Stage::kEmbedding || stage == Stage::kEmbeddingKv) continue;
      const auto answer = answer_.tensors.find(std::string(stage_name(stage)));
      if (answer == answer_.tensors.end()) {
        EXPECT_FALSE(is_active(problem_, stage)) << "no answer for " << stage_name(stage);
        continue;
      }
      std::vector<Matrix> found, all_requested;
      for (Index h = 0; h < (is_per_head(stage) ? problem_.config.n_heads : 1); ++h) {
        found.push_back(matrix_of(stage, h));
        all_requested.push_back(expected(answer->second, stage, h));
      }
      EXPECT_TRUE(all_near_relative(stacked(found), stacked(all_requested), share))
          << stage_name(stage);
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

// The plain definition, every part of it in turn.
INSTANTIATE_TEST_SUITE_P(Plain, Golden,
                         testing::Values("self_small", "self_bias", "causal", "padding", "cross",
                                         "random_mask", "dead_row", "separate_heads", "dv_not_dk",
                                         "unscaled", "temperature", "additive_bias", "saturated",
                                         "one_token"),
                         [](const auto& instance) { return std::string(instance.param); });

// The variants, made by golden/make_golden.py.
INSTANTIATE_TEST_SUITE_P(
    Variants, Golden,
    testing::Values("sinusoidal", "learned_positions", "rotary_adjacent", "rotary_halves",
                    "alibi_causal", "alibi_six_heads", "grouped_queries", "multi_query",
                    "key_count", "window", "causal_window", "cross_learned", "cross_one_table",
                    "cross_sinusoidal", "biases_off", "dropout", "residual", "residual_layer_norm",
                    "first_layer", "layer_norm_alone", "mute_and_scale", "solo", "overrides",
                    "overrides_early", "overrides_of_positions", "overrides_of_skipped",
                    "everything", "huge_logits", "dead_row_rules", "head_norm", "head_norm_alone",
                    "head_norm_joint", "head_norm_joint_cross", "value_norm", "value_norm_cross",
                    "score_cap", "score_cap_of_overrides"),
    [](const auto& instance) { return std::string(instance.param); });

// The causal case gives its mask cell by cell; the rule must mean the same.
TEST(GoldenCausal, TheRuleEqualsTheMaskGivenCellByCell) {
  const Problem given = problem_of(read_golden("causal.problem"));
  Problem rule = given;
  rule.allowed = {};
  rule.config.mask.causal = true;
  Evaluator a, b;
  EXPECT_TRUE(all_identical(*a.evaluate(given).output, *b.evaluate(rule).output));
  EXPECT_TRUE(all_identical(*a.trace().heads[3].masked_scores, *b.trace().heads[3].masked_scores));
}

}  // namespace
}  // namespace attention::test
