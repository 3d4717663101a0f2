#include "core/solve/answer_solver.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/gradient/network_gradient.h"
#include "core/network/layer_matrix.h"
#include "core/network/network_evaluator.h"

namespace attention::network {
namespace {

constexpr double kLogit = 10;  // the size of a large logit, in which answers are measured

void require_parameters(const AnswerRequest& request) {
  const Attention* attention = find_attention(request.network, request.at);
  if (attention == nullptr)
    throw std::invalid_argument(missing_attention(request.network, request.at));
  for (const FreeRow& row : request.free) {
    if (!(row.weight > 0)) throw std::invalid_argument("a weight is positive");
    for (const MatrixRow& matrix_row : row.places)
      if (!is_parameter(matrix_row.matrix) ||
          layer_matrix_count(*attention, matrix_row.matrix) == 0)
        throw std::invalid_argument(std::string(matrix_name(matrix_row.matrix)) +
                                    " is no parameter of the layer");
  }
}

std::optional<SolveFault> fault_of(const std::vector<TargetAnswer>& targets) {
  const auto is_requested = [](const TargetAnswer& one) { return one.value.has_value(); };
  if (std::ranges::none_of(targets, is_requested))
    return SolveFault{SolveFaultType::kNothingRequested};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].value && !std::isfinite(*targets[i].value))
      return SolveFault{SolveFaultType::kNotANumber, i};
    for (std::size_t j = 0; j < i; ++j)
      if (targets[i].answer == targets[j].answer) return SolveFault{SolveFaultType::kTwice, j, i};
  }
  return std::nullopt;
}

}  // namespace

// The answers as a function of what is free.
class AnswerSolver::Function : public SmoothFunction {
 public:
  explicit Function(const AnswerRequest& request)
      : tokens_(request.tokens),
        interventions_(request.interventions),
        at_(request.at),
        targets_(request.targets),
        network_(request.network),
        shown_(request.shown),
        free_(request.shown, request.free),
        evaluator_(request.threads) {
    values_.resize(std::ssize(request.targets));
    slopes_.resize(values_.size(), free_.count());
  }

  Index free_numbers() const { return free_.count(); }
  const Problem& shown() const { return shown_; }

  const Eigen::VectorXd& values(const Eigen::VectorXd& change) override {
    free_.move(shown_, change);
    Attention& attention = *find_attention(network_, at_);
    for (const auto& [id, head] : free_.places())
      set_layer_matrix(attention, id, head, *matrix_of(shown_, id, head));
    const NetworkTrace& trace = evaluator_.evaluate(network_, tokens_, interventions_);
    for (Index i = 0; i < values_.size(); ++i) values_(i) = logit(trace, i) / kLogit;
    return values_;
  }

  const Jacobian& slopes() override {
    const DifferentiatedPass pass{network_, interventions_, evaluator_.trace(), evaluator_.pool()};
    for (Index i = 0; i < values_.size(); ++i) {
      const NetworkGradient gradient = gradient_of_answer(pass, answer(i));
      free_.collect(gradient_at(gradient), i, slopes_);
    }
    slopes_ /= kLogit;
    return slopes_;
  }

 private:
  const Answer& answer(Index i) const { return targets_[static_cast<std::size_t>(i)].answer; }
  double logit(const NetworkTrace& trace, Index i) {
    const Matrix row = trace.stack.final.row(answer(i).row);
    return logit_of(answer(i), logits(network_, row, evaluator_.pool()).row(0));
  }
  const LayerGradient& gradient_at(const NetworkGradient& gradient) const {
    const auto& [sublayer, layer] = at_;
    const StackGradient& stack = sublayer == Sublayer::kEncoder ? gradient.encoder : gradient.stack;
    const BlockGradient& block = stack.blocks.at(static_cast<std::size_t>(layer));
    return sublayer == Sublayer::kCross ? block.cross_attention : block.attention;
  }

  Tokens tokens_;
  Interventions interventions_;
  LayerId at_;
  std::vector<TargetAnswer> targets_;
  Network network_;
  Problem shown_;
  FreeMatrices free_;
  NetworkEvaluator evaluator_;
  Eigen::VectorXd values_;
  Jacobian slopes_;
};

AnswerSolver::AnswerSolver(const AnswerRequest& request)
    : shown_(request.shown), targets_(request.targets), free_(request.free) {
  for (const TargetAnswer& one : request.targets)
    validate(one.answer, request.network, std::ssize(request.tokens.ids));
  require_parameters(request);
  fault_ = fault_of(request.targets);
  if (!fault_) fault_ = find_fault(request.shown, request.free, std::ssize(request.targets));
  if (fault_) return;
  function_ = std::make_unique<Function>(request);
  change_ = std::make_unique<SmallestChange>(*function_, function_->free_numbers());
  before_ = change_->values();
  fault_ = find_unmoved();
  if (!fault_) change_->want(aim());
}

AnswerSolver::~AnswerSolver() = default;

std::optional<SolveFault> AnswerSolver::find_unmoved() const {
  for (Index i = 0; i < change_->slopes().rows(); ++i) {
    const auto cell = static_cast<std::size_t>(i);
    if (!std::isfinite(change_->values()(i))) return SolveFault{SolveFaultType::kNotFinite, cell};
    if (targets_[cell].value && change_->slopes().row(i).isZero(0))
      return SolveFault{SolveFaultType::kUnmoved, cell};
  }
  return std::nullopt;
}

// Those that are kept have the values of the beginning.
Eigen::VectorXd AnswerSolver::aim() const {
  Eigen::VectorXd values = before_;
  for (Index i = 0; i < values.size(); ++i)
    if (const auto& value = targets_[static_cast<std::size_t>(i)].value)
      values(i) = *value / kLogit;
  return values;
}

std::optional<SolveFault> AnswerSolver::want(std::size_t number, float value) {
  std::vector<TargetAnswer> targets = targets_;
  targets.at(number).value = value;
  if (auto fault = fault_of(targets)) return fault;
  targets_ = std::move(targets);
  change_->want(aim());
  return std::nullopt;
}

bool AnswerSolver::step() { return change_->step(); }

Solution AnswerSolver::solution() {
  function_->values(change_->change());
  Solution found;
  found.problem = function_->shown();
  found.reached = change_->reached();
  found.size = change_->change().norm();
  found.excess = change_->excess();
  found.steps = change_->steps();
  for (const double value : change_->values())
    found.values.push_back(static_cast<float>(value * kLogit));
  (aim() - change_->values()).cwiseAbs().maxCoeff(&found.farthest);
  found.changed = changed_cells(shown_, found.problem, free_);
  return found;
}

AnswerSolution solve_answer(const AnswerRequest& request) {
  AnswerSolver solver(request);
  if (solver.fault()) return {solver.fault(), {}};
  while (solver.step()) {
  }
  return {std::nullopt, solver.solution()};
}

}  // namespace attention::network
