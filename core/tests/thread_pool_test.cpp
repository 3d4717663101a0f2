#include "core/numerics/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace attention::test {
namespace {

// Lets pools use so many threads at once, whatever the machine has, until it is destroyed.
class Budget {
 public:
  explicit Budget(int threads) { ThreadPool::set_budget(threads); }
  ~Budget() {
    ThreadPool::set_budget(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  }
};

TEST(ThreadPool, DoesEachTaskOnce) {
  const Budget budget(8);
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const Index count : {0, 1, 2, 7, 1000}) {
      std::vector<int> done(static_cast<size_t>(count), 0);
      pool.run(count, [&](Index i) { ++done[static_cast<size_t>(i)]; });
      EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), count);
      EXPECT_TRUE(std::ranges::all_of(done, [](int n) { return n == 1; }));
    }
  }
}

// Each round reads what the previous one wrote.
TEST(ThreadPool, ManyShortRoundsFollowEachOther) {
  const Budget budget(8);
  ThreadPool pool(3);
  std::vector<Index> values(16, 0);
  for (int round = 0; round < 20'000; ++round) {
    pool.run(16, [&](Index i) { values[static_cast<size_t>(i)] += i; });
  }
  for (Index i = 0; i < 16; ++i) EXPECT_EQ(values[static_cast<size_t>(i)], 20'000 * i);
}

TEST(ThreadPool, RethrowsWhatATaskThrewAndStaysUsable) {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    const auto task = [](Index i) {
      if (i == 3) throw std::runtime_error("third");
    };
    EXPECT_THROW(pool.run(8, task), std::runtime_error);
    Index sum = 0;
    pool.run(1, [&](Index) { ++sum; });
    EXPECT_EQ(sum, 1);
  }
}

// How many tasks ran at once, at most, while `pools` pools of four threads computed.
int most_at_once(int pools) {
  std::atomic<int> running{0}, most{0};
  std::vector<std::jthread> callers;
  for (int i = 0; i < pools; ++i)
    callers.emplace_back([&] {
      ThreadPool pool(4);
      for (int round = 0; round < 20; ++round)
        pool.run(16, [&](Index) {
          const int now = ++running;
          for (int old = most; old < now && !most.compare_exchange_weak(old, now);) {
          }
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          --running;
        });
    });
  callers.clear();
  return most;
}

TEST(ThreadPool, AllPoolsShareOneBudget) {
  for (const int threads : {1, 2, 3}) {
    const Budget budget(threads);
    EXPECT_LE(most_at_once(1), threads);
    EXPECT_LE(most_at_once(3), 3 + threads - 1) << "three callers, who never wait, and workers";
  }
}

// Each task waits for the other three.
TEST(ThreadPool, AloneUsesAllItsThreads) {
  const Budget budget(4);
  ThreadPool pool(4);
  std::atomic<int> running{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  pool.run(4, [&](Index) {
    ++running;
    while (running < 4 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  EXPECT_LT(std::chrono::steady_clock::now(), end);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Limits this process to that many bytes beyond what it uses now.
void limit_memory(rlim_t bytes) {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
}

// Makes a pool when there is only room for the stacks of some of its threads; a process that hangs
// is killed by the alarm.
[[noreturn]] void make_a_pool_without_room() {
  limit_memory(100'000'000);
  alarm(30);
  try {
    const ThreadPool pool(500);
  } catch (const std::system_error&) {
    std::_Exit(0);
  }
  std::_Exit(1);
}

TEST(ThreadPoolDeathTest, ThrowsWhenAThreadCannotBeStartedAndStopsTheOthers) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer ends the process when memory is short";
  EXPECT_EXIT(make_a_pool_without_room(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace attention::test
