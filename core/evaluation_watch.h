#pragma once

#include <algorithm>
#include <atomic>
#include <exception>

#include "core/matrix.h"

namespace attention {

/// Thrown by an evaluation that was stopped.
class EvaluationStopped : public std::exception {
 public:
  /// That it was stopped, in words.
  const char* what() const noexcept override { return "the evaluation was stopped"; }
};

/// What another thread sees of an evaluation while it runs, and how it ends one early. Any thread
/// may call any member; one evaluation at a time uses a watch.
class EvaluationWatch {
 public:
  /// Makes the evaluation throw EvaluationStopped within the work of one head. Holds for the
  /// evaluations that follow, until reset().
  void stop() { stopped_ = true; }
  /// The share of the work that is done, from 0 to 1, counted in multiply-adds of a full
  /// computation; 0 before the evaluation begins.
  double progress() const {
    const Index all = all_;
    return all == 0 ? 0.0
                    : static_cast<double>(std::min(done_.load(), all)) / static_cast<double>(all);
  }
  /// Makes the watch fit for another evaluation.
  void reset() { stopped_ = false, done_ = 0, all_ = 0; }

  /// For the evaluation: so much work is ahead.
  void expect(Index work) { done_ = 0, all_ = work; }
  /// For the evaluation: so much of it was done. Throws EvaluationStopped after stop().
  void did(Index work) {
    done_ += work;
    if (stopped_) throw EvaluationStopped();
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<Index> done_ = 0, all_ = 0;
};

/// Tells `watch`, where there is one, that so much was done. Throws as it does.
inline void report_work(EvaluationWatch* watch, Index work) {
  if (watch != nullptr) watch->did(work);
}

}  // namespace attention
