// Present mode: one stage at a time, by key, mouse and by itself.
#include "app/view/present.h"

#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Stage;

class Present : public testing::Test {
 protected:
  Present() {
    screen.key(Key::kF5);
    screen.frames(3);
  }
  Stage shown() { return screen.view.state().selection.stage; }
  void go_to(Stage stage) {
    screen.view.state().selection.stage = stage;
    screen.frames(2);
  }
  // Seconds at 60 frames each.
  void wait(double seconds) { screen.frames(static_cast<int>(seconds * 60)); }
  Screen screen{*open_document("refer")};
};

TEST_F(Present, ShowsTheSelectedStageAloneAndLarge) {
  EXPECT_TRUE(screen.shows("card/weights"));
  EXPECT_FALSE(screen.shows("card/scores"));
  EXPECT_FALSE(screen.shows("sentence"));
  EXPECT_GT(screen.place("card/weights").w, 800);
  EXPECT_GT(screen.place("card/weights").h, 700);
}

TEST_F(Present, LeavesByEscapeAtTheStageAndScaleOfBefore) {
  const float large = screen.view.state().scale;
  go_to(Stage::kScores);
  screen.key(Key::kEscape);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("card/weights"));
  EXPECT_TRUE(screen.shows("card/scores"));
  EXPECT_EQ(shown(), Stage::kScores);
  EXPECT_EQ(screen.view.state().scale, 1);
  EXPECT_GT(large, 1);
}

TEST_F(Present, StepsByArrowsSpaceAndClicker) {
  go_to(Stage::kQ);
  for (const Key key : {Key::kRight, Key::kSpace, Key::kPageDown}) screen.key(key);
  EXPECT_EQ(shown(), Stage::kScores);
  for (const Key key : {Key::kLeft, Key::kPageUp}) screen.key(key);
  EXPECT_EQ(shown(), Stage::kK);
  screen.key(Key::kHome);
  EXPECT_EQ(shown(), Stage::kX);
  screen.key(Key::kLeft);
  EXPECT_EQ(shown(), Stage::kX);
  screen.key(Key::kEnd);
  EXPECT_EQ(shown(), Stage::kOutput);
}

TEST_F(Present, UpAndDownWalkThroughTheQueries) {
  const auto query = screen.view.state().selection.query;
  screen.key(Key::kDown);
  EXPECT_EQ(screen.view.state().selection.query, query + 1);
  screen.key(Key::kUp);
  EXPECT_EQ(screen.view.state().selection.query, query);
}

TEST_F(Present, TheBarGoesToAnyStage) {
  screen.click("present/K");
  EXPECT_EQ(shown(), Stage::kK);
  screen.click("present/next");
  EXPECT_EQ(shown(), Stage::kV);
  screen.click("present/back");
  EXPECT_EQ(shown(), Stage::kK);
}

TEST_F(Present, PlaysFromXToTheOutputAndStops) {
  screen.key(Key::kHome);
  screen.key(Key::kP);
  ASSERT_TRUE(screen.view.state().present.playing);
  const auto stages = present_stages(screen.document().problem);
  for (std::size_t i = 1; i < stages.size(); ++i) {
    const auto seconds = screen.view.seconds_to_next_frame();
    ASSERT_TRUE(seconds) << i;
    wait(*seconds + 0.1);
    EXPECT_EQ(shown(), stages[i]);
  }
  EXPECT_FALSE(screen.view.state().present.playing);
  EXPECT_FALSE(screen.view.seconds_to_next_frame());
}

TEST_F(Present, PausesAtOnce) {
  go_to(Stage::kQ);
  screen.key(Key::kP);
  screen.key(Key::kP);
  wait(2 * kSecondsPerStage);
  EXPECT_EQ(shown(), Stage::kQ);
  screen.click("present/play");
  screen.key(Key::kRight);  // a step by hand pauses too
  wait(2 * kSecondsPerStage);
  EXPECT_EQ(shown(), Stage::kK);
}

TEST_F(Present, AnExplanationStandsBesideTheMap) {
  const Rect map = screen.place("card/weights");
  screen.click("present/scores");
  EXPECT_LT(map.right(), 1100);
}

TEST(PresentStages, AreThoseThatAreSteps) {
  Document document = *open_document("refer");
  attention::Problem& problem = document.problem;
  const auto has = [&](Stage stage) {
    const auto stages = present_stages(problem);
    return std::ranges::find(stages, stage) != stages.end();
  };
  problem.config.positions = attention::Positions::kNone;
  EXPECT_TRUE(has(Stage::kX));
  EXPECT_FALSE(has(Stage::kEmbedding));
  EXPECT_FALSE(has(Stage::kXKv));
  EXPECT_FALSE(has(Stage::kMaskedScores));
  problem.config.positions = attention::Positions::kSinusoidal;
  problem.config.mask.causal = true;
  EXPECT_TRUE(has(Stage::kEmbedding));
  EXPECT_TRUE(has(Stage::kPosition));
  EXPECT_TRUE(has(Stage::kMaskedScores));
}

TEST(PresentStages, AreAllThereInCrossAttention) {
  const Document document = *open_document("refer");
  Screen screen(*apply(document, SetKvSentence{"el animal"}), {1024, 640});
  screen.key(Key::kF5);
  screen.key(Key::kHome);
  for (const Stage stage : present_stages(screen.document().problem)) {
    EXPECT_EQ(screen.view.state().selection.stage, stage);
    screen.frames(2);
    EXPECT_TRUE(screen.shows("card/" + std::string(stage_name(stage))));
    screen.key(Key::kRight);
  }
  EXPECT_EQ(screen.view.state().selection.stage, Stage::kOutput);
}

}  // namespace
}  // namespace lab
