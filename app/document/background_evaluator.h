#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include "core/layer/evaluator.h"

namespace lab {

/// How an evaluation went.
struct EvaluationReport {
  attention::EvaluationReport recomputed;
  double microseconds = 0;
};

/// An evaluator that works here and now, or on a thread of its own. All members are called from
/// one thread; one evaluation runs at a time.
class BackgroundEvaluator {
 public:
  /// `threads` as attention::Evaluator takes them.
  explicit BackgroundEvaluator(int threads) : evaluator_(threads) {}
  /// Stops what is running.
  ~BackgroundEvaluator() { stop(); }
  BackgroundEvaluator(const BackgroundEvaluator&) = delete;
  BackgroundEvaluator& operator=(const BackgroundEvaluator&) = delete;

  /// Evaluates here and now. Throws as attention::Evaluator does. Precondition: not busy().
  EvaluationReport run(const attention::Problem& problem);

  /// Begins to evaluate on the thread, which calls `told` when it has finished. Throws
  /// std::system_error when there is no thread to be had. Precondition: not busy().
  void start(attention::Problem problem, std::function<void()> told);
  /// True from start() to take().
  bool busy() const { return result_.valid(); }
  /// True when take() would not wait. Precondition: busy().
  bool finished() const { return wait_for(std::chrono::milliseconds(0)); }
  /// Waits for the end, but no longer than that; true when it came. Precondition: busy().
  bool wait_for(std::chrono::milliseconds patience) const;
  /// Waits until nothing goes on any more, and whoever is told has been told.
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  /// The report on what was started; waits for its end. Throws what the evaluation threw.
  /// Precondition: busy().
  EvaluationReport take() { return result_.get(); }

  /// Makes take() throw attention::WorkStopped soon, unless the end comes first.
  void stop() { watch_.stop(); }
  /// Share of the work that is done, 0 to 1.
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
