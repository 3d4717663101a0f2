// Overrides of computed numbers, and the list of all steps.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Override;
using attention::Stage;

bool is_zoomed(Screen& screen) {
  const auto& regions = screen.view.state().inspection.regions;
  return std::ranges::any_of(regions, [](const auto& region) { return !region.second.whole(); });
}

class Overrides : public ::testing::Test {
 protected:
  Overrides() : screen(*open_document("refer")) {}
  float score(int row, int col) const {
    return (*screen.workspace.trace().heads[0].scores)(row, col);
  }
  const std::vector<Override>& all() const { return screen.document().problem.overrides; }
  void override_cell(const std::string& cell, const std::string& number) {
    screen.click(cell);
    screen.key(Key::kEnter);
    screen.type(number);
    screen.key(Key::kEnter);
  }
  void override_score(const std::string& number) { override_cell("stage/scores/2/3", number); }
  // As a keyboard does: the key, and the character that it writes.
  void press(Key key, char character) {
    compat::feed_character(ImGui::GetIO(), static_cast<unsigned char>(character));
    screen.key(key);
  }

  Screen screen;
};

TEST_F(Overrides, ANumberTypedInAnOpenedCellReplacesIt) {
  screen.click("stage/scores/2/3");
  screen.key(Key::kEnter);
  screen.type("-4.5");
  EXPECT_EQ(score(2, 3), -4.5f) << "seen while it is typed";
  EXPECT_FALSE(screen.workspace.history().can_undo());
  screen.key(Key::kEnter);
  EXPECT_EQ(all(), (std::vector<Override>{{Stage::kScores, 0, 2, 3, -4.5f}}));
  EXPECT_EQ(screen.workspace.history().undo_label(),
            "Override scores of head 1, row didn't, column cross: -4.5");
}

TEST_F(Overrides, StrayKeysOnAClickedCellChangeNoNumber) {
  const float before = score(2, 3);
  screen.click("stage/scores/2/3");
  press(Key::k2, '2');
  EXPECT_EQ(screen.view.state().head, 1) << "a digit chooses a head, as everywhere";
  press(Key::kEqual, '+');
  EXPECT_TRUE(is_zoomed(screen)) << "+ zooms";
  press(Key::k0, '0');
  EXPECT_FALSE(is_zoomed(screen)) << "0 shows the whole map";
  screen.type("7.5e-");
  screen.click("stage/V/1/1");
  EXPECT_FALSE(screen.view.state().overriding.typing);
  EXPECT_FALSE(screen.workspace.modified());
  EXPECT_EQ(score(2, 3), before);
}

TEST_F(Overrides, F2OpensTheField) {
  screen.click("stage/scores/2/3");
  screen.key(Key::kF2);
  screen.type("2");
  EXPECT_EQ(screen.view.state().overriding.typing, "2");
  EXPECT_EQ(screen.view.state().head, 0) << "in an open field a digit is a digit";
}

TEST_F(Overrides, ADoubleClickOpensTheField) {
  const Rect cell = screen.place("stage/weights/1/1");
  screen.move({cell.x + 3, cell.y + 3});
  for (int i = 0; i < 2; ++i) {
    screen.press();
    screen.release();
  }
  ASSERT_TRUE(screen.view.state().overriding.typing);
  screen.key(Key::kBackspace);
  screen.key(Key::kEscape);
  EXPECT_TRUE(all().empty());
}

TEST_F(Overrides, DeleteRemovesTheOverride) {
  const float computed = score(2, 3);
  override_score("7");
  screen.key(Key::kDelete);
  EXPECT_EQ(score(2, 3), computed);
  EXPECT_TRUE(all().empty());
}

TEST_F(Overrides, EscapeCancelsTheNumberAndThenReleasesTheKeys) {
  screen.click("stage/scores/2/3");
  screen.key(Key::kEnter);
  screen.type("9");
  screen.key(Key::kEscape);
  EXPECT_TRUE(all().empty());
  screen.key(Key::kEscape);
  screen.key(Key::kEnter);
  EXPECT_FALSE(screen.view.state().overriding.typing);
}

TEST_F(Overrides, RefusedNumbersAreReported) {
  override_cell("stage/weights/2/3", "1e9");
  EXPECT_TRUE(screen.shows("message"));
  EXPECT_TRUE(all().empty());
}

TEST_F(Overrides, AClickElsewhereKeepsTheNumber) {
  screen.click("stage/scores/2/3");
  screen.key(Key::kEnter);
  screen.type("6");
  screen.click("stage/V/1/1");
  EXPECT_EQ(score(2, 3), 6);
  EXPECT_EQ(screen.view.state().selection.stage, Stage::kV);
}

TEST_F(Overrides, TheCardsMenuOpensTheFieldAndRemoves) {
  screen.click("stage/scores/2/3");
  screen.click("menu/scores");
  screen.frames(2);
  screen.click("menu/scores/override");
  EXPECT_TRUE(screen.view.state().overriding.typing);
  screen.key(Key::kEscape);
  override_score("5");
  screen.click("menu/scores");
  screen.frames(2);
  screen.click("menu/scores/compute");
  EXPECT_TRUE(all().empty());
}

TEST_F(Overrides, AreListedToJumpToAndToRemove) {
  override_score("5");
  override_cell("stage/output/4/1", "1");
  screen.click("stage/Q/0/0");
  screen.click("button/overrides");
  screen.frames(2);
  screen.click("override/1");
  EXPECT_EQ(screen.view.state().selection.stage, Stage::kOutput);
  EXPECT_EQ(selected_cell(screen.view.state().selection), (Cell{4, 1}));
  screen.click("button/overrides");
  screen.frames(2);
  screen.click("override/0/remove");
  ASSERT_EQ(all().size(), 1U);
  EXPECT_EQ(all().front().stage, Stage::kOutput);
  screen.click("overrides/clear");
  screen.frames(2);
  EXPECT_TRUE(all().empty());
  EXPECT_FALSE(screen.shows("button/overrides"));
}

TEST_F(Overrides, OfSharedKeysAreTheSameForEveryHead) {
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kKvHeads, 1}});
  screen.frames(2);
  screen.click("head/3");
  override_cell("stage/K/1/0", "8");
  for (const auto& head : screen.workspace.trace().heads) EXPECT_EQ((*head.K)(1, 0), 8);
}

class Steps : public Overrides {
 protected:
  Steps() {
    for (const float value : {4.0f, 5.0f, 6.0f})
      screen.workspace.queue(intent::Apply{SetCell{{MatrixId::kWO, 0}, 0, 0, value}});
    screen.frames(2);
    screen.key(Key::kH, true);
    screen.frames(2);
  }
  float cell() const { return screen.cell({MatrixId::kWO, 0}, 0, 0); }
};

TEST_F(Steps, AreListedAndJumpedTo) {
  ASSERT_TRUE(screen.shows("history/3"));
  screen.click("history/1");
  EXPECT_EQ(cell(), 4);
  EXPECT_TRUE(screen.shows("history/3")) << "what was undone stays in reach";
  screen.click("history/3");
  EXPECT_EQ(cell(), 6);
}

TEST_F(Steps, HaveTheArrowsWhileTheirListIsOpen) {
  screen.key(Key::kEscape);
  screen.frames(2);
  screen.click("matrix/W_Q/1/1");
  screen.key(Key::kH, true);
  screen.frames(2);
  screen.key(Key::kUp);
  EXPECT_EQ(cell(), 5);
  EXPECT_EQ(screen.view.state().edit.cursor, (Cell{1, 1})) << "not the grid behind it";
}

TEST_F(Steps, AreWalkedThroughWithArrows) {
  screen.key(Key::kUp);
  EXPECT_EQ(cell(), 5);
  screen.key(Key::kHome);
  EXPECT_FALSE(screen.workspace.history().can_undo());
  screen.key(Key::kDown);
  EXPECT_EQ(cell(), 4);
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("history/0"));
  EXPECT_EQ(cell(), 4);
}

// A session that was never saved, left with changes.
class Leaving : public Overrides {
 protected:
  void leave_and_save(const std::string& name) {
    screen.click("dialog/save");
    screen.frames(2);
    screen.key(Key::kA, true);
    screen.type(name);
    screen.key(Key::kEnter);
    screen.frames(2);
  }
  TemporaryFolder folder;
  std::string path = folder / "session.json";
};

TEST_F(Leaving, QuitsOnceTheSessionHasAFile) {
  screen.type("!");
  screen.key(Key::kQ, true);
  screen.frames(2);
  leave_and_save(path);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_TRUE(screen.view.state().quit);
}

TEST_F(Leaving, OpensWhatWasRequestedOnceTheSessionHasAFile) {
  screen.type("!");
  screen.click("menu/Example");
  screen.click("example/cat-sat");
  screen.frames(2);
  leave_and_save(path);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(screen.document().title, "Cat sat");
  EXPECT_FALSE(screen.view.state().quit);
}

TEST_F(Leaving, StaysWhenSavingIsCancelled) {
  screen.type("!");
  screen.key(Key::kQ, true);
  screen.frames(2);
  screen.click("dialog/save");
  screen.frames(2);
  screen.click("dialog/cancel");
  EXPECT_FALSE(screen.view.state().quit);
  screen.key(Key::kS, true);
  screen.frames(2);
  screen.key(Key::kA, true);
  screen.type(path);
  screen.key(Key::kEnter);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(screen.view.state().quit) << "saving alone leaves nothing";
}

TEST_F(Overrides, ExplainSaysAtItsBeginningThatANumberWasPutThereByHand) {
  screen.click("stage/weights/2/3");
  EXPECT_FALSE(screen.shows("explain/by_hand"));
  override_cell("stage/weights/2/3", "0.9");
  ASSERT_TRUE(screen.shows("explain/by_hand"));
  const Rect card = screen.place("panel/explain"), words = screen.place("explain/by_hand");
  EXPECT_LT(words.y, card.y + 90) << "below the title";
}

}  // namespace
}  // namespace lab
