// The smallest change that gives cells of a layer other values.
#include "core/solve/solver.h"

#include <gmock/gmock.h>

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "core/analysis/reference.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::AllOf;
using testing::Field;
using testing::Optional;

// In double precision.
double reference_value(const Problem& problem, const TargetCell& cell) {
  const ReferenceTrace trace = reference_trace(problem);
  return stage_matrix(trace, cell.stage, cell.head)(cell.row, cell.col);
}

float value_of(const Problem& problem, const TargetCell& cell) {
  Evaluator evaluator;
  return (*stage_matrix(problem, evaluator.evaluate(problem), cell.stage, cell.head))(cell.row,
                                                                                      cell.col);
}

void append(std::vector<FreeRow>& rows, std::vector<FreeRow> more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

// Every matrix with numbers, each with a chance and a weight.
std::vector<FreeRow> random_rows(const Problem& problem, PortableRandom& random) {
  std::vector<FreeRow> rows;
  for_each_matrix(problem, [&](const MatrixInfo& info, Index head, const SharedMatrix& matrix) {
    if (matrix.empty() || info.id == MatrixId::kMask || random_bool(random)) return;
    append(rows, free_rows(problem, info.id, head, 0.5f + static_cast<float>(random.uniform())));
  });
  return rows;
}

// The problem with each free number moved by about `by`, and the size of that change.
std::pair<Problem, double> moved(Problem problem, const std::vector<FreeRow>& rows, float by,
                                 PortableRandom& random) {
  double size = 0;
  for (const FreeRow& row : rows) {
    const MatrixRow& place = row.places.front();
    matrix_of(problem, place.matrix, place.head).edit([&](Matrix& matrix) {
      const Matrix step = by * random_matrix(1, matrix.cols(), random);
      matrix.row(place.row) += step;
      size += row.weight * step.squaredNorm();
    });
  }
  return {problem, std::sqrt(size)};
}

// d(cell) / d(free number) · 1 / √weight, [free numbers].
Eigen::VectorXd slopes_of(const Problem& problem, const TargetCell& cell,
                          const std::vector<FreeRow>& rows) {
  Evaluator evaluator;
  const LayerGradient gradient =
      gradient_of(problem, evaluator.evaluate(problem),
                  cell_seed(problem, cell.stage, cell.head, cell.row, cell.col));
  Eigen::VectorXd slopes(count_free(problem, rows));
  Index first = 0;
  for (const FreeRow& row : rows) {
    const Index width = matrix_of(problem, row.places[0].matrix, row.places[0].head)->cols();
    slopes.segment(first, width).setZero();
    for (const MatrixRow& place : row.places) {
      const Matrix& d = matrix_gradient(gradient, place.matrix, place.head);
      if (d.size() > 0)
        slopes.segment(first, width) +=
            d.row(place.row).cast<double>().transpose() / std::sqrt(double{row.weight});
    }
    first += width;
  }
  return slopes;
}

// The change · √weight, in the order of slopes_of().
Eigen::VectorXd change_of(const Problem& before, const Problem& after,
                          const std::vector<FreeRow>& rows) {
  std::vector<double> change;
  for (const FreeRow& row : rows) {
    const MatrixRow& place = row.places.front();
    const Matrix& was = *matrix_of(before, place.matrix, place.head);
    const Matrix& is = *matrix_of(after, place.matrix, place.head);
    for (Index col = 0; col < was.cols(); ++col)
      change.push_back(same_bits(is(place.row, col), was(place.row, col))
                           ? 0  // −∞ among them
                           : std::sqrt(double{row.weight}) *
                                 (double{is(place.row, col)} - was(place.row, col)));
  }
  return Eigen::Map<Eigen::VectorXd>(change.data(), std::ssize(change));
}

// A smallest change is a combination of the slopes: nothing of it moves no target cell.
double left_over(const Problem& before, const SolveRequest& request, const Solution& solution) {
  const Eigen::VectorXd change = change_of(before, solution.problem, request.free);
  Eigen::MatrixXd slopes(change.size(), std::ssize(request.targets));
  for (Index i = 0; i < slopes.cols(); ++i)
    slopes.col(i) =
        slopes_of(solution.problem, request.targets[static_cast<std::size_t>(i)], request.free);
  const Eigen::VectorXd by = slopes.colPivHouseholderQr().solve(change);
  return (change - slopes * by).norm() / std::max(change.norm(), 1e-6);
}

// Cells of different rows that something free moves.
std::vector<TargetCell> random_cells(const Problem& problem, const std::vector<FreeRow>& rows,
                                     std::size_t count, PortableRandom& random) {
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  std::vector<TargetCell> cells;
  for (int turn = 0; turn < 50 && cells.size() < count; ++turn) {
    const Stage stage = kAllStages[static_cast<std::size_t>(random_below(kStageCount, random))];
    const Shape shape = stage_shape(problem, stage);
    if (shape.rows == 0 || is_input(stage)) continue;
    const Index head = is_per_head(stage) ? random_below(problem.config.n_heads, random) : 0;
    const TargetCell cell{
        stage, head, random_below(shape.rows, random), random_below(shape.cols, random), {}};
    if (can_move(problem, trace, cell) && slopes_of(problem, cell, rows).norm() > 1e-3)
      cells.push_back(cell);
  }
  return cells;
}

TEST(Solve, OfEveryVariantIsReachedBySmallestChange) {
  PortableRandom random(7);
  int reached = 0, attempted = 0;
  for (const Problem& problem : problem_variants()) {
    for (int turn = 0; turn < 6; ++turn) {
      SolveRequest request;
      request.free = random_rows(problem, random);
      if (request.free.empty()) continue;
      const auto [there, size] = moved(problem, request.free, 0.2f, random);
      request.targets = random_cells(problem, request.free, 1 + turn % 3, random);
      for (TargetCell& cell : request.targets) cell.value = value_of(there, cell);
      Evaluator evaluator;
      if (find_fault(problem, evaluator.evaluate(problem), request)) continue;
      ++attempted;
      const Solution solution = solve(problem, request);
      if (!solution.reached) continue;
      ++reached;
      EXPECT_LE(solution.size, 1.0001 * size) << "a larger change than one that does it";
      EXPECT_LE(left_over(problem, request, solution), 2e-4);
      for (const TargetCell& cell : request.targets)
        EXPECT_NEAR(reference_value(solution.problem, cell), *cell.value,
                    3e-4 * std::max(1.0f, std::abs(*cell.value)))
            << stage_name(cell.stage);
    }
  }
  EXPECT_GT(attempted, 100);
  EXPECT_EQ(reached, attempted);
}

// Two tokens of two features, one head.
Problem small_problem(std::uint64_t seed) {
  PortableRandom random(seed);
  Config config;
  config.d_model = config.d_k = config.d_v = config.d_out = 2;
  return random_problem(config, 3, 0, random);
}

// How far one has to go from nothing in a direction until the cell has the value, by steps and
// bisection; at most 4.
double distance_along(const Problem& problem, const TargetCell& cell, double angle) {
  const auto missing = [&](double distance) {
    Problem other = problem;
    other.embedding.edit([&](Matrix& X) {
      X(0, 0) += static_cast<float>(distance * std::cos(angle));
      X(0, 1) += static_cast<float>(distance * std::sin(angle));
    });
    return reference_value(other, cell) - *cell.value;
  };
  const double sign = missing(0);
  for (double low = 0; low < 4; low += 0.1) {
    if (missing(low + 0.1) * sign > 0) continue;
    double high = low + 0.1;
    for (int i = 0; i < 20; ++i) {
      const double middle = (low + high) / 2;
      (missing(middle) * sign > 0 ? low : high) = middle;
    }
    return high;
  }
  return 4;
}

TEST(Solve, IsTheSmallestOfAllChangesInThePlane) {
  int compared = 0;
  for (const auto& [stage, by] : {std::pair{Stage::kWeights, 0.15f},
                                  {Stage::kScores, -0.4f},
                                  {Stage::kHeadOutput, 0.2f},
                                  {Stage::kOutput, -0.1f}}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Problem problem = small_problem(seed);
      SolveRequest request{{{stage, 0, 0, 1}}, {{{{MatrixId::kX, 0, 0}}}}};
      request.targets[0].value = value_of(problem, request.targets[0]) + by;
      const Solution solution = solve(problem, request);
      double smallest = 4;
      for (int i = 0; i < 360; ++i)
        smallest = std::min(
            smallest, distance_along(problem, request.targets[0], i * std::numbers::pi / 180));
      const bool possible = smallest < 4;
      EXPECT_EQ(solution.reached && solution.size < 4, possible)
          << stage_name(stage) << " " << seed;
      if (!possible) continue;
      ++compared;
      EXPECT_NEAR(solution.size, smallest, 1e-3 * smallest) << stage_name(stage) << " " << seed;
    }
  }
  EXPECT_GT(compared, 8);
}

TEST(Solve, OfAScoreByTheQueriesIsTheClosedForm) {
  const Problem problem = problem_variants().front();
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const TargetCell cell{Stage::kScores, 1, 2, 3, (*trace.heads[1].scores)(2, 3) + 0.75f};
  const Solution solution = solve(problem, {{cell}, free_rows(problem, MatrixId::kWQ, 1)});
  // The score is x W_Q k, so its slope is the matrix xᵀ k.
  const Matrix slope = trace.X->row(2).transpose() * trace.heads[1].K->row(3);
  const Matrix targets = 0.75f / slope.squaredNorm() * slope;
  const Matrix found = *solution.problem.parameters.heads[1].W_Q - *problem.parameters.heads[1].W_Q;
  EXPECT_TRUE(all_near_relative(found, targets, 1e-5));
  EXPECT_EQ(std::ssize(solution.changed), targets.size());
  EXPECT_EQ(solution.changed[5].at, (MatrixRow{MatrixId::kWQ, 1, 1}));
  EXPECT_EQ(solution.changed[5].col, 1);
  EXPECT_NEAR(solution.changed[5].after - solution.changed[5].before, targets(1, 1), 1e-6);
}

TEST(Solve, ChangesWhatWeighsLessMore) {
  const Problem problem = problem_variants().front();
  SolveRequest request{{{Stage::kHeadOutput, 0, 1, 1, 0.5f}}, free_rows(problem, MatrixId::kWV, 0)};
  append(request.free, free_rows(problem, MatrixId::kWQ, 0));
  const auto share = [&] {
    const Solution solution = solve(problem, request);
    EXPECT_TRUE(solution.reached);
    const auto size = [&](MatrixId id) {
      return (*matrix_of(solution.problem, id, 0) - *matrix_of(problem, id, 0)).norm();
    };
    return size(MatrixId::kWQ) / size(MatrixId::kWV);
  };
  const float equal = share();
  for (FreeRow& row : request.free)
    if (row.places[0].matrix == MatrixId::kWV) row.weight = 16;
  EXPECT_GT(share(), 4 * equal);
}

TEST(Solve, RowsThatAreOneChangeTogether) {
  const Problem problem = problem_variants().front();
  const Solution solution =
      solve(problem, {{{Stage::kOutput, 0, 1, 1, 0.5f}},
                      {{{{MatrixId::kX, 0, 1}, {MatrixId::kX, 0, 3}}}, {{{MatrixId::kX, 0, 0}}}}});
  EXPECT_TRUE(solution.reached);
  const Matrix change = *solution.problem.embedding - *problem.embedding;
  EXPECT_TRUE(all_near(change.row(1), change.row(3), 1e-6));
  EXPECT_GT(change.row(0).norm(), 0.0f);
  EXPECT_EQ(change.row(2).norm(), 0.0f) << "this row is not free";
  EXPECT_NEAR(solution.size, std::hypot(change.row(0).norm(), change.row(1).norm()), 1e-5);
}

// Causal, and query 3 sees no key.
Problem masked_problem() {
  Problem problem = problem_variants().front();
  problem.config.mask.causal = true;
  problem.allowed = SharedMatrix(Matrix(Matrix::Ones(5, 5)));
  problem.allowed.edit([](Matrix& allowed) { allowed.row(3).setZero(); });
  return problem;
}

TEST(Solve, KeepsWhatIsToBeKept) {
  const Problem problem = masked_problem();
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  SolveRequest request{{{Stage::kWeights, 0, 4, 2, 0.6f}}, {}};
  for (const Index row : {1, 2})
    for (const TargetCell& cell : kept_row(problem, trace, Stage::kWeights, 0, row))
      request.targets.push_back(cell);
  request.free = free_rows(problem, MatrixId::kX, 0);
  append(request.free, free_rows(problem, MatrixId::kWQ, 0));
  const Solution solution = solve(problem, request);
  EXPECT_TRUE(solution.reached);
  const ReferenceTrace after = reference_trace(solution.problem);
  EXPECT_NEAR(after.heads[0].weights(4, 2), 0.6, 1e-4);
  EXPECT_TRUE(all_near(after.heads[0].weights.middleRows(1, 2),
                       trace.heads[0].weights->middleRows(1, 2), 1e-4));
}

TEST(Solver, DraggedThereAndBackHasChangedNothing) {
  const Problem problem = problem_variants()[4];
  const TargetCell cell{Stage::kWeights, 1, 3, 2, {}};
  const float before = value_of(problem, cell);
  SolveRequest request{{cell}, free_rows(problem, MatrixId::kX, 0)};
  append(request.free, free_rows(problem, MatrixId::kWK, 1));
  request.targets[0].value = before;
  Solver solver(problem, request);
  ASSERT_FALSE(solver.fault());
  for (const float targets : {0.3f, 0.6f, 0.9f, 0.99f, 0.5f, 0.1f}) {
    EXPECT_FALSE(solver.want(0, targets));
    solver.run();
    const Solution solution = solver.solution();
    EXPECT_TRUE(solution.reached);
    request.targets[0].value = targets;
    EXPECT_NEAR(solution.size, solve(problem, request).size, 1e-3 * solution.size) << targets;
  }
  EXPECT_FALSE(solver.want(0, before));
  solver.run();
  EXPECT_LT(solver.solution().size, 1e-4);
}

// With the keys locked, a query can give a key inside the hull of the others only a part of its
// attention.
Problem with_a_key_between_others() {
  Problem problem = small_problem(1);
  problem.embedding = SharedMatrix(Matrix{{1, 0}, {-1, 0}, {0, 0}});
  problem.embedding_kv = problem.embedding;
  problem.parameters.kv_heads[0].W_K = SharedMatrix(Matrix(Matrix::Identity(2, 2)));
  problem.parameters.heads[0].W_Q = SharedMatrix(Matrix(Matrix::Identity(2, 2)));
  return problem;
}

TEST(Solve, SaysHowNearItCameWhereTheValueCannotBeReached) {
  const Problem problem = with_a_key_between_others();
  const Solution solution =
      solve(problem, {{{Stage::kWeights, 0, 0, 2, 0.9f}}, {{{{MatrixId::kX, 0, 0}}}}});
  EXPECT_FALSE(solution.reached);
  EXPECT_NEAR(solution.values[0], 1.0f / 3, 1e-3) << "all keys alike";
  EXPECT_NEAR((*solution.problem.embedding)(0, 0), 0, 0.05);
  EXPECT_EQ((*solution.problem.embedding)(0, 1), 0) << "no more than it needs";
}

TEST(Solve, ChangesLittleWhereTheNearestIsApproachedWithoutEnd) {
  Problem problem = with_a_key_between_others();
  problem.embedding_kv = SharedMatrix(Matrix{{1, 0}, {1, 0}, {0.9f, 0.5f}});
  // The two keys that are alike share what they get, however the query grows.
  const Solution solution =
      solve(problem, {{{Stage::kWeights, 0, 0, 0, 0.6f}}, {{{{MatrixId::kX, 0, 0}}}}});
  EXPECT_FALSE(solution.reached);
  EXPECT_GT(solution.values[0], 0.48f);
  EXPECT_LT(solution.values[0], 0.5f);
  EXPECT_LT(solution.size, 20);
}

TEST(Solver, ComesBackFromWhereNothingMovesItAnyMore) {
  const Problem problem = with_a_key_between_others();
  Solver solver(problem, {{{Stage::kWeights, 0, 0, 2, 0.9f}}, {{{{MatrixId::kX, 0, 0}}}}});
  solver.run();
  ASSERT_FALSE(solver.solution().reached);
  solver.want(0, 0.3f);
  solver.run();
  EXPECT_TRUE(solver.solution().reached);
}

TEST(Solve, ContradictingNailsAreNotReached) {
  const Problem problem = problem_variants().front();  // in which concat has this head output
  SolveRequest request{{{Stage::kConcat, 0, 2, 0, 4.0f}, {Stage::kHeadOutput, 0, 2, 0, {}}},
                       free_rows(problem, MatrixId::kWV, 0)};
  const Solution solution = solve(problem, request);
  EXPECT_FALSE(solution.reached);
  EXPECT_EQ(solution.farthest, 0U);
}

class SolveFaults : public testing::Test {
 protected:
  std::optional<SolveFault> fault(std::vector<TargetCell> targets) {
    return Solver(problem_, {std::move(targets), free_rows(problem_, MatrixId::kX, 0)}).fault();
  }
  static auto is(SolveFaultType type) { return Optional(Field(&SolveFault::type, type)); }

  Problem problem_ = masked_problem();
};

TEST_F(SolveFaults, AreFoundInTheCells) {
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_THAT(fault({}), is(SolveFaultType::kNothingRequested));
  EXPECT_THAT(fault({{Stage::kWeights, 0, 4, 2}}), is(SolveFaultType::kNothingRequested));
  EXPECT_THAT(fault({{Stage::kQ, 0, 1, 1, infinite}}), is(SolveFaultType::kNotANumber));
  EXPECT_THAT(fault({{Stage::kQ, 0, 1, 1, std::nanf("")}}), is(SolveFaultType::kNotANumber));
  EXPECT_THAT(fault({{Stage::kEmbedding, 0, 1, 1, 2.0f}}), is(SolveFaultType::kInput));
  EXPECT_THAT(fault({{Stage::kMaskedScores, 0, 1, 3, 2.0f}}), is(SolveFaultType::kNotFinite));
  EXPECT_THAT(fault({{Stage::kWeights, 0, 1, 3, 0.5f}}), is(SolveFaultType::kForbidden));
  EXPECT_THAT(fault({{Stage::kWeights, 0, 3, 1, 0.5f}}), is(SolveFaultType::kForbidden));
  EXPECT_THAT(fault({{Stage::kWeights, 0, 4, 2, 1.0f}}),
              Optional(AllOf(Field(&SolveFault::type, SolveFaultType::kBeyond),
                             Field(&SolveFault::high, 1))));
  EXPECT_THROW(fault({{Stage::kWeights, 7, 0, 0, 0.5f}}), std::invalid_argument);
  problem_.overrides = {{Stage::kWeights, 0, 4, 2, 0.75f}};
  EXPECT_THAT(fault({{Stage::kWeights, 0, 4, 2, 0.5f}}), is(SolveFaultType::kOverridden));
  EXPECT_THAT(fault({{Stage::kDroppedWeights, 0, 4, 2, 0.5f}}), is(SolveFaultType::kOverridden));
  problem_.config.dropout_rate = 0.999f;
  EXPECT_THAT(fault({{Stage::kDroppedWeights, 0, 4, 0, 0.5f}}), is(SolveFaultType::kDropped));
  problem_.config.score_cap = 3;
  EXPECT_THAT(fault({{Stage::kCappedScores, 0, 4, 0, -3.0f}}), is(SolveFaultType::kBeyond));
}

TEST_F(SolveFaults, AreFoundInContradictions) {
  EXPECT_THAT(fault({{Stage::kQ, 0, 1, 1, 2.0f}, {Stage::kQ, 0, 1, 1, {}}}),
              Optional(AllOf(Field(&SolveFault::type, SolveFaultType::kTwice),
                             Field(&SolveFault::cell, 0), Field(&SolveFault::other, 1))));
  Evaluator evaluator;
  const auto row = kept_row(problem_, evaluator.evaluate(problem_), Stage::kWeights, 0, 4);
  ASSERT_GE(row.size(), 3U);
  std::vector<TargetCell> cells(row.begin(), row.end() - 1);
  EXPECT_THAT(
      fault({{Stage::kWeights, 0, 4, row[0].col, 0.7f}, {Stage::kWeights, 0, 4, row[1].col, 0.6f}}),
      Optional(AllOf(Field(&SolveFault::type, SolveFaultType::kRowSum),
                     Field(&SolveFault::sum, testing::DoubleNear(1.3, 1e-6)))));
  cells.push_back({Stage::kWeights, 0, 4, row.back().col, 0.5f});
  EXPECT_THAT(fault(cells), is(SolveFaultType::kRowSum)) << "the others take the rest already";
}

TEST_F(SolveFaults, AreFoundInWhatIsFree) {
  const TargetCell cell{Stage::kWeights, 0, 4, 2, 0.5f};
  EXPECT_THAT(Solver(problem_, {{cell}, {}}).fault(), is(SolveFaultType::kNothingFree));
  EXPECT_THAT(Solver(problem_, {{cell}, free_rows(problem_, MatrixId::kBQ, 0)}).fault(),
              is(SolveFaultType::kNothingFree));
  EXPECT_THAT(Solver(problem_, {{cell}, free_rows(problem_, MatrixId::kWO, 0)}).fault(),
              is(SolveFaultType::kUnmoved));
  EXPECT_THROW(Solver(problem_, {{cell}, {{{{MatrixId::kX, 0, 9}}}}}), std::invalid_argument);
  EXPECT_THROW(Solver(problem_, {{cell}, free_rows(problem_, MatrixId::kX, 0, 0)}),
               std::invalid_argument);
}

}  // namespace
}  // namespace attention::test
