#pragma once

#include <algorithm>
#include <atomic>
#include <exception>

#include "core/matrix.h"

namespace attention {

/// Thrown by work that was stopped.
class WorkStopped : public std::exception {
 public:
  /// The text "stopped".
  const char* what() const noexcept override { return "stopped"; }
};

/// Lets another thread follow long work, such as an evaluation, and stop it early. Any thread may
/// call any member; a watch serves one piece of work at a time.
class WorkWatch {
 public:
  /// Makes the work throw WorkStopped soon: an evaluation within the time of one head. Later work
  /// is stopped too, until reset().
  void stop() { stopped_ = true; }
  /// The fraction of the work that is done, from 0 to 1; 0 before it begins. For an evaluation it
  /// is measured in multiply-adds of a full computation.
  double progress() const {
    const Index all = all_;
    return all == 0 ? 0.0
                    : static_cast<double>(std::min(done_.load(), all)) / static_cast<double>(all);
  }
  /// Prepares the watch for new work.
  void reset() { stopped_ = false, done_ = 0, all_ = 0; }

  /// Called by the work: sets the total amount, in any unit.
  void expect(Index work) { done_ = 0, all_ = work; }
  /// Called by the work: adds to the amount that is done. Throws WorkStopped after stop().
  void did(Index work) {
    done_ += work;
    if (stopped_) throw WorkStopped();
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<Index> done_ = 0, all_ = 0;
};

/// Calls watch->expect(work) unless `watch` is null.
inline void expect_work(WorkWatch* watch, Index work) {
  if (watch != nullptr) watch->expect(work);
}

/// Calls watch->did(work) unless `watch` is null. Throws as it does.
inline void report_work(WorkWatch* watch, Index work) {
  if (watch != nullptr) watch->did(work);
}

}  // namespace attention
