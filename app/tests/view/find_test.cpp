// Finding a token, a key on the list of keys, and the way back from a zoomed map.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/editor/find_token.h"

namespace lab {
namespace {

using attention::Stage;

class Finding : public ::testing::Test {
 protected:
  explicit Finding(const std::string& sentence = "The cat saw the other CAT and fled")
      : screen(make_document(sentence, attention::Config{}, 1)) {}

  ViewState& state() { return screen.view.state(); }
  attention::Index query() { return state().selection.query; }
  void press(Key key, bool ctrl = false, bool shift = false) {
    screen.key(key, ctrl, shift);
    screen.frames(4);
  }
  void find(const std::string& text) {
    press(Key::kF, true);
    screen.type(text);
    screen.frames(2);
  }

  Screen screen;
};

TEST_F(Finding, SelectsTheQueryThatContainsWhatIsTyped) {
  state().selection.query = 2;
  find("cat");
  EXPECT_EQ(query(), 5) << "the next one, in any case";
  press(Key::kEnter);
  EXPECT_EQ(query(), 1) << "around the end";
  press(Key::kEnter);
  EXPECT_EQ(query(), 5);
  press(Key::kEnter, false, true);
  EXPECT_EQ(query(), 1) << "Shift+Enter goes back";
  press(Key::kEscape);
  EXPECT_FALSE(screen.shows("find/text"));
  EXPECT_EQ(screen.document().sentence, "The cat saw the other CAT and fled");
}

TEST_F(Finding, StartsWithTheLastTextSelected) {
  find("cat");
  press(Key::kEscape);
  find("fled");
  EXPECT_EQ(state().find.text, "fled");
  EXPECT_EQ(query(), 7);
}

TEST_F(Finding, LeavesTheSelectionWhereNothingIsFound) {
  state().selection.query = 2;
  find("zebra");
  press(Key::kEnter);
  EXPECT_EQ(query(), 2);
}

TEST_F(Finding, GoesOnToTheKeysOfASecondSentence) {
  screen.workspace.queue(intent::Apply{SetKvSentence{"le chat et la souris"}});
  screen.frames(2);
  find("sou");
  EXPECT_EQ(state().selection.key, 4);
  EXPECT_TRUE(has_key_columns(state().selection.stage));
}

TEST_F(Finding, BringsTheTokenIntoAZoomedMap) {
  state().inspection.regions[Stage::kWeights] = {0, 0, 0.3f, 0.3f};
  screen.frames(2);
  find("fled");
  const auto& region = state().inspection.regions.at(Stage::kWeights);
  EXPECT_GE(region.y + region.h, 0.999f) << "the last row is seen";
}

TEST(FindTokens, FoldsCaseInEveryScript) {
  const Document document = make_document("Он видел он ОНИ", attention::Config{}, 1);
  EXPECT_EQ(find_tokens(document, "он").size(), 3U);
  EXPECT_TRUE(find_tokens(document, "").empty());
}

class KeyList : public Finding {
 protected:
  KeyList() { press(Key::kF1); }
};

TEST_F(KeyList, IsSearched) {
  ASSERT_TRUE(screen.shows("key/edit.undo"));
  screen.type("ctrl z");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("key/edit.undo"));
  EXPECT_FALSE(screen.shows("key/edit.history"));
  press(Key::kA, true);
  screen.type("heads and comparing");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("key/compare.toggle")) << "the name of a group shows all of it";
  EXPECT_FALSE(screen.shows("key/edit.undo"));
  press(Key::kEnter);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
}

TEST_F(KeyList, KeepsItsHeightWhateverIsFound) {
  const Rect before = screen.place("dialog/ok");
  screen.type("qqq");
  screen.frames(2);
  EXPECT_EQ(screen.place("dialog/ok").y, before.y);
}

TEST(ZoomedCard, SaysSoAndLeadsBack) {
  Screen screen(*open_document("refer"));
  EXPECT_FALSE(screen.shows("zoomed/weights"));
  for (const Stage stage : {Stage::kWeights, Stage::kScores})
    screen.view.state().inspection.regions[stage] = {0, 0, 0.5f, 0.5f};
  screen.frames(2);
  ASSERT_TRUE(screen.shows("zoomed/weights"));
  EXPECT_FALSE(screen.shows("zoomed/Q"));
  screen.click("zoomed/weights");
  EXPECT_FALSE(screen.shows("zoomed/weights"));
  EXPECT_TRUE(screen.shows("stage/weights/0/0"));
  EXPECT_TRUE(screen.shows("zoomed/scores")) << "each card has its own";
  screen.key(Key::k0);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("zoomed/scores"));
}

TEST(OpenMenus, StayWhereTheyOpened) {
  Screen screen(*open_document("refer"));
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kDModel, 999}});
  screen.frames(3);
  screen.click("model/d_model");
  screen.frames(2);
  const Rect before = screen.place("step/d_model/more");
  screen.click("step/d_model/more");
  ASSERT_EQ(screen.document().problem.config.d_model, 1000);
  EXPECT_EQ(screen.place("step/d_model/more").x, before.x);
}

TEST(Captions, DoNotMoveTheButtonsBesideThem) {
  Screen screen(*open_document("refer"));
  const Rect order = screen.place("menu/order"), source = screen.place("button/source");
  screen.click("menu/together");
  screen.frames(2);
  screen.click("heads.mean");
  screen.frames(2);
  EXPECT_EQ(screen.place("menu/order").x, order.x);
  screen.workspace.queue(intent::Apply{SetSentence{"one"}});
  screen.frames(2);
  EXPECT_EQ(screen.place("button/source").x, source.x);
}

TEST(Captions, TheNumberOfTokensFollowsTheTextBesideIt) {
  Screen screen(*open_document("refer"));
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    screen.workspace.queue(intent::Apply{SetTokenMode{mode}});
    screen.frames(2);
    EXPECT_EQ(screen.place("sentence/count").x, screen.place("button/tokenizer").right());
  }
}

}  // namespace
}  // namespace lab
