#include <gmock/gmock.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Stage;

class Cross : public testing::Test {
 protected:
  Cross() : screen(*open_document("refer")) {}
  void turn_on() {
    screen.click("button/source");
    screen.click("source/second");
    screen.frames(3);
  }
  void replace_text(const std::string& text) {
    screen.click("kv_sentence");
    screen.key(Key::kA, true);
    screen.type(text);
    screen.frames(2);
  }
  const ViewState& state() { return screen.view.state(); }

  Screen screen;
};

TEST_F(Cross, ASecondSentenceStartsAsTheFirstAndHasTheKeyboard) {
  EXPECT_FALSE(screen.shows("kv_sentence"));
  turn_on();
  EXPECT_EQ(screen.document().kv_sentence, screen.document().sentence);
  EXPECT_TRUE(screen.shows("kv_sentence"));
  EXPECT_TRUE(state().kv_sentence.active);
  EXPECT_TRUE(screen.shows("kv_chip/0"));
}

TEST_F(Cross, WhatIsTypedFirstReplacesTheWholeSecondSentence) {
  turn_on();
  screen.type("tired");
  screen.frames(2);
  EXPECT_EQ(screen.document().kv_sentence, "tired");
  EXPECT_NE(screen.document().sentence, "tired");
}

TEST_F(Cross, WhatIsTypedAsItGetsTheKeyboardFromTheOtherBoxIsForIt) {
  turn_on();
  screen.click("sentence");
  ASSERT_TRUE(state().sentence.active);
  const std::string queries = screen.document().sentence;
  screen.view.state().requests.ask(request::GiveKeyboard{TextField::kKvSentence});
  screen.frames();
  screen.type("xyz");
  EXPECT_EQ(screen.document().sentence, queries);
  EXPECT_EQ(screen.document().kv_sentence, queries + "xyz");
}

TEST_F(Cross, TypingInItChangesKeysAndLeavesQueries) {
  turn_on();
  const auto Q = screen.workspace.trace().heads[0].Q.version();
  replace_text("le chat");
  EXPECT_EQ(screen.document().kv_sentence, "le chat");
  EXPECT_EQ(screen.document().kv_tokens.size(), 2u);
  EXPECT_EQ(screen.workspace.trace().heads[0].Q.version(), Q);
  EXPECT_EQ(screen.workspace.trace().heads[0].weights.shape(), (attention::Shape{11, 2}));
}

TEST_F(Cross, AnEmptyBoxChangesNothingAndSaysSoByItsBorder) {
  turn_on();
  replace_text("le chat");
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  screen.frames(2);
  EXPECT_EQ(state().kv_sentence.text, "");
  EXPECT_FALSE(screen.document().kv_tokens.empty());
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(state().kv_sentence.text, "le chat");
}

TEST_F(Cross, AnEmptyBoxThatIsLeftShowsTheSentenceInUse) {
  turn_on();
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  screen.click("chip/1");
  EXPECT_EQ(state().kv_sentence.text, screen.document().kv_sentence);
}

TEST_F(Cross, ReplacingTheSecondSentenceAgainIsAStepOfItsOwn) {
  turn_on();
  for (const char* text : {"birds fly", "fish swim"}) {
    screen.key(Key::kA, true);
    screen.type(text);
  }
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(screen.document().kv_sentence, "birds fly");
}

TEST_F(Cross, GoingBackKeepsTheTextForTheNextTime) {
  turn_on();
  replace_text("le chat");
  screen.click("button/one_sentence");
  screen.frames(2);
  EXPECT_FALSE(screen.document().problem.cross());
  EXPECT_FALSE(screen.shows("kv_sentence"));
  turn_on();
  EXPECT_EQ(screen.document().kv_sentence, "le chat");
}

TEST_F(Cross, OneUndoRevertsIt) {
  turn_on();
  screen.key(Key::kEscape);
  screen.key(Key::kZ, true);
  EXPECT_FALSE(screen.document().problem.cross());
}

TEST_F(Cross, AChipOfASecondSentenceSelectsTheKeyAndLightsItsColumn) {
  turn_on();
  replace_text("le chat dort");
  screen.click("kv_chip/2");
  EXPECT_EQ(state().selection.key, 2);
  screen.frames(2);
  EXPECT_EQ(state().inspection.highlight.tokens.key, 2);
  EXPECT_THAT(state().inspection.highlight.regions,
              testing::Contains(testing::Field(&HighlightRegion::matrix, "weights")));
}

TEST_F(Cross, FitsIntoTheSmallestWindow) {
  Screen small(*open_document("refer"), {1024, 640});
  small.key(Key::kEscape);
  small.workspace.queue(intent::Apply{SetKvSentence{"le chat dort"}});
  small.frames(4);
  const Rect box = small.place("kv_sentence"), card = small.place("model/mask");
  EXPECT_LE(box.bottom(), card.y);
  EXPECT_LE(small.place("button/one_sentence").right(), 1024);
}

}  // namespace
}  // namespace lab
