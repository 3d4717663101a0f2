// Several sentences over the same weights in the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/model_screen.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

class BatchWindow : public ::testing::Test {
 protected:
  BatchWindow() : screen(*open_document("refer")) {
    screen.frames(3);
    first = screen.document().sentence;
  }
  void choose(const std::string& item) {
    screen.click("button/sentences");
    screen.frames(2);
    screen.click(item);
    screen.frames(3);
  }
  std::string sentence() const { return screen.document().sentence; }

  Screen screen;
  std::string first;
};

TEST_F(BatchWindow, WhatIsTypedReplacesTheCopyAndCtrlTabGoesRound) {
  choose("sentences/add");
  ASSERT_EQ(screen.document().batch.sentences.size(), 2U);
  screen.key(Key::kA, true);
  screen.type("the cat sat");
  screen.frames(3);
  EXPECT_EQ(sentence(), "the cat sat");
  screen.key(Key::kEscape);
  screen.key(Key::kTab, true);
  screen.frames(2);
  EXPECT_EQ(sentence(), first);
  screen.key(Key::kTab, true, true);
  screen.frames(2);
  EXPECT_EQ(sentence(), "the cat sat");
  choose("sentences/1");
  EXPECT_EQ(sentence(), first);
}

TEST_F(BatchWindow, PageDownGoesOnAndUndoLeadsBackOverAllOfItAtOnce) {
  for (const char* text : {"one", "two", "three"})
    screen.workspace.queue(intent::Apply{AddSentence{text}});
  screen.frames(3);
  screen.click("stage/weights/0/0");
  for (int i = 0; i < 3; ++i) screen.key(Key::kPageDown);
  screen.frames(2);
  EXPECT_EQ(sentence(), "two");
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(sentence(), "three") << "where it began";
}

TEST_F(BatchWindow, PaddingIsShownAsTheBatchHasIt) {
  screen.workspace.queue(intent::Apply{AddSentence{"the cat"}});
  screen.frames(3);
  choose("sentences/pad");
  const attention::Problem& problem = screen.document().problem;
  EXPECT_EQ(problem.seq_len(), 11) << "as long as the first one";
  EXPECT_TRUE(screen.shows("chip/10"));
  EXPECT_TRUE(screen.workspace.trace().heads[0].weights->rightCols(9).isZero(0));
  choose("sentences/remove");
  EXPECT_EQ(sentence(), first);
  EXPECT_TRUE(screen.document().batch.sentences.empty());
}

TEST(BatchOfModel, IsNotOffered) {
  ModelScreen screen;
  screen.settle();
  EXPECT_FALSE(screen.shows("button/sentences"));
}

}  // namespace
}  // namespace lab
