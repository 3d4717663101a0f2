// What is visible: scrolling, the layout after zooming, numbers that fit.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

Document sized(int d_model, int d_k) {
  attention::Config config;
  config.n_heads = 2;
  config.d_model = config.d_out = d_model;
  config.d_k = config.d_v = d_k;
  return make_document("one two three four", config, 7);
}

TEST(Scrolling, TheCursorOfTheGridStaysInViewOfTheColumn) {
  Screen screen(*open_document("refer"), {1024, 640});
  screen.click("matrix/W_Q/0/0");
  for (int i = 0; i < 7; ++i) {
    screen.key(Key::kDown);
    screen.frames(2);
    const std::string name =
        "matrix/W_Q/" + std::to_string(screen.view.state().edit.cursor.row) + "/0";
    ASSERT_TRUE(screen.shows(name)) << name;
    EXPECT_GE(screen.place(name).h, 18) << name;
  }
  for (int i = 0; i < 7; ++i) screen.key(Key::kUp);
  screen.frames(2);
  EXPECT_GE(screen.place("matrix/W_Q/0/0").h, 18);
}

TEST(Scrolling, AScrollBarCoversNoRowOfTheGrid) {
  Screen screen(sized(8, 16));
  const float full = screen.place("matrix/W_Q/0/0").h;
  EXPECT_GE(full, 20);
  EXPECT_FLOAT_EQ(screen.place("matrix/W_Q/7/0").h, full);
  const Rect visible = screen.place("matrix/W_Q"), last = screen.place("matrix/W_Q/7/0");
  EXPECT_LE(last.bottom(), visible.bottom() + 0.5f);
}

TEST(Scrolling, FourColumnsNeedNoBar) {
  Screen screen(sized(64, 4));
  for (const std::string& bar : screen.scroll_bars())
    EXPECT_FALSE(bar.find("edit grid") != bar.npos && bar.ends_with("across")) << bar;
}

TEST(Zoom, ThereAndBackLeavesTheLayoutAsItWas) {
  for (const SideTab tab : {SideTab::kEdit, SideTab::kExplain}) {
    Screen screen(*open_document("refer"), {1024, 640});
    screen.view.state().side_tab = tab;
    screen.frames(4);
    const auto before = screen.view.widgets().widgets();
    const auto scrolls_before = screen.scroll_bars();
    for (int i = 0; i < 6; ++i) screen.key(Key::kEqual, true);
    screen.frames(3);
    screen.key(Key::k0, true);
    screen.frames(4);
    EXPECT_EQ(screen.scroll_bars(), scrolls_before);
    for (const auto& [name, rect] : before) {
      ASSERT_TRUE(screen.shows(name)) << name;
      const Rect now = screen.place(name);
      EXPECT_TRUE(now.x == rect.x && now.y == rect.y && now.w == rect.w && now.h == rect.h) << name;
    }
  }
}

// The output has more columns than V: the cell that was selected there is not in V.
TEST(Stages, SteppingToANarrowerOneSelectsACellOfIt) {
  Screen screen(*open_document("refer"));
  screen.view.state().selection.stage = attention::Stage::kOutput;
  screen.view.state().selection.feature = 7;
  screen.key(Key::kEscape);
  screen.click("head/1");  // nothing has the keyboard focus
  for (int i = 0; i < 12; ++i) screen.key(Key::kLeftBracket);
  const Selection& selection = screen.view.state().selection;
  EXPECT_LT(selection.feature, stage_shape(screen.document().problem, selection.stage).cols);
}

}  // namespace
}  // namespace lab
