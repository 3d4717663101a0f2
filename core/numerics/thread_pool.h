#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/matrix.h"

namespace attention {

/// Threads that share independent tasks. Which thread runs which task is unspecified, so a task
/// must not depend on it; the results are then the same on any number of threads. All pools of a
/// process share one budget of threads: while one pool computes, the workers of another stay idle
/// rather than compete with it for processors.
class ThreadPool {
 public:
  /// `threads` in all, including the calling one; at least 1. Throws std::system_error when one of
  /// them cannot be started, after stopping those that were.
  explicit ThreadPool(int threads);
  /// Stops the threads.
  ~ThreadPool();
  /// A pool can be neither copied nor moved.
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Limits how many threads of all pools together compute at once, from the next call of run() on;
  /// at first, the number of processors. Threads that call run() are counted and never wait.
  static void set_budget(int threads);

  /// The number of threads, including the calling one.
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls task(0) … task(count − 1), each once, and returns when all are done. Rethrows the
  /// exception of the first task that failed. Must not be called from a task.
  template <typename Task>
  void run(Index count, Task task) {
    if (count < 2 || workers_.empty()) {
      for (Index i = 0; i < count; ++i) task(i);
    } else {
      share(count, &task, [](void* context, Index i) { (*static_cast<Task*>(context))(i); });
    }
  }

 private:
  ThreadPool() = default;  // without workers

  using Call = void (*)(void* context, Index i);

  void share(Index count, void* context, Call call);
  void work(const std::stop_token& stop);
  bool join();
  void take_tasks();

  // One round of tasks. Workers join it under the mutex while it is open, and the caller closes it
  // before waiting for those that have joined; late workers are not waited for.
  std::mutex mutex_;
  bool open_ = false;
  void* context_ = nullptr;
  Call call_ = nullptr;
  Index count_ = 0;
  std::exception_ptr failure_;
  std::atomic<Index> next_{0};           // the next task to be taken
  std::atomic<int> joined_{0};           // workers in the round
  std::atomic<std::uint32_t> round_{0};  // incremented with each round, and when the pool is
                                         // destroyed
  std::vector<std::jthread> workers_;
};

}  // namespace attention
