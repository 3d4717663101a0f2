// Several sentences over the same weights in the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/document/batch/batch_means.h"
#include "app/document/batch/sentence_list.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/model_screen.h"
#include "app/tests/view/screen.h"
#include "core/analysis/metrics.h"

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

TEST_F(BatchWindow, ALongListOpensAtTheSentenceThatIsShown) {
  for (int i = 2; i <= 64; ++i)
    screen.workspace.queue(intent::Apply{AddSentence{"sentence " + std::to_string(i)}});
  screen.frames(3);
  screen.key(Key::kEscape);
  screen.click("button/sentences");
  screen.frames(3);
  const Rect current = screen.place("sentences/64");
  EXPECT_LT(current.bottom(), 1000);
  EXPECT_FALSE(screen.shows("sentences/1"));
}

TEST_F(BatchWindow, LookingAtAnotherSentenceLeavesNothingToSave) {
  screen.workspace.queue(intent::Apply{AddSentence{"one"}});
  screen.workspace.queue(intent::MarkSaved{"/tmp/none.json"});
  screen.frames(3);
  screen.key(Key::kEscape);
  screen.key(Key::kTab, true);
  screen.frames(2);
  EXPECT_EQ(sentence(), first);
  EXPECT_FALSE(screen.workspace.modified());
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(sentence(), "one");
  EXPECT_FALSE(screen.workspace.modified()) << "nor does going back by Undo";
  screen.workspace.queue(intent::Apply{SetScale{false}});
  screen.frames(2);
  screen.key(Key::kTab, true);
  screen.frames(2);
  EXPECT_TRUE(screen.workspace.modified());
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

class BatchOfModel : public ::testing::Test {
 protected:
  BatchOfModel() : screen("induction", "abcdabc") { screen.settle(); }
  void choose(const std::string& item) {
    screen.click("button/sentences");
    screen.frames(2);
    screen.click(item);
    screen.settle();
  }
  std::string sentence() const { return screen.document().sentence; }
  // Of the entropy of the second head, once all that was asked about is known.
  double known_mean() {
    do {
      screen.frames();
      screen.view.means().wait();
    } while (screen.view.means().of(screen.document()) == nullptr ||
             !screen.view.means().current());
    return (*screen.view.means().of(screen.document()))[1].entropy;
  }

  ModelScreen screen;
};

TEST_F(BatchOfModel, WhatIsTypedReplacesTheCopyAndCtrlTabGoesRound) {
  choose("sentences/add");
  screen.type("xyxyx");
  screen.settle();
  EXPECT_EQ(sentence(), "xyxyx");
  EXPECT_TRUE(screen.shows("chip/4") && !screen.shows("chip/5"));
  screen.key(Key::kEscape);
  screen.key(Key::kTab, true);
  screen.settle();
  EXPECT_EQ(sentence(), "abcdabc");
  EXPECT_TRUE(screen.shows("chip/6"));
  screen.key(Key::kTab, true, true);
  screen.settle();
  EXPECT_EQ(sentence(), "xyxyx");
  choose("sentences/1");
  EXPECT_EQ(sentence(), "abcdabc");
  choose("sentences/remove");
  EXPECT_EQ(sentence(), "xyxyx");
  EXPECT_EQ(sentence_count(screen.document()), 1U);
}

TEST_F(BatchOfModel, ComingBackShowsTheOverrideAgainAndAMutedHeadStaysMuted) {
  screen.workspace.queue(intent::Apply{SetOverride{{attention::Stage::kWeights, 1, 4, 2}, 0.5f}});
  screen.workspace.queue(intent::Apply{AddSentence{"xyz"}});
  screen.workspace.queue(intent::Apply{SetHeadMix{.head = 2, .mute = true}});
  screen.settle();
  EXPECT_TRUE(screen.document().problem.overrides.empty());
  screen.key(Key::kTab, true);
  screen.settle();
  EXPECT_EQ((*screen.workspace.trace().heads[1].weights)(4, 2), 0.5f);
  ASSERT_EQ(screen.gains().size(), 1U);
  EXPECT_TRUE(screen.gains()[0].mute);
  EXPECT_FALSE(screen.shows("detached")) << "nothing is lost, so nothing is said";
}

TEST_F(BatchOfModel, PageDownLeadsToTheNextLayerOfTheSameSentence) {
  screen.workspace.queue(intent::Apply{AddSentence{"xyz"}});
  screen.settle();
  screen.click("stage/weights/0/0");
  screen.key(Key::kPageDown);
  screen.settle();
  EXPECT_EQ(screen.at().layer, 1);
  EXPECT_EQ(sentence(), "xyz");
  screen.key(Key::kTab, true);
  screen.settle();
  EXPECT_EQ(sentence(), "abcdabc");
  EXPECT_EQ(screen.at().layer, 1) << "the layer that is looked at stays";
}

TEST_F(BatchOfModel, CtrlTabAllTheWayRoundIsOneStepOfUndo) {
  for (const char* text : {"ab", "cd", "ef"})
    screen.workspace.queue(intent::Apply{AddSentence{text}});
  screen.settle();
  for (int i = 0; i < 3; ++i) screen.key(Key::kTab, true);
  screen.settle();
  EXPECT_EQ(sentence(), "cd");
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_EQ(sentence(), "ef") << "where it began";
}

// The next sentence is B of a comparison as any other text is, and a patch stays with it.
TEST_F(BatchOfModel, IsComparedAndPatchedFromSentenceToSentence) {
  screen.workspace.queue(intent::Apply{AddSentence{"xbcdxbc"}});
  screen.settle();
  screen.key(Key::kTab, true);
  screen.settle();
  screen.key(Key::kD, true);
  screen.key(Key::kTab, true);
  screen.settle();
  screen.click("tile/1/3");
  screen.key(Key::kG);
  screen.frames(2);
  screen.click("tile/patch");
  screen.settle();
  EXPECT_EQ(screen.model().interventions.patches.size(), 1U);
  screen.key(Key::kTab, true);
  screen.settle();
  EXPECT_EQ(sentence(), "abcdabc");
  EXPECT_TRUE(screen.model().interventions.patches.empty());
}

TEST_F(BatchOfModel, HeadsHaveMeansOverAllTexts) {
  const auto entropy = [&] {
    return attention::mean_entropy(*screen.workspace.trace().heads[1].weights);
  };
  screen.click("tile/0/1");
  screen.settle();
  const double of_first = entropy();
  choose("sentences/add");
  screen.type("aabbccdd");
  screen.key(Key::kEscape);
  screen.settle();
  const double of_second = entropy();
  ASSERT_NE(of_first, of_second);
  const double mean = (of_first + of_second) / 2;
  EXPECT_NEAR(known_mean(), mean, 1e-6);
  screen.click("tile/1/1");
  screen.settle();
  EXPECT_GT(std::abs(known_mean() - mean), 1e-3) << "of the other layer";
}

TEST_F(BatchOfModel, IsNeverPadded) {
  choose("sentences/add");
  screen.click("button/sentences");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("sentences/remove"));
  EXPECT_FALSE(screen.shows("sentences/pad"));
}

TEST(BatchOfIds, HasNoOtherTexts) {
  auto model = open_model_source(GOLDEN_MODELS "/gpt2", {});
  ASSERT_TRUE(model) << model.error().message;
  Screen screen(std::move(model->document), {1600, 1000});
  screen.frames(3);
  screen.click("button/sentences");
  screen.frames(2);
  screen.click("sentences/add");
  screen.frames(3);
  EXPECT_EQ(sentence_count(screen.document()), 1U);
}

}  // namespace
}  // namespace lab
