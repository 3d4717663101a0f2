#include "core/solve/targets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/config.h"
#include "core/gradient/layer_gradient.h"

namespace attention {
namespace {

using Fault = std::optional<SolveFault>;

constexpr double kSumAccuracy = 1e-5;

float value_of(const Problem& problem, const Trace& trace, const TargetCell& cell) {
  return (*stage_matrix(problem, trace, cell.stage, cell.head))(cell.row, cell.col);
}

// What shares the weight of a row: the keys that the query may attend to, and the sink.
Index count_shares(const Problem& problem, const Trace& trace, Index head, Index row) {
  const auto scores = stage_matrix(trace, Stage::kMaskedScores, head)->row(row).array();
  const Index sinks = sink_of(problem, head) == kNoSink ? 0 : 1;
  return (scores > -std::numeric_limits<float>::infinity()).count() + sinks;
}

// Why nothing can move the number, whatever is free.
std::optional<SolveFaultType> why_fixed(const Problem& problem, const Trace& trace,
                                        const TargetCell& cell) {
  const auto [stage, head, row, col, value] = cell;
  if (is_input(stage)) return SolveFaultType::kInput;
  if (is_overridden(problem, stage, head, row, col)) return SolveFaultType::kOverridden;
  if (!std::isfinite(value_of(problem, trace, cell))) return SolveFaultType::kNotFinite;
  if (!holds_weights(stage)) return std::nullopt;
  if (is_overridden(problem, Stage::kWeights, head, row, col)) return SolveFaultType::kOverridden;
  if (!std::isfinite((*stage_matrix(trace, Stage::kMaskedScores, head))(row, col)))
    return SolveFaultType::kForbidden;
  if (stage == Stage::kDroppedWeights && is_dropped(problem.config, head, row, col))
    return SolveFaultType::kDropped;
  if (count_shares(problem, trace, head, row) == 1) return SolveFaultType::kOnlyKey;
  return std::nullopt;
}

double factor_of(const Problem& problem, Stage stage) {
  return stage == Stage::kDroppedWeights ? dropout_factor(problem.config) : 1;
}

// What all numbers of the stage lie between; they do not reach it.
Fault outside(const Problem& problem, const TargetCell& cell, std::size_t number) {
  const double infinite = std::numeric_limits<double>::infinity();
  double low = -infinite, high = infinite;
  if (holds_weights(cell.stage)) {
    low = 0;
    high = factor_of(problem, cell.stage);
  } else if (cell.stage == Stage::kCappedScores && problem.config.score_cap > 0) {
    high = problem.config.score_cap;
    low = -high;
  }
  if (*cell.value > low && *cell.value < high) return std::nullopt;
  return SolveFault{SolveFaultType::kBeyond, number, 0, low, high, 0};
}

Fault fault_of_cell(const Problem& problem, const Trace& trace, const TargetCell& cell,
                    std::size_t number) {
  cell_seed(problem, cell.stage, cell.head, cell.row, cell.col);  // throws when it does not exist
  if (!cell.value) return std::nullopt;
  if (!std::isfinite(*cell.value)) return SolveFault{SolveFaultType::kNotANumber, number};
  if (const auto why = why_fixed(problem, trace, cell)) return SolveFault{*why, number};
  return outside(problem, cell, number);
}

bool is_same_cell(const Problem& problem, const TargetCell& a, const TargetCell& b) {
  const Index sharing = is_per_kv_head(a.stage) ? heads_per_kv_head(problem.config) : 1;
  return a.stage == b.stage && a.row == b.row && a.col == b.col &&
         (!is_per_head(a.stage) || a.head / sharing == b.head / sharing);
}

// Contradictions of pairs of cells.
Fault fault_of_pairs(const Problem& problem, const Trace& trace, const SolveRequest& request) {
  const auto& targets = request.targets;
  const auto value = [&](const TargetCell& one) {
    return one.value.value_or(value_of(problem, trace, one));
  };
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t j = i + 1; j < targets.size(); ++j)
      if (is_same_cell(problem, targets[i], targets[j]) && value(targets[i]) != value(targets[j]))
        return SolveFault{SolveFaultType::kTwice, i, j};
  return std::nullopt;
}

// Weights of one row add up to 1, or with a sink to less.
Fault fault_of_row(const Problem& problem, const Trace& trace, const SolveRequest& request,
                   std::size_t number) {
  const TargetCell& first = request.targets[number];
  double sum = 0;
  Index counted = 0;
  std::vector<bool> seen(static_cast<std::size_t>(problem.kv_len()));
  for (const TargetCell& one : request.targets) {
    if (!holds_weights(one.stage) || one.head != first.head || one.row != first.row) continue;
    if (seen[static_cast<std::size_t>(one.col)] || why_fixed(problem, trace, one)) continue;
    seen[static_cast<std::size_t>(one.col)] = true;
    sum += one.value.value_or(value_of(problem, trace, one)) / factor_of(problem, one.stage);
    ++counted;
  }
  const bool all = counted == count_shares(problem, trace, first.head, first.row);
  if (all ? std::abs(sum - 1) <= kSumAccuracy : sum < 1) return std::nullopt;
  return SolveFault{SolveFaultType::kRowSum, number, 0, 0, 0, sum};
}

Fault fault_of_free(const Problem& problem, const SolveRequest& request) {
  for (const FreeRow& one : request.free) {
    if (!(one.weight > 0) || !std::isfinite(one.weight))
      throw std::invalid_argument("a weight is positive, not " + std::to_string(one.weight));
    for (const MatrixRow& matrix_row : one.places) {
      const Matrix& matrix = *matrix_of(problem, matrix_row.matrix, matrix_row.head);
      const Matrix& like = *matrix_of(problem, one.places.front().matrix, one.places.front().head);
      if (matrix_row.matrix == MatrixId::kMask || matrix_row.row < 0 ||
          matrix_row.row >= matrix.rows() || matrix.cols() != like.cols())
        throw std::invalid_argument(std::string(matrix_name(matrix_row.matrix)) + " has no row " +
                                    std::to_string(matrix_row.row) + " that can be free");
    }
  }
  return find_fault(problem, request.free, std::ssize(request.targets));
}

}  // namespace

std::optional<SolveFault> find_fault(const Problem& problem, const std::vector<FreeRow>& free,
                                     Index targets) {
  const Index count = count_free(problem, free);
  if (count == 0) return SolveFault{SolveFaultType::kNothingFree};
  if (count > kMostSlopes / targets) return SolveFault{SolveFaultType::kTooLarge};
  return std::nullopt;
}

std::optional<SolveFault> find_fault(const Problem& problem, const Trace& trace,
                                     const SolveRequest& request) {
  const auto& targets = request.targets;
  if (std::ranges::none_of(targets, [](const TargetCell& one) { return one.value.has_value(); }))
    return SolveFault{SolveFaultType::kNothingRequested};
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (auto fault = fault_of_cell(problem, trace, targets[i], i)) return fault;
  if (auto fault = fault_of_pairs(problem, trace, request)) return fault;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].value && holds_weights(targets[i].stage))
      if (auto fault = fault_of_row(problem, trace, request, i)) return fault;
  return fault_of_free(problem, request);
}

bool can_move(const Problem& problem, const Trace& trace, const TargetCell& cell) {
  return !why_fixed(problem, trace, cell);
}

std::vector<TargetCell> kept_row(const Problem& problem, const Trace& trace, Stage stage,
                                 Index head, Index row) {
  std::vector<TargetCell> kept;
  for (Index col = 0; col < stage_shape(problem, stage).cols; ++col) {
    const TargetCell cell{stage, head, row, col, {}};
    if (can_move(problem, trace, cell)) kept.push_back(cell);
  }
  return kept;
}

std::vector<FreeRow> free_rows(const Problem& problem, MatrixId matrix, Index head, float weight) {
  std::vector<FreeRow> rows;
  for (Index row = 0; row < matrix_of(problem, matrix, head)->rows(); ++row)
    rows.push_back({{{matrix, head, row}}, weight});
  return rows;
}

Index count_free(const Problem& problem, const std::vector<FreeRow>& free) {
  Index count = 0;
  for (const FreeRow& one : free)
    if (!one.places.empty())
      count += matrix_of(problem, one.places.front().matrix, one.places.front().head)->cols();
  return count;
}

}  // namespace attention
