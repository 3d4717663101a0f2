#include "core/numerics/thread_pool.h"

#include <csignal>
#include <limits>
#include <utility>

namespace attention {
namespace {

int processors() {
  const unsigned known = std::thread::hardware_concurrency();
  return known > 0 ? static_cast<int>(known) : std::numeric_limits<int>::max();
}

// Threads of all pools that compute: at most `budget`, unless more than that call run().
std::atomic<int> budget{processors()}, computing{0};

// True when one more thread may compute, which is counted then.
bool take_share_of_budget() {
  if (computing.fetch_add(1, std::memory_order_relaxed) < budget.load(std::memory_order_relaxed))
    return true;
  computing.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void return_share_of_budget() { computing.fetch_sub(1, std::memory_order_relaxed); }

// Signals go to the threads of the program that uses the library, never to a worker. WebAssembly
// has none.
void leave_signals_to_others() {
#ifndef __wasm__
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
#endif
}

// WebAssembly starts no threads: there, every pool is the calling one.
#ifdef __wasm__
constexpr bool kStartsThreads = false;
#else
constexpr bool kStartsThreads = true;
#endif

// Lets the processor do something else for a moment.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until `value` is no longer `old`: spinning at first, because the next round of an
// evaluation comes within microseconds, then sleeping.
template <typename T>
T wait_for_change(const std::atomic<T>& value, T old) {
  constexpr int kLooks = 2000;
  for (int i = 0; i < kLooks; ++i) {
    const T now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

// After the delegated constructor the pool is complete, so that when a thread cannot be started the
// destructor stops those before it.
ThreadPool::ThreadPool(int threads) : ThreadPool() {
  for (int i = 1; kStartsThreads && i < threads; ++i) {
    workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

ThreadPool::~ThreadPool() {
  for (std::jthread& worker : workers_) worker.request_stop();
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadPool::set_budget(int threads) { budget.store(threads, std::memory_order_relaxed); }

void ThreadPool::take_tasks() {
  try {
    for (Index i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) call_(context_, i);
  } catch (...) {
    next_.store(count_);
    const std::scoped_lock lock(mutex_);
    if (failure_ == nullptr) failure_ = std::current_exception();
  }
}

void ThreadPool::share(Index count, void* context, Call call) {
  {
    const std::scoped_lock lock(mutex_);
    context_ = context;
    call_ = call;
    count_ = count;
    next_.store(0);
    open_ = true;
  }
  computing.fetch_add(1, std::memory_order_relaxed);  // before the workers ask
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  take_tasks();
  {
    const std::scoped_lock lock(mutex_);
    open_ = false;
  }
  return_share_of_budget();
  for (int joined = joined_.load(std::memory_order_acquire); joined > 0;) {
    joined = wait_for_change(joined_, joined);
  }
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool ThreadPool::join() {
  const std::scoped_lock lock(mutex_);
  const bool joins = open_ && take_share_of_budget();
  if (joins) joined_.fetch_add(1);
  return joins;
}

void ThreadPool::work(const std::stop_token& stop) {
  leave_signals_to_others();
  std::uint32_t seen = 0;
  while (true) {
    seen = wait_for_change(round_, seen);
    if (stop.stop_requested()) return;
    if (!join()) continue;
    take_tasks();
    return_share_of_budget();
    joined_.fetch_sub(1, std::memory_order_release);
    joined_.notify_one();
  }
}

}  // namespace attention
