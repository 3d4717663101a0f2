#include "app/document/background_evaluator.h"

#include <utility>

#include "app/document/model/model_document.h"
#include "app/document/model/shown_layer.h"

namespace lab {

// The forward pass is kept as long as the model stays the same, such as when another layer is
// shown.
void BackgroundEvaluator::evaluate_model(const Document& document, Evaluation& result) {
  const ModelDocument& model = *document.layer.model;
  if (!network_) network_.emplace(threads_);
  if (evaluated_ != document.layer.model || !trace_) {
    evaluated_.reset();
    const attention::network::NetworkTrace& trace =
        network_->evaluate(model.network, tokens_of(model), model.interventions, &watch_);
    trace_ = std::make_shared<const attention::network::NetworkTrace>(trace);
    evaluated_ = document.layer.model;
  }
  result.network = trace_;
  if (document.layer.pending)
    result.completed =
        std::make_shared<const Document>(completed_layer(document, *trace_, network_->pool()));
}

Evaluation BackgroundEvaluator::evaluate(const Document& document) {
  const auto start = std::chrono::steady_clock::now();
  Evaluation result;
  if (document.layer.model) {
    evaluate_model(document, result);
  } else {
    network_.reset(), evaluated_.reset(), trace_.reset();
  }
  evaluator_.evaluate(result.completed ? result.completed->problem : document.problem, &watch_);
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  result.report = {evaluator_.report(), taken.count()};
  return result;
}

Evaluation BackgroundEvaluator::run(const Document& document) {
  watch_.reset();
  return evaluate(document);
}

void BackgroundEvaluator::start(Document document, std::function<void()> on_finished) {
  watch_.reset();
  task_.start([this, document = std::move(document)] { return evaluate(document); },
              std::move(on_finished));
}

}  // namespace lab
