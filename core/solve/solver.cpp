#include "core/solve/solver.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace attention {
namespace {

// The numbers of a free row that differ.
void add_changed(const Problem& before, const Problem& after, const FreeRow& row,
                 std::vector<ChangedCell>& changed) {
  for (const MatrixRow& matrix_row : row.places) {
    const Matrix& was = *matrix_of(before, matrix_row.matrix, matrix_row.head);
    const Matrix& is = *matrix_of(after, matrix_row.matrix, matrix_row.head);
    for (Index col = 0; col < was.cols(); ++col)
      if (!same_bits(was(matrix_row.row, col), is(matrix_row.row, col)))
        changed.push_back({matrix_row, col, was(matrix_row.row, col), is(matrix_row.row, col)});
  }
}

}  // namespace

std::vector<ChangedCell> changed_cells(const Problem& before, const Problem& after,
                                       const std::vector<FreeRow>& rows) {
  std::vector<ChangedCell> changed;
  for (const FreeRow& row : rows) add_changed(before, after, row, changed);
  return changed;
}

Solver::Solver(const Problem& problem, SolveRequest request)
    : problem_(problem), request_(std::move(request)) {
  Evaluator evaluator;
  trace_ = evaluator.evaluate(problem_);
  fault_ = find_fault(problem_, trace_, request_);
  if (fault_) return;
  function_ = std::make_unique<LayerFunction>(problem_, request_);
  change_ = std::make_unique<SmallestChange>(*function_, function_->free_numbers());
  fault_ = unmoved();
  change_->want(function_->aim(request_.targets));
}

// A cell that is to change and that nothing free moves.
std::optional<SolveFault> Solver::unmoved() const {
  for (Index i = 0; i < change_->slopes().rows(); ++i)
    if (request_.targets[function_->cell_of(i)].value && change_->slopes().row(i).isZero(0))
      return SolveFault{SolveFaultType::kUnmoved, function_->cell_of(i)};
  return std::nullopt;
}

std::optional<SolveFault> Solver::want(std::size_t number, float value) {
  SolveRequest other = request_;
  other.targets.at(number).value = value;
  if (auto fault = find_fault(problem_, trace_, other)) return fault;
  request_ = std::move(other);
  change_->want(function_->aim(request_.targets));
  return std::nullopt;
}

void Solver::run(int steps) {
  for (int i = 0; i < steps && step();) ++i;
}

Solution Solver::solution() {
  function_->values(change_->change());
  Solution found;
  found.problem = function_->problem();
  found.reached = change_->reached();
  found.size = change_->change().norm();
  found.excess = change_->excess();
  found.steps = change_->steps();
  for (const TargetCell& one : request_.targets)
    found.values.push_back(
        (*stage_matrix(found.problem, function_->trace(), one.stage, one.head))(one.row, one.col));
  const Eigen::VectorXd missing = function_->aim(request_.targets) - change_->values();
  double most = -1;
  for (Index i = 0; i < missing.size(); ++i) {
    const std::size_t cell = function_->cell_of(i);
    if (!request_.targets[cell].value || !(std::abs(missing(i)) > most)) continue;
    most = std::abs(missing(i));
    found.farthest = cell;
  }
  found.changed = changed_cells(problem_, found.problem, request_.free);
  return found;
}

Solution solve(const Problem& problem, SolveRequest request) {
  Solver solver(problem, std::move(request));
  if (solver.fault()) throw std::invalid_argument("the request has a fault, see find_fault()");
  solver.run();
  return solver.solution();
}

}  // namespace attention
