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

// The answers as a function of what is free.
class AnswerFunction : public SmoothFunction {
 public:
  explicit AnswerFunction(const AnswerRequest& request)
      : request_(request),
        network_(request.network),
        shown_(request.shown),
        free_(request.shown, request.free),
        evaluator_(request.threads) {
    values_.resize(std::ssize(request.wanted));
    slopes_.resize(values_.size(), free_.count());
  }

  Index free_numbers() const { return free_.count(); }
  const Problem& shown() const { return shown_; }

  const Eigen::VectorXd& values(const Eigen::VectorXd& change) override {
    free_.move(shown_, change);
    Attention& attention = *find_attention(network_, request_.at);
    for (const auto& [id, head] : free_.places())
      set_layer_matrix(attention, id, head, *matrix_of(shown_, id, head));
    const NetworkTrace& trace =
        evaluator_.evaluate(network_, request_.tokens, request_.interventions);
    for (Index i = 0; i < values_.size(); ++i) values_(i) = logit(trace, i) / kLogit;
    return values_;
  }

  const Jacobian& slopes() override {
    const DifferentiatedPass pass{network_, request_.interventions, evaluator_.trace(),
                                  evaluator_.pool()};
    for (Index i = 0; i < values_.size(); ++i) {
      const NetworkGradient gradient = gradient_of_answer(pass, answer(i));
      free_.collect(gradient_at(gradient), i, slopes_);
    }
    slopes_ /= kLogit;
    return slopes_;
  }

 private:
  const Answer& answer(Index i) const {
    return request_.wanted[static_cast<std::size_t>(i)].answer;
  }
  double logit(const NetworkTrace& trace, Index i) {
    const Matrix row = trace.stack.final.row(answer(i).row);
    return logit_of(answer(i), logits(network_, row, evaluator_.pool()).row(0));
  }
  const LayerGradient& gradient_at(const NetworkGradient& gradient) const {
    const auto& [sublayer, layer] = request_.at;
    const StackGradient& stack = sublayer == Sublayer::kEncoder ? gradient.encoder : gradient.stack;
    const BlockGradient& block = stack.blocks.at(static_cast<std::size_t>(layer));
    return sublayer == Sublayer::kCross ? block.cross_attention : block.attention;
  }

  const AnswerRequest& request_;
  Network network_;
  Problem shown_;
  FreeMatrices free_;
  NetworkEvaluator evaluator_;
  Eigen::VectorXd values_;
  Jacobian slopes_;
};

void require_parameters(const AnswerRequest& request) {
  const Attention* attention = find_attention(request.network, request.at);
  if (attention == nullptr) throw std::invalid_argument("there is no such layer");
  for (const FreeRow& row : request.free) {
    if (!(row.weight > 0)) throw std::invalid_argument("a weight is positive");
    for (const MatrixRow& place : row.places)
      if (!is_parameter(place.matrix) || layer_matrix_count(*attention, place.matrix) == 0)
        throw std::invalid_argument(std::string(matrix_name(place.matrix)) +
                                    " is no parameter of the layer");
  }
}

std::optional<SolveFault> fault_of(const AnswerRequest& request) {
  const auto is_wanted = [](const WantedAnswer& one) { return one.value.has_value(); };
  if (std::ranges::none_of(request.wanted, is_wanted))
    return SolveFault{SolveFaultKind::kNothingWanted};
  for (std::size_t i = 0; i < request.wanted.size(); ++i) {
    if (request.wanted[i].value && !std::isfinite(*request.wanted[i].value))
      return SolveFault{SolveFaultKind::kNotANumber, i};
    for (std::size_t j = 0; j < i; ++j)
      if (request.wanted[i].answer == request.wanted[j].answer)
        return SolveFault{SolveFaultKind::kTwice, j, i};
  }
  const Index count = count_free(request.shown, request.free);
  if (count == 0) return SolveFault{SolveFaultKind::kNothingFree};
  if (count > kMostSlopes / std::ssize(request.wanted))
    return SolveFault{SolveFaultKind::kTooLarge};
  return std::nullopt;
}

std::optional<SolveFault> unmoved(const AnswerRequest& request, const SmallestChange& change) {
  for (Index i = 0; i < change.slopes().rows(); ++i) {
    const auto cell = static_cast<std::size_t>(i);
    if (!std::isfinite(change.values()(i))) return SolveFault{SolveFaultKind::kNotFinite, cell};
    if (request.wanted[cell].value && change.slopes().row(i).isZero(0))
      return SolveFault{SolveFaultKind::kUnmoved, cell};
  }
  return std::nullopt;
}

Eigen::VectorXd answers_to_aim_at(const AnswerRequest& request, Eigen::VectorXd before) {
  for (Index i = 0; i < before.size(); ++i)
    if (const auto& value = request.wanted[static_cast<std::size_t>(i)].value)
      before(i) = *value / kLogit;
  return before;
}

}  // namespace

AnswerSolution solve_answer(const AnswerRequest& request) {
  for (const WantedAnswer& one : request.wanted)
    validate(one.answer, request.network, std::ssize(request.tokens.ids));
  require_parameters(request);
  if (const auto fault = fault_of(request)) return {fault, {}};
  AnswerFunction function(request);
  SmallestChange change(function, function.free_numbers());
  if (const auto fault = unmoved(request, change)) return {fault, {}};
  const Eigen::VectorXd aim = answers_to_aim_at(request, change.values());
  change.want(aim);
  while (change.step()) {
  }
  function.values(change.change());
  Solution found;
  found.problem = function.shown();
  found.reached = change.reached();
  found.size = change.change().norm();
  found.excess = change.excess();
  found.steps = change.steps();
  for (const double value : change.values())
    found.values.push_back(static_cast<float>(value * kLogit));
  (aim - change.values()).cwiseAbs().maxCoeff(&found.farthest);
  found.changed = changed_cells(request.shown, found.problem, request.free);
  return {std::nullopt, std::move(found)};
}

}  // namespace attention::network
