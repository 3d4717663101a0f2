// Menus and drop-downs.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

TEST(Menus, EscapeClosesThem) {
  for (const char* menu : {"menu/File", "menu/Example", "model/n_heads", "model/mask",
                           "button/tokenizer", "menu/weights"}) {
    Screen screen(*open_document("refer"));
    const std::size_t closed = screen.view.widgets().widgets().size();
    screen.click(menu);
    EXPECT_GT(screen.view.widgets().widgets().size(), closed) << menu;
    screen.key(Key::kEscape);
    screen.frames(2);
    EXPECT_EQ(screen.view.widgets().widgets().size(), closed) << menu;
  }
}

TEST(Menus, MovingToAnotherSwitches) {
  Screen screen(*open_document("refer"));
  screen.click("menu/File");
  ASSERT_TRUE(screen.shows("file.open"));
  const Rect edit = screen.place("menu/Edit");
  screen.move({edit.x + 5, edit.y + 5});
  screen.frames(2);
  EXPECT_TRUE(screen.shows("edit.undo"));
  EXPECT_FALSE(screen.shows("file.open"));
}

TEST(Menus, NoneOpensByItself) {
  Screen screen(*open_document("refer"));
  const Rect edit = screen.place("menu/Edit");
  screen.move({edit.x + 5, edit.y + 5});
  screen.frames(2);
  EXPECT_FALSE(screen.shows("edit.undo"));
}

class NarrowMenus : public testing::TestWithParam<float> {};

// Turns the wheel over the open menu until the item is visible, or the menu's end is reached.
void scroll_to(Screen& screen, const std::string& item) {
  for (int i = 0; i < 80 && !screen.shows(item); ++i) {
    compat::feed_scroll(ImGui::GetIO(), {0, -1});
    screen.frames(2);
  }
}

TEST_P(NarrowMenus, EveryActionAndExampleIsInReach) {
  Screen screen(*open_document("refer"), {1024, 640});
  screen.view.state().scale = GetParam();
  screen.frames(3);
  const bool joined = screen.shows("menu/All");
  screen.click(joined ? "menu/All" : "menu/Help");
  if (joined) {
    const Rect first = screen.place("file.open");
    screen.move({first.x + 5, first.y + 5});
    scroll_to(screen, "help.shortcuts");
  }
  EXPECT_TRUE(screen.shows("help.shortcuts"));
  if (joined) scroll_to(screen, "example/cat-sat");
  if (!screen.shows("example/cat-sat")) {
    screen.key(Key::kEscape);
    screen.click("menu/Example");
  }
  EXPECT_TRUE(screen.shows("example/cat-sat"));
  for (const char* name : {"button/undo", "button/redo", "button/export"})
    EXPECT_GT(screen.place(name).w, 10) << name;
}

TEST_P(NarrowMenus, HelpCanBeClosedByTheMouse) {
  Screen screen(*open_document("refer"), {1024, 640});
  screen.view.state().scale = GetParam();
  screen.frames(3);
  screen.key(Key::kF1);
  screen.frames(4);
  const Rect close = screen.place("dialog/ok");
  EXPECT_GT(close.h, 10);
  EXPECT_LE(close.bottom(), 640);
  screen.click("dialog/ok");
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kNone);
}

INSTANTIATE_TEST_SUITE_P(Scales, NarrowMenus, testing::Values(1.0f, 1.5f, 2.0f, 3.0f));

TEST(CardMenu, EnlargesItsOwnCard) {
  Screen screen(*open_document("refer"));
  select_cell(screen.view.state().selection, attention::Stage::kWeights, {1, 1});
  screen.frames(2);
  screen.click("menu/concat");
  screen.frames(2);
  screen.click("menu/concat/view.large");
  screen.frames(2);
  EXPECT_EQ(screen.view.state().inspection.large, attention::Stage::kConcat);
}

}  // namespace
}  // namespace lab
