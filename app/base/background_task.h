#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace lab {

/// A computation that runs on a background thread; one at a time. All members must be called from
/// one thread. The destructor waits for the end of the computation.
template <typename Result>
class BackgroundTask {
 public:
  /// Starts `work`, then calls `on_finished` (may be empty), both on the background thread. Where
  /// no thread can be started, does both before it returns. Precondition: not busy().
  template <typename Work>
  void start(Work work, std::function<void()> on_finished) {
    // std::function copies what it holds, and a packaged task cannot be copied.
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
    started_ = Clock::now();
    result_ = task->get_future();
    const auto run = [task = std::move(task), on_finished = std::move(on_finished)] {
      (*task)();
      if (on_finished) on_finished();
    };
    try {
      thread_ = std::jthread(run);
    } catch (const std::system_error&) {
      run();
    }
  }

  /// True from start() to take().
  bool busy() const { return result_.valid(); }
  /// True when there is a result to take().
  bool finished() const { return busy() && wait_for(std::chrono::milliseconds(0)); }
  /// Waits for the result, but no longer than `timeout`; true when it is there. Precondition:
  /// busy().
  bool wait_for(std::chrono::milliseconds timeout) const {
    return result_.wait_for(timeout) == std::future_status::ready;
  }
  /// Waits until nothing runs and `on_finished` has been called.
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  /// The result; waits for it. Throws what `work` threw. Precondition: busy().
  Result take() { return result_.get(); }
  /// Time since start().
  std::chrono::duration<double> running_for() const { return Clock::now() - started_; }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point started_;
  std::future<Result> result_;
  std::jthread thread_;
};

}  // namespace lab
