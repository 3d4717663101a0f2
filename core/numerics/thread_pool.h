#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/matrix.h"

namespace attention {

/// Threads that share independent tasks. Which thread does which task is left open, so a task must
/// not depend on it; then results are the same on any number of threads.
class ThreadPool {
 public:
  /// `threads` in all, the calling one included; at least 1. Throws std::system_error when one of
  /// them cannot be started; those that were are ended then.
  explicit ThreadPool(int threads);
  /// Ends the threads.
  ~ThreadPool();
  /// A pool is neither copied nor moved.
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// How many threads there are, the calling one included.
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls task(0) … task(count − 1), each once, and returns when all are done. Throws what the
  /// first failing task threw. Not to be called from a task.
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
  // before it waits for those that have joined; a worker that comes late is not waited for.
  std::mutex mutex_;
  bool open_ = false;
  void* context_ = nullptr;
  Call call_ = nullptr;
  Index count_ = 0;
  std::exception_ptr failure_;
  std::atomic<Index> next_{0};           // the next task that nobody has taken
  std::atomic<int> joined_{0};           // workers in the round
  std::atomic<std::uint32_t> round_{0};  // raised with each round, and when the pool ends
  std::vector<std::jthread> workers_;
};

}  // namespace attention
