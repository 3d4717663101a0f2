// Lessons about trained models in the window, from a student's point of view.
#include <gmock/gmock.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/model_screen.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/maps/model_heads.h"

namespace lab {
namespace {

using testing::HasSubstr;

class ModelLessons : public testing::Test {
 protected:
  // The step counts from 0.
  void open(const std::string& lesson, std::size_t step) {
    state().requests.ask(request::Leave{destination::Source{lesson}});
    screen.frames(4);
    ASSERT_TRUE(lesson_is_open(state())) << state().error;
    while (run().step_index() < step) {
      screen.click("lesson/next");
      screen.settle();
    }
  }
  ViewState& state() { return screen.view.state(); }
  LessonRun& run() { return *state().lesson.run; }
  bool solved(std::size_t question) { return run().state(question).solved; }

  ModelScreen screen{"induction", "abcdabc", {1600, 3600}};
};

TEST_F(ModelLessons, AStepShowsTheLayerTheTilesAndTheAnswerThatItWants) {
  open("who-decides", 3);
  EXPECT_EQ(screen.model().source->name, "words");
  EXPECT_EQ(name_of_head({screen.at(), state().head}), "L2H0");
  EXPECT_EQ(state().model.tiles, TileView::kEffect);
  ASSERT_TRUE(state().model.answer);
  EXPECT_TRUE(state().model.answer->minus) << "her minus his";
  EXPECT_FALSE(screen.shows("panel/next_token")) << "the step hides it";
  screen.click("lesson/next");
  screen.settle();
  EXPECT_EQ(state().model.tiles, TileView::kAttention) << "only for that step";
  EXPECT_TRUE(screen.shows("panel/next_token"));
}

TEST_F(ModelLessons, AStepAsksWhatMovesANumberAndKeepsTheQuestion) {
  open("what-moves-this", 2);
  const attention::CellRef asked{"weights", 0, 7, 1};
  EXPECT_EQ(state().sensitivity.cell, asked);
  EXPECT_TRUE(screen.shows("panel/movers"));
  screen.click("movers/1");
  screen.settle();
  EXPECT_EQ(state().sensitivity.cell, asked) << "what is looked at is not asked about";
  screen.click("lesson/next");
  screen.settle();
  EXPECT_TRUE(state().sensitivity.on) << "the next one asks as well";
  screen.click("lesson/next");
  screen.settle();
  EXPECT_FALSE(state().sensitivity.on);
}

TEST_F(ModelLessons, TheKeyMAnswersAQuestionThatAsksForIt) {
  open("how-a-model-copies", 4);
  EXPECT_FALSE(solved(0));
  screen.click("tile/0/0");
  screen.key(Key::kM);
  screen.settle();
  EXPECT_TRUE(solved(0));
  screen.click("tile/1/3");
  screen.settle();
  EXPECT_EQ(name_of_head({screen.at(), state().head}), "L1H3");
}

// With the numbers before the edit another answer would be right.
TEST_F(ModelLessons, AQuestionAboutAnEditWaitsForIt) {
  open("how-a-model-copies", 4);
  ASSERT_EQ(run().questions()[0]->type, QuestionType::kMake);
  const Snapshot before{screen.document(), screen.workspace.trace(),
                        screen.workspace.network_trace()};
  const auto right_before = right_answer(*run().questions()[1], before);
  ASSERT_TRUE(right_before);
  const auto early = run().answer(1, *right_before, before, {});
  ASSERT_TRUE(early);
  EXPECT_EQ(early->verdict, Verdict::kUnclear);
  EXPECT_FALSE(solved(1));
  screen.click("tile/0/0");
  screen.key(Key::kM);
  screen.settle();
  const Snapshot after{screen.document(), screen.workspace.trace(),
                       screen.workspace.network_trace()};
  const auto right_after = right_answer(*run().questions()[1], after);
  ASSERT_TRUE(right_after);
  EXPECT_EQ(run().answer(1, *right_after, after, {})->verdict, Verdict::kRight);
}

TEST_F(ModelLessons, ThePresentationShowsWhatTheStepIsAbout) {
  open("how-a-model-copies", 0);
  screen.key(Key::kF5);
  screen.settle();
  EXPECT_TRUE(screen.shows("tile/1/3"));
  EXPECT_TRUE(screen.shows("panel/next_token"));
  screen.key(Key::kPageDown);
  screen.settle();
  EXPECT_TRUE(screen.shows("card/weights")) << "a step about a map";
  EXPECT_FALSE(screen.shows("tile/1/3"));
}

TEST_F(ModelLessons, WhatAStepLocksCannotBeMuted) {
  open("how-a-model-copies", 0);
  screen.click("tile/0/0");
  screen.key(Key::kM);
  screen.frames(2);
  EXPECT_THAT(state().error, HasSubstr("Locked"));
  EXPECT_TRUE(screen.gains().empty());
}

TEST_F(ModelLessons, ANameIsTypedAndChecked) {
  open("a-trained-head", 1);
  screen.click("lesson/1/answer");
  screen.type("floor");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_FALSE(solved(0));
  screen.click("lesson/1/answer");
  screen.key(Key::kA, true);
  screen.type("Mat");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(solved(0));
}

TEST_F(ModelLessons, LeavingBringsBackOnesOwnModel) {
  screen.click("tile/1/2");
  screen.key(Key::kM);
  screen.settle();
  ASSERT_EQ(screen.gains().size(), 1u);
  open("a-trained-head", 0);
  EXPECT_EQ(screen.model().source->name, "words");
  screen.click("lesson/leave");
  screen.settle();
  EXPECT_EQ(screen.model().source->name, "induction");
  EXPECT_EQ(screen.gains().size(), 1u);
}

}  // namespace
}  // namespace lab
