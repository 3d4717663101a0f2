// The list of steps, and what it says of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

void make_step(Screen& screen, const Command& command) {
  screen.workspace.queue(intent::Apply{command});
  screen.workspace.drain();
}

void open_history(Screen& screen) {
  screen.key(Key::kEscape);
  screen.key(Key::kH, true);
  screen.frames(3);
}

TEST(HistoryList, StaysInTheWindowWithLongSentences) {
  std::string one, other;
  for (int i = 0; i < 40; ++i) {
    one += "extraordinarily" + std::to_string(i) + " ";
    other += "unbelievably" + std::to_string(i) + " ";
  }
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1280, 800}, ImVec2{1024, 640}}) {
    for (const float scale : {1.0f, 1.75f}) {
      Screen screen(*open_document("refer"), size);
      screen.view.state().scale = scale;
      make_step(screen, SetSentence{one});
      make_step(screen, SetSentence{other});
      screen.frames(3);
      open_history(screen);
      for (const char* line : {"history/0", "history/1", "history/2"}) {
        const Rect place = screen.place(line);
        EXPECT_GE(place.x, 0) << size.x << " at " << scale;
        EXPECT_LE(place.right(), size.x) << size.x << " at " << scale;
      }
    }
  }
}

TEST(HistoryList, SaysThatOlderStepsWereDiscarded) {
  Screen screen(*open_document("refer"));
  EXPECT_FALSE(screen.workspace.history().has_discarded());
  for (std::size_t i = 0; i <= History::kMostSteps; ++i)
    screen.workspace.queue(intent::Apply{SetCell{kWQ1, 0, 0, static_cast<float>(i) + 10}});
  screen.workspace.drain();
  EXPECT_TRUE(screen.workspace.history().has_discarded());
  open_history(screen);
  screen.key(Key::kHome);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("history/discarded"));
}

}  // namespace
}  // namespace lab
