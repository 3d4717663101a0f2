#pragma once

#include <algorithm>
#include <atomic>
#include <exception>

#include "core/matrix.h"

namespace attention {

/// Thrown by work that was stopped.
class WorkStopped : public std::exception {
 public:
  /// That it was stopped, in words.
  const char* what() const noexcept override { return "stopped"; }
};

/// What another thread sees of long work while it goes on, such as an evaluation, and how it ends
/// it early. Any thread may call any member; one piece of work at a time uses a watch.
class WorkWatch {
 public:
  /// Makes the work throw WorkStopped soon: an evaluation within the work of one head. Holds for
  /// what follows, until reset().
  void stop() { stopped_ = true; }
  /// The share of the work that is done, from 0 to 1; 0 before it begins. Of an evaluation it is
  /// counted in multiply-adds of a full computation.
  double progress() const {
    const Index all = all_;
    return all == 0 ? 0.0
                    : static_cast<double>(std::min(done_.load(), all)) / static_cast<double>(all);
  }
  /// Makes the watch fit for other work.
  void reset() { stopped_ = false, done_ = 0, all_ = 0; }

  /// For the work: so much is ahead, in a unit of its own.
  void expect(Index work) { done_ = 0, all_ = work; }
  /// For the work: so much of it was done. Throws WorkStopped after stop().
  void did(Index work) {
    done_ += work;
    if (stopped_) throw WorkStopped();
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<Index> done_ = 0, all_ = 0;
};

/// Tells `watch`, where there is one, how much is ahead.
inline void expect_work(WorkWatch* watch, Index work) {
  if (watch != nullptr) watch->expect(work);
}

/// Tells `watch`, where there is one, that so much was done. Throws as it does.
inline void report_work(WorkWatch* watch, Index work) {
  if (watch != nullptr) watch->did(work);
}

}  // namespace attention
