// The field that finds every command by its name, and the themes it can choose.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/files/open.h"
#include "app/tests/view/screen.h"
#include "app/view/actions.h"
#include "app/view/search.h"

namespace lab {
namespace {

TEST(Search, FindsWordsInAnyOrderAndCase) {
  EXPECT_TRUE(match_score("", "Next head"));
  EXPECT_TRUE(match_score("head NEXT", "View: Next head"));
  EXPECT_TRUE(match_score("nh", "Next head"));
  EXPECT_FALSE(match_score("head tail", "Next head"));
  EXPECT_FALSE(match_score("hn", "Next head").has_value() &&
               *match_score("hn", "Next head") > *match_score("nh", "Next head"));
}

TEST(Search, RanksTheStartOfAWordFirst) {
  EXPECT_GT(*match_score("sa", "File: Save"), *match_score("sa", "Message"));
  EXPECT_GT(*match_score("age", "Message"), *match_score("mge", "Message"));
}

class Commands : public testing::Test {
 protected:
  void open() {
    screen.key(Key::kK, true);
    screen.frames(3);
    ASSERT_TRUE(screen.shows("command/search"));
  }
  Screen screen{*open_document("refer")};
};

TEST_F(Commands, RunTheOneThatWasTyped) {
  open();
  screen.type("high con");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.view.state().theme, ThemeId::kHighContrast);
  EXPECT_FALSE(screen.shows("command/search"));
}

TEST_F(Commands, TakeArrowsAndTheMouse) {
  open();
  screen.type("explain sc");
  ASSERT_TRUE(screen.shows("command/stage/scores"));
  screen.key(Key::kDown);
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.view.state().selection.stage, attention::Stage::kScaledScores);
  open();
  screen.type("focus head");
  screen.click("command/head/3");
  EXPECT_EQ(screen.view.state().head, 2);
}

TEST_F(Commands, DoNotRunWhatCannotBeRun) {
  open();
  screen.type("undo");
  ASSERT_TRUE(screen.shows("command/edit.undo"));
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("command/search"));
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("command/search"));
}

TEST_F(Commands, LeadToOtherDialogs) {
  open();
  screen.type("save as");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kSaveAs);
  EXPECT_TRUE(screen.shows("dialog/path"));
}

TEST_F(Commands, ReachEveryAction) {
  for (const Action& action : all_actions()) {
    if (action.id == "help.commands") continue;
    open();
    const auto is_ascii = [](char c) { return static_cast<signed char>(c) >= 0; };
    const auto end = std::ranges::find_if_not(action.name, is_ascii);
    screen.type(std::string(action.name.begin(), end));
    EXPECT_TRUE(screen.shows("command/" + std::string(action.id))) << action.id;
    screen.key(Key::kEscape);
    screen.frames(2);
  }
}

TEST_F(Commands, SayWhenNothingIsCalledThat) {
  open();
  screen.type("zzzzzz");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("command/search"));
}

TEST(Themes, CanBeRead) {
  for (const ThemeId id : {ThemeId::kLight, ThemeId::kDark, ThemeId::kHighContrast}) {
    const Theme& theme = theme_for(id);
    const double least = id == ThemeId::kHighContrast ? 7 : 4.5;
    EXPECT_GE(contrast(theme.text, theme.card), 7) << theme_name(id);
    EXPECT_GE(contrast(theme.dim, theme.card), least) << theme_name(id);
    EXPECT_GE(contrast(theme.text, theme.button), least) << theme_name(id);
    EXPECT_GE(contrast(theme.on_accent, theme.accent), least) << theme_name(id);
    EXPECT_GE(contrast(theme.danger, theme.card), least) << theme_name(id);
    if (id == ThemeId::kHighContrast) {
      EXPECT_GE(contrast(theme.selected, theme.card), least);
      EXPECT_GE(contrast(theme.on_selected, theme.selected), least);
      EXPECT_GE(contrast(theme.line, theme.card), 3);
    }
  }
}

}  // namespace
}  // namespace lab
