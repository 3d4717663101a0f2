// Menus, popups and dialogs with the keyboard only.
#include <gtest/gtest.h>

#include "app/tests/rooms.h"
#include "app/tests/view/keyboard.h"

namespace lab {
namespace {

using attention::Stage;

TEST_F(Keyboard, MenusOpenByF10AndAlt) {
  screen.key(Key::kF10);
  EXPECT_EQ(keyboard_focus(), "menu/File");
  screen.key(Key::kRight);
  screen.key(Key::kRight);
  EXPECT_EQ(keyboard_focus(), "menu/View");
  screen.key(Key::kDown);
  screen.frames(3);
  ASSERT_TRUE(screen.shows("view.dark"));
  screen.key(Key::kDown);
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(state().theme, ThemeId::kDark);
  EXPECT_FALSE(screen.shows("view.dark")) << "choosing closes the menu";
  EXPECT_EQ(keyboard_focus(), "menu/View");
  screen.key(Key::kDown);
  screen.frames(2);
  screen.key(Key::kRight);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("model.rotary")) << "an arrow opens the menu beside";
  screen.key(Key::kEscape);
  screen.key(Key::kEscape);
  EXPECT_EQ(keyboard_focus(), "");
  screen.key(Key::kLeftAlt);
  EXPECT_EQ(keyboard_focus(), "menu/File");
}

TEST_F(Keyboard, AltWithAnotherKeyDoesNotOpenMenus) {
  screen.click("chip/3");
  ImGuiIO& io = ImGui::GetIO();
  compat::feed_key(io, Key::kLeftAlt, true);
  screen.frames();
  screen.key(Key::kLeft);
  compat::feed_key(io, Key::kLeftAlt, false);
  screen.frames(2);
  EXPECT_EQ(keyboard_focus(), "");
}

TEST_F(Keyboard, PopupsAreChosenFromByArrows) {
  press("button/variants");
  ASSERT_TRUE(screen.shows("variant/causal"));
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(screen.document().problem.config.mask.causal);
  state().inspection.pins.push_back({"weights", 0, 1, 1});
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_EQ(keyboard_focus(), "button/variants");
  EXPECT_EQ(state().inspection.pins.size(), 1U) << "Esc was the popup's alone";
  apply(SetOverride{{Stage::kScores, 0, 1, 1}, 2});
  press("button/overrides");
  ASSERT_TRUE(screen.shows("override/0"));
  screen.key(Key::kDown);
  screen.key(Key::kRight);
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_TRUE(screen.document().problem.overrides.empty()) << "its cross was pressed";
}

TEST_F(Keyboard, DialogsAreAnsweredByArrows) {
  press("button/export");
  ASSERT_EQ(state().dialog.open, Dialog::kExport);
  const ExportState before = state().dialog.exporting;
  screen.key(Key::kUp);
  screen.key(Key::kSpace);
  screen.frames(2);
  EXPECT_NE(state().dialog.exporting, before);
  for (int i = 0; i < 2; ++i) screen.key(Key::kDown);
  screen.key(Key::kRight);
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(state().dialog.open, Dialog::kNone) << "Close was pressed";
  screen.key(Key::kH, true);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("history/0"));
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("history/0"));
}

}  // namespace
}  // namespace lab
