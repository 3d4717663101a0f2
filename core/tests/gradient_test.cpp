// The gradient of a number of a layer, against central differences of the double-precision
// reference.
#include "core/gradient/layer_gradient.h"

#include <gmock/gmock.h>

#include <cmath>
#include <tuple>

#include "core/analysis/reference.h"
#include "core/gradient/backward_pass.h"
#include "core/layer/evaluator.h"
#include "core/layer/stages.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_editor.h"

namespace attention::test {
namespace {

// Of stages in double precision; the embeddings are not among them.
const MatrixD& reference_of(const ReferenceTrace& trace, const Problem& problem, Stage stage,
                            Index head) {
  const bool is_X = stage == Stage::kXKv && !problem.cross();
  return stage_matrix(trace, is_X ? Stage::kX : stage, head);
}

// The number that the seed is about.
double seeded(const Problem& problem, const Seed& seed) {
  const ReferenceTrace trace = reference_trace(problem);
  const MatrixD& values = reference_of(trace, problem, seed.stage, seed.head);
  double sum = 0;
  for (Index i = 0; i < values.size(); ++i) {
    const double weight = seed.weights.data()[i];
    if (weight != 0) sum += weight * values.data()[i];
  }
  return sum;
}

// Stages that can be a seed: with finite numbers, one of which at least is computed.
std::vector<Stage> seed_stages(const Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : kAllStages)
    if (!is_input(stage) && stage != Stage::kXKv && stage_shape(problem, stage).rows > 0)
      stages.push_back(stage);
  return stages;
}

// A cell, or every finite cell with a weight of its own.
Seed random_seed(const Problem& problem, const Trace& trace, PortableRandom& random) {
  const std::vector<Stage> stages = seed_stages(problem);
  const Stage stage = stages[static_cast<std::size_t>(random_below(std::ssize(stages), random))];
  const Index head = is_per_head(stage) ? random_below(problem.config.n_heads, random) : 0;
  const Shape shape = stage_shape(problem, stage);
  Seed seed = cell_seed(problem, stage, head, random_below(shape.rows, random),
                        random_below(shape.cols, random));
  if (random_bool(random)) seed.weights = random_matrix(shape.rows, shape.cols, random);
  const Matrix& values = *stage_matrix(trace, stage, head);
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values.data()[i])) seed.weights.data()[i] = 0;
  return seed;
}

// A number of a problem.
struct Place {
  MatrixId id;
  Index head, row, col;
};

std::vector<Place> places_of(const Problem& problem) {
  std::vector<Place> places;
  for_each_matrix(problem, [&](const MatrixInfo& info, Index head, const SharedMatrix& matrix) {
    if (info.id == MatrixId::kMask) return;
    for (Index row = 0; row < matrix->rows(); ++row)
      for (Index col = 0; col < matrix->cols(); ++col)
        if (std::isfinite((*matrix)(row, col))) places.push_back({info.id, head, row, col});
  });
  return places;
}

double difference_quotient(const Problem& problem, const Seed& seed, const Place& place) {
  const float value = (*matrix_of(problem, place.id, place.head))(place.row, place.col);
  const auto moved = [&](float to) {
    Problem other = problem;
    matrix_of(other, place.id, place.head).edit([&](Matrix& matrix) {
      matrix(place.row, place.col) = to;
    });
    return seeded(other, seed);
  };
  const float step = std::ldexp(1.0f, -16) * std::max(1.0f, std::abs(value));
  const float above = value + step, below = value - step;
  return (moved(above) - moved(below)) / (static_cast<double>(above) - below);
}

double largest_in(const LayerGradient& gradient) {
  float largest = 0;
  for_each_matrix(gradient, [&](const MatrixInfo&, Index, const Matrix& matrix) {
    if (matrix.size() > 0) largest = std::max(largest, matrix.cwiseAbs().maxCoeff());
  });
  return largest;
}

float gradient_at(const LayerGradient& gradient, const Place& place) {
  const Matrix& matrix = matrix_gradient(gradient, place.id, place.head);
  return matrix.size() == 0 ? 0.0f : matrix(place.row, place.col);
}

void expect_differences(const Problem& problem, const Seed& seed, const LayerGradient& gradient,
                        const std::vector<Place>& places) {
  const double within = 1e-4 * largest_in(gradient) + 1e-7;
  for (const Place& place : places)
    EXPECT_NEAR(gradient_at(gradient, place), difference_quotient(problem, seed, place), within)
        << stage_name(seed.stage) << " by " << matrix_name(place.id) << " " << place.head << " "
        << place.row << " " << place.col;
}

TEST(LayerGradientTest, OfEveryVariantIsTheQuotientOfDifferences) {
  PortableRandom random(11);
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    const Seed seed = random_seed(problem, trace, random);
    expect_differences(problem, seed, gradient_of(problem, trace, seed), places_of(problem));
    if (HasFailure()) return;
  }
}

TEST(LayerGradientTest, OfAThousandRandomProblemsIsTheQuotientOfDifferences) {
  RandomEditor editor(5);
  PortableRandom random(12);
  Evaluator evaluator;
  for (int turn = 0; turn < 1000; ++turn) {
    for (int i = 0; i < 5; ++i) editor.edit();
    const Problem& problem = editor.problem();
    const Trace& trace = evaluator.evaluate(problem);
    const Seed seed = random_seed(problem, trace, random);
    const std::vector<Place> all = places_of(problem);
    std::vector<Place> some;
    for (int i = 0; i < 8; ++i)
      some.push_back(all[static_cast<std::size_t>(random_below(std::ssize(all), random))]);
    expect_differences(problem, seed, gradient_of(problem, trace, seed), some);
    if (HasFailure()) FAIL() << "turn " << turn << " after " << editor.name();
  }
}

TEST(PreciseWeights, AreTheSoftmaxOfEveryVariant) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    for (Index head = 0; head < problem.config.n_heads; ++head) {
      const Matrix& scores = *stage_matrix(trace, Stage::kMaskedScores, head);
      Matrix expected(scores.rows() - 1, scores.cols());
      const auto rows = scores.bottomRows(expected.rows());
      softmax_rows(rows, expected, sink_of(problem, head));
      const Softmax precise = precise_weights(problem, trace, head, 1, expected.rows());
      EXPECT_TRUE(all_near(precise.weights, expected, 2e-6));
      EXPECT_TRUE(all_near(precise.sink_shares, sink_shares(rows, sink_of(problem, head)), 2e-6));
    }
  }
}

TEST(LayerGradientTest, IsTheSameInMemoryThatWasUsedBefore) {
  PortableRandom random(13);
  GradientEvaluator gradients;
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    const Seed seed = random_seed(problem, trace, random);
    const LayerGradient fresh = gradient_of(problem, trace, seed);
    const LayerGradient& again = gradients.evaluate(problem, trace, seed);
    for_each_matrix(fresh, [&](const MatrixInfo& info, Index head, const Matrix& matrix) {
      EXPECT_TRUE(all_identical(matrix_gradient(again, info.id, head), matrix)) << info.name;
    });
  }
}

TEST(LayerGradientTest, OfAnOverriddenOrForbiddenNumberIsNothing) {
  Problem problem = problem_variants().front();
  problem.config.mask.causal = true;
  problem.overrides = {{Stage::kScores, 1, 3, 2, 2.5f}};
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  for (const auto& [stage, row, col] :
       {std::tuple{Stage::kScores, 3, 2}, {Stage::kWeights, 1, 4}, {Stage::kMaskedScores, 0, 3}}) {
    const LayerGradient gradient =
        gradient_of(problem, trace, cell_seed(problem, stage, 1, row, col));
    EXPECT_EQ(largest_in(gradient), 0) << stage_name(stage);
  }
  const LayerGradient of_weight =
      gradient_of(problem, trace, cell_seed(problem, Stage::kWeights, 1, 3, 0));
  EXPECT_NE(stage_gradient(of_weight, problem, Stage::kScores, 1)(3, 2), 0)
      << "the number put there by hand moves it";
}

TEST(LayerGradientTest, RefusesASeedThatDoesNotFit) {
  const Problem problem = problem_variants().front();
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  EXPECT_THROW(cell_seed(problem, Stage::kWeights, 3, 0, 0), std::invalid_argument);
  EXPECT_THROW(cell_seed(problem, Stage::kWeights, 0, 5, 0), std::invalid_argument);
  EXPECT_THROW(cell_seed(problem, Stage::kPosition, 0, 0, 0), std::invalid_argument);
  EXPECT_THROW(gradient_of(problem, trace, {Stage::kOutput, 0, Matrix::Ones(2, 2)}),
               std::invalid_argument);
}

}  // namespace
}  // namespace attention::test
