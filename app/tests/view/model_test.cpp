// The temperature and the sizes.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

float temperature(const Screen& screen) { return screen.document().problem.config.temperature; }

TEST(Temperature, AClickOnItsNumberEditsTheNumber) {
  Screen screen(*open_document("refer"));
  screen.click("model/temperature/number");
  EXPECT_EQ(temperature(screen), 1) << "nothing changes by a click";
  screen.key(Key::kA, true);
  screen.type("250");
  screen.key(Key::kEnter);
  EXPECT_EQ(temperature(screen), 250);
  EXPECT_EQ(screen.workspace.history().undo_label(), "Set temperature to 250");
  EXPECT_EQ(screen.view.state().head, 0) << "the digits went into the field";
}

TEST(Temperature, OneThatIsOutOfRangeStaysInTheField) {
  Screen screen(*open_document("refer"));
  for (const char* text : {"0", "1001", "-1", "nan", "warm", ""}) {
    screen.click("model/temperature/number");
    screen.key(Key::kA, true);
    screen.key(Key::kDelete);
    screen.type(text);
    screen.key(Key::kEnter);
    EXPECT_EQ(temperature(screen), 1) << text;
    EXPECT_TRUE(screen.shows("message")) << text;
    EXPECT_EQ(screen.view.state().temperature_text, text);
    screen.key(Key::kEscape);
    EXPECT_FALSE(screen.view.state().temperature_text) << text;
  }
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(Temperature, SavingKeepsANumberThatIsBeingTyped) {
  Screen screen(*open_document("refer"));
  screen.click("model/temperature/number");
  screen.key(Key::kA, true);
  screen.type("0.5");
  screen.key(Key::kS, true);
  EXPECT_EQ(temperature(screen), 0.5f);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kSaveAs);
}

TEST(Temperature, EscapeTakesADragBack) {
  Screen screen(*open_document("refer"));
  const Rect slider = screen.place("model/temperature");
  screen.move({slider.x + slider.w / 2, slider.y + slider.h / 2});
  screen.press();
  screen.move({slider.right() - 4, slider.y + slider.h / 2});
  EXPECT_GT(temperature(screen), 2);
  screen.key(Key::kEscape);
  EXPECT_EQ(temperature(screen), 1);
  screen.move({slider.x + 4, slider.y + slider.h / 2});
  screen.release();
  EXPECT_EQ(temperature(screen), 1);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(Sizes, DigitsStayInTheFieldAfterAnError) {
  Screen screen(*open_document("refer"));
  screen.click("model/n_heads");
  screen.frames(2);
  screen.key(Key::kA, true);
  screen.type("0");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(screen.document().problem.config.n_heads, 3);
  EXPECT_TRUE(screen.shows("message"));
  screen.key(Key::k2);
  EXPECT_EQ(screen.view.state().head, 0) << "no head is focused behind the popup";
  screen.key(Key::kA, true);
  screen.type("2");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.document().problem.config.n_heads, 2);
}

}  // namespace
}  // namespace lab
