// Two numeric examples worked through step by step, each to four places.

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "core/analysis/reference.h"
#include "core/layer/evaluator.h"
#include "core/layer/stages.h"
#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

constexpr double kFourPlaces = 0.5e-4 + 1e-6;

Matrix rows(Index cols, std::initializer_list<float> values) {
  return Eigen::Map<const Matrix>(values.begin(), std::ssize(values) / cols, cols);
}

// One head whose projections are given, with the identity for W_O.
Problem one_head(const Matrix& X, const Matrix& W_Q, const Matrix& W_K, const Matrix& W_V) {
  Problem problem;
  problem.config.d_model = static_cast<int>(X.cols());
  problem.config.d_k = static_cast<int>(W_Q.cols());
  problem.config.d_v = problem.config.d_out = static_cast<int>(W_V.cols());
  problem.embedding = SharedMatrix(X);
  problem.parameters.heads = {{SharedMatrix(W_Q), {}}};
  problem.parameters.kv_heads = {{SharedMatrix(W_K), SharedMatrix(W_V), {}, {}}};
  problem.parameters.W_O = SharedMatrix(Matrix::Identity(W_V.cols(), W_V.cols()));
  return problem;
}

void expect_stage(const Problem& problem, const Trace& trace, Stage stage, const Matrix& expected) {
  EXPECT_TRUE(all_near(*stage_matrix(problem, trace, stage, 0), expected, kFourPlaces))
      << stage_name(stage);
  const ReferenceTrace reference = reference_trace(problem);
  EXPECT_TRUE(all_near(stage_matrix(reference, stage, 0), expected, kFourPlaces))
      << "reference " << stage_name(stage);
}

// Only Q, K and V are given; the smallest weights that produce them from X are X⁺ times each.
TEST(WorkedExample, CatSat) {
  const Matrix X = rows(4, {1.0f, 0.5f, 0.2f, 0.8f, 0.3f, 0.9f, 0.7f, 0.4f});
  const MatrixD inverse =
      Eigen::CompleteOrthogonalDecomposition<MatrixD>(X.cast<double>()).pseudoInverse();
  const auto weights_for = [&](const Matrix& target) -> Matrix {
    return (inverse * target.cast<double>()).cast<float>();
  };
  const Matrix Q = rows(2, {0.9f, 0.3f, 0.6f, 0.8f});
  const Matrix K = rows(2, {0.8f, 0.4f, 0.5f, 0.9f});
  const Matrix V = rows(2, {1.2f, 0.7f, 0.9f, 1.1f});
  const Problem problem = one_head(X, weights_for(Q), weights_for(K), weights_for(V));
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);

  expect_stage(problem, trace, Stage::kQ, Q);
  expect_stage(problem, trace, Stage::kK, K);
  expect_stage(problem, trace, Stage::kV, V);
  expect_stage(problem, trace, Stage::kScores, rows(2, {0.84f, 0.72f, 0.80f, 1.02f}));
  expect_stage(problem, trace, Stage::kScaledScores, rows(2, {0.5940f, 0.5091f, 0.5657f, 0.7212f}));
  expect_stage(problem, trace, Stage::kWeights, rows(2, {0.5212f, 0.4788f, 0.4612f, 0.5388f}));
  const Matrix head_output = rows(2, {1.0564f, 0.8915f, 1.0384f, 0.9155f});
  expect_stage(problem, trace, Stage::kHeadOutput, head_output);
  expect_stage(problem, trace, Stage::kOutput, head_output);
}

TEST(WorkedExample, ThreeWords) {
  const Matrix X =
      rows(4, {0.2f, -0.1f, 0.8f, 0.4f, 0.5f, 0.3f, -0.2f, 0.1f, -0.3f, 0.7f, 0.1f, -0.5f});
  Matrix W(4, 3);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 3; ++j) {
      W(i, j) = 0.1f + 0.3f * static_cast<float>(i) + 0.1f * static_cast<float>(j);
    }
  }
  const Problem problem = one_head(X, W, W.array() + 0.1f, W.array() + 0.2f);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);

  expect_stage(problem, trace, Stage::kQ,
               rows(3, {0.94f, 1.07f, 1.20f, 0.13f, 0.20f, 0.27f, -0.18f, -0.18f, -0.18f}));
  expect_stage(problem, trace, Stage::kK,
               rows(3, {1.07f, 1.20f, 1.33f, 0.20f, 0.27f, 0.34f, -0.18f, -0.18f, -0.18f}));
  expect_stage(problem, trace, Stage::kV,
               rows(3, {1.20f, 1.33f, 1.46f, 0.27f, 0.34f, 0.41f, -0.18f, -0.18f, -0.18f}));
  expect_stage(problem, trace, Stage::kScores,
               rows(3, {3.8858f, 0.8849f, -0.5778f, 0.7382f, 0.1718f, -0.1080f, -0.6480f, -0.1458f,
                        0.0972f}));
  expect_stage(
      problem, trace, Stage::kWeights,
      rows(3, {0.7982f, 0.1411f, 0.0607f, 0.4283f, 0.3089f, 0.2628f, 0.2581f, 0.3450f, 0.3969f}));
  expect_stage(
      problem, trace, Stage::kOutput,
      rows(3, {0.9850f, 1.0987f, 1.2123f, 0.5501f, 0.6274f, 0.7047f, 0.3315f, 0.3892f, 0.4469f}));
}

Matrix softmax(const Matrix& scores) {
  Matrix weights(scores.rows(), scores.cols());
  softmax_rows(scores, weights);
  return weights;
}

// Softmaxes that are misprinted in places; these are the correct ones, to two places.
TEST(WorkedExample, SoftmaxOfThreeNumbers) {
  EXPECT_TRUE(
      all_near(softmax(rows(3, {2.4f, 1.2f, 0.3f})), rows(3, {0.70f, 0.21f, 0.09f}), 0.005));
  EXPECT_TRUE(
      all_near(softmax(rows(3, {0.05f, 0.11f, 0.06f})), rows(3, {0.33f, 0.35f, 0.33f}), 0.005));
}

}  // namespace
}  // namespace attention::test
