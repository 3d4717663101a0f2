#include "core/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

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

// What one round wrote the next one reads.
TEST(ThreadPool, ManyShortRoundsFollowEachOther) {
  ThreadPool pool(3);
  std::vector<Index> values(16, 0);
  for (int round = 0; round < 20'000; ++round) {
    pool.run(16, [&](Index i) { values[static_cast<size_t>(i)] += i; });
  }
  for (Index i = 0; i < 16; ++i) EXPECT_EQ(values[static_cast<size_t>(i)], 20'000 * i);
}

TEST(ThreadPool, ThrowsWhatATaskThrewAndGoesOn) {
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

}  // namespace
}  // namespace attention::test
