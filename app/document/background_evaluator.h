#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "app/base/background_task.h"
#include "app/document/document.h"
#include "core/layer/evaluator.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// What an evaluation recomputed, and how long it took.
struct EvaluationReport {
  attention::EvaluationReport recomputed;
  double microseconds = 0;
};

/// The forward pass of a trained model, which nothing changes any more. It shares its matrices with
/// the evaluator until that computes them anew.
using SharedNetworkTrace = std::shared_ptr<const attention::network::NetworkTrace>;

/// What an evaluation gives besides the trace of the layer.
struct Evaluation {
  EvaluationReport report;
  SharedNetworkTrace network;  ///< null for a document made by hand
  /// The document with the X that the layers before it give; null when it was not pending.
  std::shared_ptr<const Document> completed;
};

/// An evaluator of documents that runs synchronously or on a background thread. All members must be
/// called from one thread; one evaluation runs at a time.
class BackgroundEvaluator {
 public:
  /// `threads` as for attention::Evaluator.
  explicit BackgroundEvaluator(int threads) : threads_(threads), evaluator_(threads) {}
  /// Stops a running evaluation.
  ~BackgroundEvaluator() { stop(); }
  /// Can be neither copied nor moved: a running evaluation refers to it.
  BackgroundEvaluator(const BackgroundEvaluator&) = delete;
  BackgroundEvaluator& operator=(const BackgroundEvaluator&) = delete;

  /// Evaluates synchronously: the whole model of a document that is a layer of one, then the layer.
  /// Throws as attention::Evaluator and NetworkEvaluator do. Precondition: not busy().
  Evaluation run(const Document& document);

  /// Starts an evaluation on the background thread, which calls `on_finished` at the end, see
  /// BackgroundTask. Precondition: not busy().
  void start(Document document, std::function<void()> on_finished);
  /// True from start() to take().
  bool busy() const { return task_.busy(); }
  /// True when there is a result to take().
  bool finished() const { return task_.finished(); }
  /// Waits for the end, but no longer than `timeout`; true when it was reached. Precondition:
  /// busy().
  bool wait_for(std::chrono::milliseconds timeout) const { return task_.wait_for(timeout); }
  /// Waits until nothing is running and `on_finished` has been called.
  void wait() { task_.wait(); }
  /// The result of the evaluation that was started; waits for its end. Throws what the evaluation
  /// threw. Precondition: busy().
  Evaluation take() { return task_.take(); }

  /// Makes take() throw attention::WorkStopped soon, unless the evaluation finishes first.
  void stop() { watch_.stop(); }
  /// The fraction of the work that is done, 0 to 1.
  double progress() const { return watch_.progress(); }
  /// Time since start().
  std::chrono::duration<double> running_for() const { return task_.running_for(); }

  /// The trace of the last evaluation. Precondition: not busy().
  const attention::Trace& trace() const { return evaluator_.trace(); }

 private:
  Evaluation evaluate(const Document& document);
  void evaluate_model(const Document& document, Evaluation& result);

  int threads_;
  attention::Evaluator evaluator_;
  std::optional<attention::network::NetworkEvaluator> network_;  // made for the first model
  std::shared_ptr<const ModelDocument> evaluated_;               // the model of `trace_`
  SharedNetworkTrace trace_;
  attention::WorkWatch watch_;
  BackgroundTask<Evaluation> task_;  // last: it uses the others
};

}  // namespace lab
