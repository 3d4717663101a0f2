// The whole window with the keyboard only.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "app/tests/rooms.h"
#include "app/tests/view/keyboard.h"
#include "app/view/actions/actions.h"

namespace lab {
namespace {

using attention::Stage;

// True for widgets that only show something, or are only for the pointer because the keyboard has
// another way.
bool needs_no_focus(const std::string& name) {
  const auto starts = [&](const char* start) { return name.starts_with(start); };
  const bool cell = (starts("matrix/") || starts("stage/")) && std::ranges::count(name, '/') >= 3;
  const bool label =
      name.ends_with("/rows") || name.ends_with("/cols") || name.ends_with("sentence/mark");
  const bool token = starts("tokens/query/") || starts("tokens/key/") || starts("tokens/label/");
  return cell || label || token || starts("card/") || starts("panel/") || starts("title/") ||
         starts("range/") || starts("thumb/") || name == "message" || name == "tooltip" ||
         name == "cursor" || name == "ring" || name == "block/histogram" ||
         name == "compare/summary" || name == "sentence/count" || name == "explain/by_hand";
}

TEST_F(Keyboard, ReachesEveryWidget) {
  apply(SetHeadMix{.head = 1, .scale = 2});
  apply(SetOverride{{Stage::kScores, 0, 1, 1}, 2});
  screen.key(Key::kD, true);  // compares
  apply(SetTemperature{2});
  screen.key(Key::kD, true, true);  // shows the difference
  state().inspection.pins.push_back({"weights", 0, 1, 1});
  state().heads.view = HeadView::kDifference;
  state().tokens.lines = TokenLines::kHeads;
  screen.frames(2);
  std::set<std::string> on_screen;
  const std::set<std::string> reached = walk(on_screen);
  EXPECT_GT(reached.size(), 100U);
  for (const std::string& name : on_screen)
    EXPECT_TRUE(reached.contains(name) || needs_no_focus(name)) << name;
  for (const char* name : {"menu/File",
                           "button/undo",
                           "menu/Example",
                           "sentence",
                           "button/tokenizer",
                           "chip/10",
                           "model/d_model",
                           "model/scale",
                           "model/mask",
                           "model/temperature",
                           "button/variants",
                           "model/temperature/number",
                           "tab/W_O",
                           "tab/more",
                           "matrix/W_Q",
                           "fill/zero",
                           "button/fills",
                           "tokens/query",
                           "tokens/key",
                           "tokens/share",
                           "tokens/lines/all",
                           "tokens/head/2",
                           "compare/a",
                           "compare/range",
                           "compare/end",
                           "head/3",
                           "head/3/mute",
                           "head/3/solo",
                           "head/combined",
                           "menu/order",
                           "menu/together",
                           "menu/weights",
                           "large/weights",
                           "moved/1",
                           "explain/back",
                           "menu/explain",
                           "explain/0/0",
                           "pin/0",
                           "pin/0/remove",
                           "row/4",
                           "head/enabled",
                           "head/scale",
                           "metric/Mean entropy",
                           "button/overrides"})
    EXPECT_TRUE(reached.contains(name)) << name;
}

class NarrowKeyboard : public Keyboard {
 protected:
  NarrowKeyboard() : Keyboard({1024, 640}) {}
};

TEST_F(NarrowKeyboard, ReachesEveryWidgetOfBothTabs) {
  for (const SideTab tab : {SideTab::kEdit, SideTab::kExplain}) {
    state().side_tab = tab;
    screen.key(Key::kEscape);
    screen.frames(2);
    std::set<std::string> on_screen;
    const std::set<std::string> reached = walk(on_screen);
    for (const std::string& name : on_screen)
      EXPECT_TRUE(reached.contains(name) || needs_no_focus(name)) << name;
    EXPECT_TRUE(reached.contains("menu/File"));
    EXPECT_TRUE(reached.contains("stage/output")) << "it scrolls to what is below";
  }
}

// The order of the panels is that of their table: see panel_table_test.cpp.
TEST_F(Keyboard, F6GoesThroughThePartsAndBack) {
  std::vector<std::string> forwards, back;
  for (int i = 0; i < 40 && keyboard_focus() != "sentence"; ++i) {
    screen.key(Key::kF6);
    forwards.push_back(keyboard_focus());
  }
  EXPECT_THAT(forwards,
              testing::IsSupersetOf({"button/variants", "matrix/W_Q", "head/1", "stage/weights",
                                     "explain/back", "head/enabled", "menu/File", "sentence"}));
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    screen.key(Key::kF6, false, true);
    back.push_back(keyboard_focus());
  }
  std::ranges::reverse(forwards);
  std::ranges::rotate(forwards, forwards.begin() + 1);
  EXPECT_EQ(back, forwards) << "each part remembers where the ring was";
}

TEST_F(Keyboard, ArrowsGoToNeighbours) {
  lead_to("head/1");
  screen.key(Key::kRight);
  EXPECT_EQ(keyboard_focus(), "head/2");
  screen.key(Key::kRight);
  screen.key(Key::kLeft);
  EXPECT_EQ(keyboard_focus(), "head/2");
  EXPECT_EQ(state().head, 0) << "the ring alone changes nothing";
  lead_to("model/d_model");
  screen.key(Key::kDown);
  EXPECT_EQ(keyboard_focus(), "model/n_heads");
  screen.key(Key::kEnd);
  screen.key(Key::kDown);
  EXPECT_TRUE(keyboard_focus().starts_with("model/"))
      << "arrows stay in their part: " << keyboard_focus();
}

TEST_F(Keyboard, TheRingShowsAndGoes) {
  EXPECT_FALSE(screen.shows("ring"));
  screen.key(Key::kF6);
  ASSERT_TRUE(screen.shows("ring"));
  EXPECT_EQ(screen.place("ring").y, screen.place(keyboard_focus()).y);
  EXPECT_FALSE(state().sentence.active);
  screen.key(Key::kEscape);
  EXPECT_FALSE(screen.shows("ring"));
  screen.key(Key::kTab);
  EXPECT_TRUE(screen.shows("ring"));
  screen.click("chip/3");
  EXPECT_FALSE(screen.shows("ring")) << "a click ends it";
}

TEST_F(Keyboard, ExistingKeysWorkWithTheRing) {
  lead_to("model/scale");
  screen.key(Key::k2);
  EXPECT_EQ(state().head, 1);
  screen.key(Key::kRightBracket);
  EXPECT_EQ(state().selection.stage, Stage::kHeadOutput);
  const Selection before = state().selection;
  screen.key(Key::kUp);
  screen.key(Key::kDown, false, true);
  EXPECT_EQ(state().selection, before) << "the arrows are the ring's";
  screen.key(Key::kEscape);
  screen.key(Key::kDown);
  EXPECT_NE(state().selection, before) << "and the cell's again";
}

TEST_F(Keyboard, OperandsAreFollowed) {
  press("explain/0/0");
  EXPECT_NE(state().selection.stage, Stage::kWeights);
  EXPECT_EQ(panel_with_focus(), "explain") << "the ring stays for the next step";
  press("explain/back");
  EXPECT_EQ(state().selection.stage, Stage::kWeights);
  lead_to("explain/0/1");
  EXPECT_EQ(state().inspection.next_highlight.regions.size(), 1U) << "lit as under the pointer";
}

TEST_F(Keyboard, HeadsAreFocusedMutedAndCompared) {
  press("head/2");
  EXPECT_EQ(state().head, 1);
  lead_to("head/3");
  screen.key(Key::kS);
  screen.key(Key::kM);
  ASSERT_EQ(screen.document().problem.head_mix.size(), 3U);
  EXPECT_TRUE(screen.document().problem.head_mix[2].mute) << "the head in the ring";
  EXPECT_TRUE(screen.document().problem.head_mix[2].solo);
  press("head/3/mute");
  EXPECT_FALSE(screen.document().problem.head_mix[2].mute);
  press("head/1", true);
  EXPECT_EQ(state().heads.view, HeadView::kDifference);
  EXPECT_EQ(state().heads.second, 0);
  press("tokens/lines/heads");
  EXPECT_EQ(state().tokens.lines, TokenLines::kHeads);
  press("tokens/head/2");
  EXPECT_EQ(std::ranges::count(state().tokens.heads, 1), 0) << "its lines are hidden";
}

TEST_F(Keyboard, ChipsTabsBarsAndButtonsArePressed) {
  press("chip/4");
  EXPECT_EQ(state().selection.query, 4);
  press("tab/W_K");
  EXPECT_EQ(state().edit.matrix, MatrixId::kWK);
  press("row/2");
  EXPECT_EQ(state().selection.key, 2);
  lead_to("model/scale");
  screen.key(Key::kSpace);
  EXPECT_FALSE(screen.document().problem.config.scale) << "Space presses as Enter does";
  press("button/undo");
  EXPECT_TRUE(screen.document().problem.config.scale);
  press("large/weights");
  EXPECT_TRUE(state().inspection.large.has_value());
}

TEST_F(Keyboard, SlidersAndColumnsFollowArrows) {
  lead_to("model/temperature");
  screen.key(Key::kRight);
  screen.key(Key::kRight);
  EXPECT_FLOAT_EQ(screen.document().problem.config.temperature, 1.26f);
  screen.key(Key::kZ, true);
  EXPECT_EQ(screen.document().problem.config.temperature, 1) << "one step of undo";
  lead_to("tokens/share");
  screen.key(Key::kLeft);
  EXPECT_FLOAT_EQ(state().tokens.share, 0.85f);
  const auto query = state().selection.query;
  lead_to("tokens/query");
  screen.key(Key::kUp);
  EXPECT_EQ(state().selection.query, query - 1);
  screen.key(Key::kRight);
  EXPECT_EQ(keyboard_focus(), "tokens/key") << "the other arrows go on";
}

TEST_F(Keyboard, AFieldIsEnteredAndLeft) {
  press("model/temperature/number");
  EXPECT_EQ(keyboard_focus(), "") << "the field has the keys";
  screen.key(Key::kA, true);
  screen.type("2");
  screen.key(Key::kEnter);
  screen.frames(4);
  EXPECT_EQ(screen.document().problem.config.temperature, 2);
  EXPECT_EQ(keyboard_focus(), "model/temperature/number");
  press("head/scale");
  screen.type("7");
  screen.key(Key::kEscape);
  screen.frames(4);
  EXPECT_TRUE(screen.document().problem.head_mix.empty());
  EXPECT_EQ(keyboard_focus(), "head/scale");
  press("sentence");
  EXPECT_TRUE(state().sentence.active);
  screen.type("!");
  EXPECT_TRUE(screen.document().sentence.ends_with("!"));
  screen.key(Key::kTab);
  EXPECT_EQ(keyboard_focus(), "button/tokenizer") << "Tab goes on from the text";
  EXPECT_TRUE(screen.document().sentence.ends_with("!"));
}

TEST_F(Keyboard, CellsAreEnteredAndLeft) {
  press("matrix/W_Q");
  EXPECT_TRUE(state().edit.focused);
  screen.key(Key::kRight);
  screen.type("3");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell(kWQ1, 0, 1), 3);
  screen.key(Key::kEscape);
  EXPECT_EQ(keyboard_focus(), "matrix/W_Q");
  EXPECT_FALSE(state().edit.focused);
  press("stage/scores");
  EXPECT_EQ(state().selection.stage, Stage::kScores);
  const Selection before = state().selection;
  screen.key(Key::kDown);
  EXPECT_EQ(state().selection.query, std::min<attention::Index>(before.query + 1, 10));
  screen.key(Key::kDown, false, true);
  EXPECT_TRUE(state().inspection.block.has_value()) << "the statistics of a block";
  screen.key(Key::kEnter);
  screen.type("5");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.document().problem.overrides.size(), 1U);
  screen.key(Key::kEscape);
  EXPECT_EQ(keyboard_focus(), "stage/scores");
  screen.key(Key::kF6);
  EXPECT_EQ(panel_with_focus(), "explain");
}

TEST_F(Keyboard, LeavingACellKeepsItsNumber) {
  screen.click("matrix/W_Q/0/0");
  screen.type("4");
  screen.key(Key::kF6);
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 4);
  EXPECT_EQ(panel_with_focus(), "tokens") << "on from where the keys were";
  screen.click("matrix/W_Q/0/1");
  screen.type("x");
  screen.key(Key::kF6);
  EXPECT_TRUE(screen.shows("message")) << "what is no number must be seen to first";
  EXPECT_EQ(keyboard_focus(), "");
}

TEST_F(Keyboard, PresentModeKeepsItsKeysUntilTheRingIsThere) {
  screen.key(Key::kF5);
  screen.frames(2);
  screen.key(Key::kF6);
  ASSERT_NE(keyboard_focus(), "");
  const Stage stage = state().selection.stage;
  press("present/next");
  EXPECT_NE(state().selection.stage, stage);
  screen.key(Key::kEscape);
  EXPECT_EQ(keyboard_focus(), "");
  EXPECT_TRUE(state().present.on) << "the first Esc is the ring's";
  const Stage shown = state().selection.stage;
  screen.key(Key::kRight);
  EXPECT_NE(state().selection.stage, shown);
  screen.key(Key::kEscape);
  EXPECT_FALSE(state().present.on);
}

TEST_F(Keyboard, TheListOfKeysMentionsIt) {
  for (const char* id : {"part.next", "part.previous", "part.menus"})
    EXPECT_FALSE(chord_text(action(id).chord).empty()) << id;
}

TEST_F(Keyboard, CharactersAreShortcutsOnWhateverKeyTheyAre) {
  screen.key(Key::kEscape);
  ImGuiIO& io = ImGui::GetIO();
  const auto is_zoomed = [this] { return !state().inspection.regions.empty(); };
  ASSERT_EQ(state().selection.stage, Stage::kWeights);
  compat::feed_key(io, Key::kRightAlt, true);
  compat::feed_key(io, offset_key(Key::k0, 3), true);
  compat::feed_character(io, U']');
  screen.frames();
  compat::feed_key(io, offset_key(Key::k0, 3), false);
  compat::feed_key(io, Key::kRightAlt, false);
  screen.frames();
  EXPECT_EQ(state().selection.stage, Stage::kHeadOutput) << "with AltGr";
  EXPECT_EQ(state().head, 0) << "AltGr and a digit is no digit";
  EXPECT_FALSE(is_zoomed());
  screen.type("+");
  EXPECT_TRUE(is_zoomed());
  screen.type("0");
  EXPECT_FALSE(is_zoomed());
}

TEST_F(Keyboard, TheNumberPadMakesTheWindowLargerAndSmaller) {
  const float before = state().scale;
  screen.key(Key::kKeypadAdd, true);
  EXPECT_GT(state().scale, before);
  screen.key(Key::kKeypadSubtract, true);
  EXPECT_EQ(state().scale, before);
}

TEST_F(Keyboard, AClosedPaletteLeavesNoCellToTypeInto) {
  for (const Key opens : {Key::kK, Key::kF}) {
    screen.click("matrix/W_Q/0/0");
    ASSERT_TRUE(state().edit.focused);
    screen.key(opens, true);
    screen.frames(2);
    screen.key(Key::kEscape);
    screen.frames(2);
    const float before = screen.cell(kWQ1, 0, 0);
    state().head = 0;
    compat::feed_key(ImGui::GetIO(), Key::k2, true);
    screen.type("2");
    compat::feed_key(ImGui::GetIO(), Key::k2, false);
    screen.frames();
    EXPECT_EQ(screen.cell(kWQ1, 0, 0), before);
    EXPECT_EQ(state().head, 1);
  }
}

TEST_F(Keyboard, AKeyClearsAMessage) {
  screen.key(Key::kEscape);
  for (const Key key : {Key::kEscape, Key::kDown, Key::kF1}) {
    state().notice = "done";
    screen.frames();
    ASSERT_TRUE(screen.shows("message"));
    screen.key(key);
    EXPECT_EQ(state().notice, "");
  }
}

}  // namespace
}  // namespace lab
