#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include "core/layer/evaluator.h"

namespace lab {

/// What an evaluation recomputed, and how long it took.
struct EvaluationReport {
  attention::EvaluationReport recomputed;
  double microseconds = 0;
};

/// An evaluator that runs synchronously or on a background thread. All members must be called from
/// one thread; one evaluation runs at a time.
class BackgroundEvaluator {
 public:
  /// `threads` as for attention::Evaluator.
  explicit BackgroundEvaluator(int threads) : evaluator_(threads) {}
  /// Stops a running evaluation.
  ~BackgroundEvaluator() { stop(); }
  BackgroundEvaluator(const BackgroundEvaluator&) = delete;
  BackgroundEvaluator& operator=(const BackgroundEvaluator&) = delete;

  /// Evaluates synchronously. Throws as attention::Evaluator does. Precondition: not busy().
  EvaluationReport run(const attention::Problem& problem);

  /// Starts an evaluation on the background thread, which calls `on_finished` at the end. Throws
  /// std::system_error when the thread cannot be started. Precondition: not busy().
  void start(attention::Problem problem, std::function<void()> on_finished);
  /// True from start() to take().
  bool busy() const { return result_.valid(); }
  /// True when take() would not wait. Precondition: busy().
  bool finished() const { return wait_for(std::chrono::milliseconds(0)); }
  /// Waits for the end, but no longer than `patience`; true when it was reached. Precondition:
  /// busy().
  bool wait_for(std::chrono::milliseconds patience) const;
  /// Waits until nothing is running and `on_finished` has been called.
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  /// The report of the evaluation that was started; waits for its end. Throws what the evaluation
  /// threw. Precondition: busy().
  EvaluationReport take() { return result_.get(); }

  /// Makes take() throw attention::WorkStopped soon, unless the evaluation finishes first.
  void stop() { watch_.stop(); }
  /// The fraction of the work that is done, 0 to 1.
  double progress() const { return watch_.progress(); }
  /// Time since start().
  std::chrono::duration<double> running_for() const { return Clock::now() - started_; }

  /// The trace of the last evaluation. Precondition: not busy().
  const attention::Trace& trace() const { return evaluator_.trace(); }

 private:
  using Clock = std::chrono::steady_clock;

  EvaluationReport evaluate(const attention::Problem& problem);

  attention::Evaluator evaluator_;
  attention::WorkWatch watch_;
  Clock::time_point started_;
  std::future<EvaluationReport> result_;
  std::jthread thread_;
};

}  // namespace lab
