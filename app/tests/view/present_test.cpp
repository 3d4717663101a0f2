// Present mode: one stage at a time, by key, by mouse and automatically.
#include "app/view/present/present.h"

#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/session/file_actions.h"

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
  EXPECT_GT(screen.place("card/weights").h, 640);
}

TEST_F(Present, IsHeadedByTheSentenceOnceItIsAnotherOne) {
  EXPECT_EQ(heading_of(screen.workspace), "What does “it” refer to?");
  screen.workspace.queue(intent::Apply{SetSentence{"Birds fly south"}});
  screen.frames(2);
  EXPECT_EQ(heading_of(screen.workspace), "Birds fly south");
  screen.workspace.queue(intent::MarkSaved{"/tmp/birds.json"});
  screen.frames(2);
  EXPECT_EQ(heading_of(screen.workspace), "birds.json");
  screen.workspace.queue(intent::Undo{});
  screen.frames(2);
  EXPECT_EQ(heading_of(screen.workspace), "What does “it” refer to?");
}

TEST_F(Present, LeavesByEscapeAtTheStageAndTheEarlierScale) {
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
    const auto seconds = screen.view.seconds_to_next_frame(screen.workspace);
    ASSERT_TRUE(seconds) << i;
    wait(*seconds + 0.1);
    EXPECT_EQ(shown(), stages[i]);
  }
  EXPECT_FALSE(screen.view.state().present.playing);
  EXPECT_FALSE(screen.view.seconds_to_next_frame(screen.workspace));
}

TEST_F(Present, PausesAtOnce) {
  go_to(Stage::kQ);
  screen.key(Key::kP);
  screen.key(Key::kP);
  wait(2 * kSecondsPerStage);
  EXPECT_EQ(shown(), Stage::kQ);
  screen.click("present/play");
  screen.key(Key::kRight);  // a manual step pauses too
  wait(2 * kSecondsPerStage);
  EXPECT_EQ(shown(), Stage::kK);
}

TEST_F(Present, AnExplanationStandsBesideTheMap) {
  const Rect map = screen.place("card/weights");
  screen.click("present/scores");
  EXPECT_LT(map.right(), 1100);
}

// A cell of the presented map, with nothing changed yet.
TEST_F(Present, CtrlZeroGivesTheSizeBackInWhichItBegan) {
  const float began = screen.view.state().scale;
  screen.key(Key::kMinus, true);
  screen.frames(2);
  ASSERT_NE(screen.view.state().scale, began);
  screen.key(Key::k0, true);
  screen.frames(2);
  EXPECT_EQ(screen.view.state().scale, began);
}

TEST(PresentSize, LeavesRoomForTheStageWhenLettersAreLarge) {
  for (const float outside : {1.75f, 2.0f, 3.0f}) {
    Screen screen(*open_document("refer"), {1366, 768});
    screen.view.state().scale = outside;
    screen.frames(2);
    screen.key(Key::kF5);
    screen.frames(3);
    const Rect map = screen.place("card/weights");
    EXPECT_GE(screen.view.state().scale, 1.75f);
    EXPECT_GE(map.w / screen.view.state().scale, 300) << outside;
    EXPECT_GE(map.h / screen.view.state().scale, 200) << outside;
    screen.key(Key::kF5);
    screen.frames(3);
    EXPECT_EQ(screen.view.state().scale, outside);
  }
}

TEST(PresentSize, IsAsLargeAsTheWindowHasRoomFor) {
  for (const auto& [size, scale] :
       {std::pair(ImVec2{1600, 1000}, 1000 / 560.0f), {ImVec2{1024, 640}, 1.5f}}) {
    Screen screen(*open_document("refer"), size);
    screen.key(Key::kF5);
    screen.frames(3);
    EXPECT_FLOAT_EQ(screen.view.state().scale, scale);
    EXPECT_TRUE(screen.shows("panel/explain")) << "the arithmetic has room, too";
    screen.key(Key::kF5);
    screen.frames(3);
    EXPECT_EQ(screen.view.state().scale, 1) << "and as before outside";
  }
}

class PresentEdit : public Present {
 protected:
  void double_click(const std::string& name) {
    const Rect cell = screen.place(name);
    screen.move({cell.x + 3, cell.y + 3});
    for (int i = 0; i < 2; ++i) {
      screen.press();
      screen.release();
    }
  }
  bool changed() const { return screen.workspace.modified(); }
  bool field_is_open() { return screen.view.state().overriding.typing.has_value(); }
};

TEST_F(PresentEdit, StrayKeysChangeNoNumber) {
  screen.click("stage/weights/2/3");
  screen.type("4ms-.l");
  for (const Key key : {Key::kDelete, Key::kBackspace, Key::kM, Key::kS, Key::kL, Key::kMinus})
    screen.key(key);
  EXPECT_FALSE(field_is_open());
  EXPECT_FALSE(changed());
  EXPECT_FALSE(screen.workspace.history().can_undo());
  EXPECT_FALSE(screen.view.state().inspection.large);
}

TEST_F(PresentEdit, DigitsChooseTheHeadAlsoAfterAClick) {
  screen.click("stage/weights/2/3");
  compat::feed_character(ImGui::GetIO(), '2');
  screen.key(Key::k2);
  EXPECT_EQ(screen.view.state().head, 1);
  EXPECT_FALSE(changed());
}

TEST_F(PresentEdit, EnterOpensTheSelectedCell) {
  go_to(Stage::kScores);
  screen.click("stage/scores/2/3");
  screen.key(Key::kEnter);
  ASSERT_TRUE(field_is_open());
  for (int i = 0; i < 20; ++i) screen.key(Key::kBackspace);
  screen.type("7");
  screen.key(Key::kEnter);
  EXPECT_EQ((*screen.workspace.trace().heads[0].scores)(2, 3), 7);
  EXPECT_EQ(screen.document().problem.overrides.size(), 1U);
}

TEST_F(PresentEdit, AFieldThatIsLeftAsItWasChangesNothing) {
  double_click("stage/weights/2/3");
  ASSERT_TRUE(field_is_open());
  screen.key(Key::kEnter);
  EXPECT_FALSE(field_is_open());
  EXPECT_FALSE(changed());
}

TEST_F(PresentEdit, NumbersOfXAreThoseOfTheEmbedding) {
  go_to(Stage::kX);
  double_click("stage/X/2/3");
  ASSERT_TRUE(field_is_open());
  for (int i = 0; i < 20; ++i) screen.key(Key::kBackspace);
  screen.type("2.5");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell({MatrixId::kX, 0}, 2, 3), 2.5f);
  EXPECT_TRUE(screen.document().problem.overrides.empty());
}

TEST_F(PresentEdit, RefusedNumbersAreReported) {
  go_to(Stage::kX);
  double_click("stage/X/2/3");
  screen.type("e99");
  screen.key(Key::kEnter);
  EXPECT_TRUE(screen.shows("message"));
  EXPECT_FALSE(changed());
}

TEST(PresentStages, AreTheActiveOnes) {
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

TEST(PresentStages, AreAllPresentInCrossAttention) {
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
