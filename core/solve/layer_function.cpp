#include "core/solve/layer_function.h"

#include <algorithm>
#include <cmath>

#include "core/config.h"

namespace attention {
namespace {

// log Σ exp(scores) over all but one of a row, and the sink.
double log_sum_of_others(const Matrix& scores, float sink, Index row, Index col) {
  double largest = sink;
  for (Index j = 0; j < scores.cols(); ++j)
    if (j != col) largest = std::max<double>(largest, scores(row, j));
  double sum = sink == kNoSink ? 0 : std::exp(sink - largest);
  for (Index j = 0; j < scores.cols(); ++j)
    if (j != col) sum += std::exp(scores(row, j) - largest);
  return largest + std::log(sum);
}

// `gradient` of the log-odds of a weight with that by its head's sink, which no score stands for:
// the sink's share among the others, negative.
LayerGradient with_sink(const Problem& problem, const Matrix& scores, const TargetCell& cell,
                        LayerGradient gradient) {
  const float sink = sink_of(problem, cell.head);
  const double others = log_sum_of_others(scores, sink, cell.row, cell.col);
  gradient.parameters.heads[static_cast<std::size_t>(cell.head)].sink =
      Matrix::Constant(1, 1, static_cast<float>(-std::exp(sink - others)));
  return gradient;
}

double log_odds(double weight) { return std::log(weight) - std::log1p(-weight); }

// The size of the largest finite number of a matrix, 1 when there is none but 0.
double size_of(const Matrix& matrix) {
  double largest = 0;
  for (const float value : matrix.reshaped())
    if (std::isfinite(value)) largest = std::max<double>(largest, std::abs(value));
  return largest > 0 ? largest : 1;
}

}  // namespace

LayerFunction::LayerFunction(const Problem& problem, const SolveRequest& request)
    : problem_(problem), free_(problem, request.free) {
  const Trace& trace = evaluator_.evaluate(problem_);
  for (std::size_t i = 0; i < request.targets.size(); ++i) {
    const TargetCell& at = request.targets[i];
    if (!can_move(problem, trace, at)) continue;
    const bool weight = holds_weights(at.stage);
    const double unit = !weight ? size_of(*stage_matrix(trace, at.stage, at.head))
                        : at.stage == Stage::kDroppedWeights ? dropout_factor(problem.config)
                                                             : 1.0;
    cells_.push_back({at, i, weight, unit});
  }
  values_.resize(std::ssize(cells_));
  slopes_.resize(std::ssize(cells_), free_.count());
  values_before_ = values(Eigen::VectorXd::Zero(free_.count()));
}

Eigen::VectorXd LayerFunction::aim(const std::vector<TargetCell>& targets) const {
  Eigen::VectorXd aim = values_before_;
  for (Index i = 0; i < aim.size(); ++i) {
    const Cell& cell = cells_[static_cast<std::size_t>(i)];
    const std::optional<float>& value = targets[cell.number].value;
    if (value) aim(i) = cell.weight ? log_odds(*value / cell.unit) : *value / cell.unit;
  }
  return aim;
}

const Eigen::VectorXd& LayerFunction::values(const Eigen::VectorXd& change) {
  free_.move(problem_, change);
  evaluator_.evaluate(problem_);
  for (Index i = 0; i < values_.size(); ++i)
    values_(i) = value_of(cells_[static_cast<std::size_t>(i)]);
  return values_;
}

double LayerFunction::value_of(const Cell& cell) const {
  const auto& [stage, head, row, col, value] = cell.at;
  if (!cell.weight) return (*stage_matrix(problem_, trace(), stage, head))(row, col) / cell.unit;
  const Matrix& scores = *stage_matrix(trace(), Stage::kMaskedScores, head);
  return scores(row, col) - log_sum_of_others(scores, sink_of(problem_, head), row, col);
}

// Of the log-odds: by its own score 1, by the others the share of each among them, negative.
Seed LayerFunction::seed_of(const Cell& cell) const {
  const auto& [stage, head, row, col, value] = cell.at;
  if (!cell.weight) {
    Seed seed = cell_seed(problem_, stage, head, row, col);
    seed.weights(row, col) = static_cast<float>(1 / cell.unit);
    return seed;
  }
  Seed seed = cell_seed(problem_, Stage::kMaskedScores, head, row, col);
  const Matrix& scores = *stage_matrix(trace(), Stage::kMaskedScores, head);
  const double others = log_sum_of_others(scores, sink_of(problem_, head), row, col);
  for (Index j = 0; j < scores.cols(); ++j)
    if (j != col) seed.weights(row, j) = static_cast<float>(-std::exp(scores(row, j) - others));
  return seed;
}

const Jacobian& LayerFunction::slopes() {
  for (Index i = 0; i < slopes_.rows(); ++i) {
    const Cell& cell = cells_[static_cast<std::size_t>(i)];
    const LayerGradient& gradient = gradients_.evaluate(problem_, trace(), seed_of(cell));
    free_.collect(gradient, i, slopes_);
    if (!cell.weight || !problem_.config.sink) continue;
    const Matrix& scores = *stage_matrix(trace(), Stage::kMaskedScores, cell.at.head);
    free_.collect(with_sink(problem_, scores, cell.at, gradient), i, slopes_);
  }
  return slopes_;
}

}  // namespace attention
