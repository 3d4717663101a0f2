// The gradient of a number of a layer, against the double-precision reference with forward-mode
// derivatives (Eigen's AutoDiffScalar), by every number of every variant.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/AutoDiff>

#include "core/analysis/reference_trace.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/evaluator.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

constexpr Index kAtOnce = 8;
using Derivatives = Eigen::Matrix<double, kAtOnce, 1>;
using Dual = Eigen::AutoDiffScalar<Derivatives>;
using reference::MatrixOf;

struct NumberAt {
  MatrixId id;
  Index head, row, col;
};

std::vector<NumberAt> finite_numbers(const Problem& problem) {
  std::vector<NumberAt> numbers;
  for_each_matrix(problem, [&](const MatrixInfo& info, Index head, const SharedMatrix& matrix) {
    for (Index i = 0; i < matrix->rows() && info.id != MatrixId::kMask; ++i)
      for (Index j = 0; j < matrix->cols(); ++j)
        if (std::isfinite((*matrix)(i, j))) numbers.push_back({info.id, head, i, j});
  });
  return numbers;
}

// The derivatives of Σ weights · stage by kAtOnce numbers from `first` on.
Derivatives derivatives(const Problem& problem, const Seed& seed,
                        const std::vector<NumberAt>& numbers, std::size_t first) {
  const auto read = [&](const SharedMatrix& matrix) -> MatrixOf<Dual> {
    MatrixOf<Dual> dual(matrix->rows(), matrix->cols());
    for (Index i = 0; i < dual.size(); ++i)
      dual.data()[i] = Dual(matrix->data()[i], Derivatives::Zero());
    for (std::size_t k = 0; k < kAtOnce && first + k < numbers.size(); ++k) {
      const auto& [id, head, row, col] = numbers[first + k];
      if (&matrix_of(problem, id, head) == &matrix)
        dual(row, col).derivatives()(static_cast<Index>(k)) = 1;
    }
    return dual;
  };
  const auto trace = reference::trace_of<Dual>({problem, read});
  const MatrixOf<Dual>& values = stage_matrix(trace, seed.stage, seed.head);
  Derivatives sum = Derivatives::Zero();
  for (Index i = 0; i < values.size(); ++i)
    if (seed.weights.data()[i] != 0)
      sum += double{seed.weights.data()[i]} * values.data()[i].derivatives();
  return sum;
}

// Every finite number of the stage with a weight of its own.
Seed weighed_stage(const Trace& trace, Stage stage, Index head, PortableRandom& random) {
  const Matrix& values = *stage_matrix(trace, stage, head);
  Seed seed{stage, head, random_matrix(values.rows(), values.cols(), random)};
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values.data()[i])) seed.weights.data()[i] = 0;
  return seed;
}

// The largest difference, as a fraction of the largest derivative.
double disagreement(const Problem& problem, const LayerGradient& gradient, const Seed& seed) {
  const std::vector<NumberAt> numbers = finite_numbers(problem);
  double most = 0, largest = 0;
  for (std::size_t first = 0; first < numbers.size(); first += kAtOnce) {
    const Derivatives expected = derivatives(problem, seed, numbers, first);
    for (std::size_t k = 0; k < kAtOnce && first + k < numbers.size(); ++k) {
      const auto& [id, head, row, col] = numbers[first + k];
      const Matrix& matrix = matrix_gradient(gradient, id, head);
      const double found = matrix.size() > 0 ? matrix(row, col) : 0.0;
      const double exact = expected(static_cast<Index>(k));
      largest = std::max(largest, std::abs(exact));
      most = std::max(most, std::abs(found - exact));
    }
  }
  return largest > 0 ? most / largest : most;
}

// Within 1e-6 of the largest: some ten units in the last place of float32, in which the core
// computes.
TEST(LayerGradientAutoDiff, AgreesForEveryVariant) {
  PortableRandom random(31);
  std::size_t turn = 0;
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    const Trace& trace = evaluator.evaluate(problem);
    const Stage other = kAllStages.at(turn++ % kStageCount);
    for (const Stage stage : {Stage::kWeights, Stage::kLayerNorm, other}) {
      if (is_input(stage) || stage == Stage::kXKv || stage_shape(problem, stage).rows == 0)
        continue;
      const Index head = is_per_head(stage) ? 1 : 0;
      const Seed seed = weighed_stage(trace, stage, head, random);
      EXPECT_LT(disagreement(problem, gradient_of(problem, trace, seed), seed), 1e-6)
          << stage_name(stage);
    }
  }
}

}  // namespace
}  // namespace attention::test
