#include <gtest/gtest.h>

#include "app/tests/examples/support.h"
#include "app/tests/rooms.h"

// The two examples that can be followed with pencil and paper. The expected numbers were worked
// out from the inputs in double precision, outside this program.

namespace lab::samples {
namespace {

// Half a unit of the fourth decimal place, and a little for numbers that end in 5.
constexpr double kFourPlaces = 0.5001e-4;

TEST(CatSat, ReproducesTheWorkedExample) {
  const Opened example = open_example("cat-sat");
  const attention::HeadTrace& head = example.trace.heads.at(0);
  expect_matrix("X", *example.document.problem.embedding,
                {{1.0, 0.5, 0.2, 0.8}, {0.3, 0.9, 0.7, 0.4}}, 1e-7);
  expect_matrix("Q", *head.Q, {{0.9, 0.3}, {0.6, 0.8}}, 1e-6);
  expect_matrix("K", *head.K, {{0.8, 0.4}, {0.5, 0.9}}, 1e-6);
  expect_matrix("V", *head.V, {{1.2, 0.7}, {0.9, 1.1}}, 1e-6);
  expect_matrix("scores", *head.scores, {{0.84, 0.72}, {0.80, 1.02}}, kFourPlaces);
  expect_matrix("scaled", *head.scaled_scores, {{0.5940, 0.5091}, {0.5657, 0.7212}}, kFourPlaces);
  expect_matrix("weights", *head.weights, {{0.5212, 0.4788}, {0.4612, 0.5388}}, kFourPlaces);
  expect_matrix("head_output", *head.head_output, {{1.0564, 0.8915}, {1.0384, 0.9155}},
                kFourPlaces);
}

TEST(CatSat, ItsOutputIsTheHeadOutput) {
  const Opened example = open_example("cat-sat");
  EXPECT_EQ(*example.trace.output, *example.trace.heads.at(0).head_output);
}

TEST(ThreeWords, HasTheWeightsOfItsRule) {
  const Opened example = open_example("three-words");
  const attention::Parameters& parameters = example.document.problem.parameters;
  const attention::KeyValueParameters& head = parameters.kv_heads.at(0);
  for (attention::Index i = 0; i < 4; ++i) {
    for (attention::Index j = 0; j < 3; ++j) {
      const double w = 0.1 + 0.3 * static_cast<double>(i) + 0.1 * static_cast<double>(j);
      EXPECT_NEAR((*parameters.heads.at(0).W_Q)(i, j), w, 1e-6);
      EXPECT_NEAR((*head.W_K)(i, j), w + 0.1, 1e-6);
      EXPECT_NEAR((*head.W_V)(i, j), w + 0.2, 1e-6);
    }
  }
}

TEST(ThreeWords, ReproducesTheWorkedExample) {
  const Opened example = open_example("three-words");
  const attention::HeadTrace& head = example.trace.heads.at(0);
  expect_matrix("X", *example.document.problem.embedding,
                {{0.2, -0.1, 0.8, 0.4}, {0.5, 0.3, -0.2, 0.1}, {-0.3, 0.7, 0.1, -0.5}}, 1e-7);
  expect_matrix("Q", *head.Q, {{0.94, 1.07, 1.20}, {0.13, 0.20, 0.27}, {-0.18, -0.18, -0.18}},
                kFourPlaces);
  expect_matrix("K", *head.K, {{1.07, 1.20, 1.33}, {0.20, 0.27, 0.34}, {-0.18, -0.18, -0.18}},
                kFourPlaces);
  expect_matrix("V", *head.V, {{1.20, 1.33, 1.46}, {0.27, 0.34, 0.41}, {-0.18, -0.18, -0.18}},
                kFourPlaces);
  expect_matrix("scores", *head.scores,
                {{3.8858, 0.8849, -0.5778}, {0.7382, 0.1718, -0.1080}, {-0.6480, -0.1458, 0.0972}},
                kFourPlaces);
  expect_matrix("weights", *head.weights,
                {{0.7982, 0.1411, 0.0607}, {0.4283, 0.3089, 0.2628}, {0.2581, 0.3450, 0.3969}},
                kFourPlaces);
  expect_matrix("output", *example.trace.output,
                {{0.9850, 1.0987, 1.2123}, {0.5501, 0.6274, 0.7047}, {0.3315, 0.3892, 0.4469}},
                kFourPlaces);
}

}  // namespace
}  // namespace lab::samples
