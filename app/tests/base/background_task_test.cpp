#include "app/base/background_task.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace lab {
namespace {

using std::chrono::milliseconds;

TEST(BackgroundTask, GivesItsResultOnceItHasFinished) {
  std::atomic<bool> may_end = false;
  BackgroundTask<int> task;
  EXPECT_FALSE(task.busy());
  EXPECT_FALSE(task.finished());
  task.start(
      [&] {
        may_end.wait(false);
        return 7;
      },
      {});
  EXPECT_TRUE(task.busy());
  EXPECT_FALSE(task.finished());
  EXPECT_FALSE(task.wait_for(milliseconds(1)));
  may_end = true;
  may_end.notify_one();
  EXPECT_TRUE(task.wait_for(std::chrono::minutes(1)));
  EXPECT_TRUE(task.finished());
  EXPECT_EQ(task.take(), 7);
  EXPECT_FALSE(task.busy()) << "its result was taken";
}

TEST(BackgroundTask, ThrowsWhatTheWorkThrewAndCanStartAgain) {
  BackgroundTask<int> task;
  task.start([]() -> int { throw std::runtime_error("no"); }, {});
  EXPECT_THROW(task.take(), std::runtime_error);
  task.start([] { return 8; }, {});
  EXPECT_EQ(task.take(), 8);
}

TEST(BackgroundTask, CallsBackAfterTheResultIsThere) {
  BackgroundTask<int> task;
  bool was_there = false;
  task.start([] { return 9; }, [&] { was_there = task.finished(); });
  task.wait();
  EXPECT_TRUE(was_there);
}

TEST(BackgroundTask, WaitsForItsEndWhenItIsDestroyed) {
  std::atomic<int> calls = 0;
  {
    BackgroundTask<int> task;
    task.start([] { return 0; }, [&] { ++calls; });
  }
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace lab
