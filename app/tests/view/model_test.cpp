// The temperature and the sizes.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
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
  EXPECT_EQ(screen.workspace.history().undo_label(), "Temperature: 1 → 250");
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

TEST(Temperature, SavingCommitsANumberThatIsBeingTyped) {
  Screen screen(*open_document("refer"));
  screen.click("model/temperature/number");
  screen.key(Key::kA, true);
  screen.type("0.5");
  screen.key(Key::kS, true);
  EXPECT_EQ(temperature(screen), 0.5f);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kSaveAs);
}

TEST(Temperature, EscapeCancelsADrag) {
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

TEST(Mask, NoneRemovesRulesAndCellsInOneStep) {
  Screen screen(*open_document("refer"));
  for (const Command& command : {Command{SetMask{true, 0, 3}}, Command{FillMask{false}}}) {
    screen.workspace.queue(intent::Apply{command});
    screen.workspace.drain();
  }
  const auto is_painted = [&screen] { return !screen.document().problem.allowed.empty(); };
  screen.frames(2);
  screen.click("model/mask");
  screen.frames(2);
  screen.click("mask/none");
  screen.frames(2);
  const attention::Problem& problem = screen.document().problem;
  EXPECT_FALSE(problem.config.mask.causal);
  EXPECT_EQ(problem.config.mask.window, 0);
  EXPECT_FALSE(is_painted());
  EXPECT_EQ(screen.view.state().notice,
            "The painted mask was removed, with 121 forbidden pairs. Undo brings it back.");
  EXPECT_EQ(screen.workspace.history().undo_label(), "Mask none");
  screen.key(Key::kZ, true);
  EXPECT_TRUE(screen.document().problem.config.mask.causal);
  EXPECT_EQ(screen.document().problem.config.mask.window, 3);
  EXPECT_TRUE(is_painted()) << "one step took both away";
}

TEST(Mask, ARuleThatIsRemovedIsNotWorthAMessage) {
  Screen screen(*open_document("refer"));
  screen.workspace.queue(intent::Apply{SetMask{true}});
  screen.workspace.drain();
  screen.frames(2);
  screen.click("model/mask");
  screen.frames(2);
  screen.click("mask/none");
  screen.frames(2);
  EXPECT_TRUE(screen.document().problem.config.mask == attention::MaskRules{});
  EXPECT_EQ(screen.view.state().notice, "");
}

class Sizes : public testing::Test {
 protected:
  Sizes() {
    screen.click("model/n_heads");
    screen.frames(2);
  }
  int heads() const { return screen.document().problem.config.n_heads; }
  void enter(const std::string& number) {
    screen.key(Key::kA, true);
    screen.type(number);
    screen.key(Key::kEnter);
    screen.frames(2);
  }
  Screen screen{*open_document("refer")};
};

TEST_F(Sizes, EnterTakesTheNumberAndCloses) {
  enter("5");
  EXPECT_EQ(heads(), 5);
  EXPECT_FALSE(screen.shows("field/n_heads"));
  EXPECT_FALSE(screen.shows("message"));
}

TEST_F(Sizes, ARefusedNumberStaysWithItsReason) {
  for (const char* text : {"0", "9999999", "-3", "2.5", "99999999999999"}) {
    enter(text);
    EXPECT_EQ(heads(), 3) << text;
    EXPECT_TRUE(screen.shows("field/problem")) << text;
    EXPECT_FALSE(screen.shows("message")) << "said once, where it is typed: " << text;
    EXPECT_EQ(screen.view.state().size_field.text, text);
  }
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("field/n_heads"));
  screen.click("model/n_heads");
  screen.frames(2);
  EXPECT_FALSE(screen.shows("field/problem")) << "a new try begins anew";
}

TEST_F(Sizes, StepsStayOpen) {
  screen.click("step/n_heads/more");
  screen.click("step/n_heads/more");
  EXPECT_EQ(heads(), 5);
  screen.click("step/n_heads/less");
  EXPECT_EQ(heads(), 4);
  EXPECT_TRUE(screen.shows("field/n_heads"));
}

TEST_F(Sizes, DigitsStayInTheFieldAfterAnError) {
  enter("0");
  EXPECT_EQ(heads(), 3);
  screen.key(Key::k2);
  EXPECT_EQ(screen.view.state().head, 0) << "no head is focused behind the popup";
  enter("2");
  EXPECT_EQ(heads(), 2);
}

}  // namespace
}  // namespace lab
