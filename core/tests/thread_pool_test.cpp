#include "core/numerics/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <system_error>

namespace attention::test {
namespace {

TEST(ThreadPool, DoesEachTaskOnce) {
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
