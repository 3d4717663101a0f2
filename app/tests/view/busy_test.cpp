#include <gtest/gtest.h>

#include <thread>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

// A window in which every evaluation runs in the background until its result is taken.
class Busy : public testing::Test {
 protected:
  Busy() : screen(*open_document("refer")) {
    screen.workspace.set_sync_timeout(std::chrono::milliseconds(0), {});
  }
  void fetch() {
    while (screen.workspace.behind()) screen.workspace.settle();
    screen.frames(2);
  }
  // The bar appears when the work has taken long enough to be noticed.
  void take_long() {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    screen.frames(2);
  }
  // A number that changes whenever the shown numbers do.
  std::uint64_t shown() const { return screen.workspace.trace().heads[0].Q.version(); }

  Screen screen;
};

TEST_F(Busy, AnEditIsShownInItsGridAtOnceAndInTheStagesWhenItIsDone) {
  screen.click("tab/W_Q");
  const auto before = shown();
  screen.click("matrix/W_Q/0/0");
  screen.type("3");
  screen.key(Key::kEnter);
  EXPECT_TRUE(screen.workspace.behind());
  EXPECT_EQ((*matrix_of(screen.workspace.edited(), {MatrixId::kWQ, 0}))(0, 0), 3.0f);
  EXPECT_EQ(shown(), before);
  fetch();
  EXPECT_NE(shown(), before);
}

TEST_F(Busy, FastTypingIsNotRevertedByWhatIsShown) {
  screen.click("sentence");
  screen.key(Key::kEnd);
  for (const char letter : std::string(" and then")) {
    screen.type(std::string(1, letter));
    screen.frames(2);
  }
  EXPECT_TRUE(screen.view.state().sentence.text.ends_with(" and then"));
  fetch();
  EXPECT_TRUE(screen.document().sentence.ends_with(" and then"));
  EXPECT_EQ(screen.document().tokens.size(), 13u);
}

TEST_F(Busy, FewerHeadsThanTheFocusedOneAreWaitedFor) {
  screen.key(Key::kEscape);
  screen.view.state().head = 2;
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kHeads, 1}});
  screen.frames(3);
  EXPECT_EQ(screen.view.state().head, 2);
  fetch();
  EXPECT_EQ(screen.view.state().head, 0);
}

TEST_F(Busy, ShowsOnlyLongWorkAndStopsIt) {
  const auto before = shown();
  screen.click("matrix/W_Q/0/0");
  screen.type("3");
  screen.key(Key::kEnter);
  EXPECT_FALSE(screen.shows("busy"));
  take_long();
  EXPECT_TRUE(screen.shows("busy"));
  screen.click("button/stop");
  fetch();
  EXPECT_FALSE(screen.shows("busy"));
  EXPECT_EQ(shown(), before);
  EXPECT_NE((*matrix_of(screen.workspace.edited(), {MatrixId::kWQ, 0}))(0, 0), 3.0f);
}

TEST_F(Busy, StopsByKeyboard) {
  screen.key(Key::kEscape);
  screen.workspace.queue(intent::Apply{SetTemperature{2}});
  screen.frames(2);
  screen.key(Key::kPeriod, true);
  fetch();
  EXPECT_EQ(screen.document().problem.config.temperature, 1.0f);
}

}  // namespace
}  // namespace lab
