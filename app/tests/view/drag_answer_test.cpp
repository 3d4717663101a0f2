// Dragging the answer: a computed cell is given another value by the smallest change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/model_screen.h"
#include "app/view/solving/answer.h"
#include "app/view/solving/answer_run.h"

namespace lab {
namespace {

using attention::Stage;

class DragAnswer : public ::testing::Test {
 protected:
  DragAnswer() : screen(*open_document("refer")) { screen.frames(3); }

  float weight(int row, int col) const {
    return (*screen.workspace.trace().heads[0].weights)(row, col);
  }
  SolveState& solve() { return screen.view.state().solve; }
  const attention::Problem& problem() const { return screen.document().problem; }
  void alt(bool down) {
    compat::feed_key(ImGui::GetIO(), Key::kLeftAlt, down);
    screen.frames();
  }
  void alt_drag(const std::string& cell, float up) {
    alt(true);
    screen.drag(cell, {0, -up});
    alt(false);
    end_search();
  }
  void type_value(const std::string& number) {
    screen.click("solve/value");
    screen.type(number);
    screen.key(Key::kEnter);
    end_search();
  }
  // What ends the search is applied at the end of a frame, and shown in the next one.
  void end_search() {
    do screen.frames();
    while (awaits_answer(solve()));
    screen.frames(3);
  }

  Screen screen;
};

TEST_F(DragAnswer, WithAltChangesWhatIsFreeInOneStep) {
  const float before = weight(7, 1);
  const attention::Problem as_before = problem();
  alt_drag("stage/weights/7/1", 30);
  EXPECT_NEAR(weight(7, 1), before + 30 / 200.0f, 0.002f);
  EXPECT_NE(*problem().parameters.heads[0].W_Q, *as_before.parameters.heads[0].W_Q);
  EXPECT_TRUE(problem().embedding.same_as(as_before.embedding)) << "X is locked at first";
  EXPECT_TRUE(problem().parameters.heads[1].W_Q.same_as(as_before.parameters.heads[1].W_Q))
      << "another head";
  EXPECT_TRUE(problem().overrides.empty());
  EXPECT_THAT(screen.workspace.history().undo_label(),
              testing::StartsWith("Drag weights of head 1 [it, animal] to 0.8"));
  EXPECT_TRUE(screen.shows("solve/outcome"));
  screen.key(Key::kZ, true);
  EXPECT_EQ(weight(7, 1), before);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(DragAnswer, IsSeenWhileTheButtonIsDownAndEscapeTakesItBack) {
  const float before = weight(7, 1);
  alt(true);
  const Rect cell = screen.place("stage/weights/7/1");
  const ImVec2 at{cell.x + cell.w / 2, cell.y + cell.h / 2};
  screen.move(at);
  screen.press();
  screen.move({at.x, at.y - 20});
  end_search();
  EXPECT_NEAR(weight(7, 1), before + 0.1f, 0.002f);
  EXPECT_FALSE(screen.workspace.history().can_undo()) << "no step yet";
  screen.key(Key::kEscape);
  EXPECT_EQ(weight(7, 1), before);
  screen.release();
  alt(false);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(DragAnswer, TheOpenPanelLetsItsCellBeDraggedWithoutAlt) {
  screen.click("stage/weights/7/1");
  screen.key(Key::kD);
  screen.frames(3);
  ASSERT_TRUE(screen.shows("solve/value"));
  const float before = weight(7, 1), other = weight(7, 2);
  screen.drag("stage/weights/7/1", {0, 40});
  end_search();
  EXPECT_NEAR(weight(7, 1), before - 0.2f, 0.002f);
  screen.frames(20, 0.2f);
  screen.drag("stage/weights/7/2", {0, -40});
  EXPECT_NEAR(weight(7, 1), before - 0.2f, 0.002f) << "another cell is only selected";
  EXPECT_NE(weight(7, 2), other);
  screen.click("solve/close");
  EXPECT_FALSE(screen.shows("solve/value"));
  EXPECT_NEAR(weight(7, 1), before - 0.2f, 0.002f) << "the changes stay";
}

TEST_F(DragAnswer, ATypedValueIsReachedWithWhatTheChipsLeaveFree) {
  screen.click("stage/weights/7/1");
  screen.key(Key::kD);
  screen.frames(3);
  for (const char* chip : {"solve/free/X", "solve/free/W_Q", "solve/free/W_K"}) screen.click(chip);
  screen.click("solve/word/7");  // it
  const attention::Problem before = problem();
  type_value("0.9");
  EXPECT_NEAR(weight(7, 1), 0.9f, 1e-4f);
  EXPECT_TRUE(problem().parameters.heads[0].W_Q.same_as(before.parameters.heads[0].W_Q));
  EXPECT_EQ(problem().embedding->row(7), before.embedding->row(7)) << "this word is locked";
  EXPECT_NE(problem().embedding->row(1), before.embedding->row(1));
}

TEST_F(DragAnswer, KeepsTheRowOfAnotherCell) {
  screen.click("stage/weights/7/1");
  screen.key(Key::kD);
  screen.click("stage/weights/10/1");
  screen.frames(3);
  screen.click("solve/keep");
  ASSERT_EQ(solve().kept.size(), 1U);
  const attention::RowVector row = screen.workspace.trace().heads[0].weights->row(10);
  type_value("0.5");
  EXPECT_NEAR(weight(7, 1), 0.5f, 1e-4f);
  EXPECT_LT((screen.workspace.trace().heads[0].weights->row(10) - row).cwiseAbs().maxCoeff(),
            1e-4f);
  screen.click("solve/kept/0");
  EXPECT_TRUE(solve().kept.empty());
}

TEST_F(DragAnswer, SaysHowNearItCameAndKeepsTheNearest) {
  screen.click("stage/head_output/7/0");
  screen.key(Key::kD);
  screen.frames(3);
  screen.click("solve/free/W_V");
  type_value("50");
  EXPECT_TRUE(screen.shows("solve/not_reached")) << "a mean of values that are locked";
  EXPECT_TRUE(screen.workspace.history().can_undo());
  const auto& values = *screen.workspace.trace().heads[0].V;
  EXPECT_NEAR((*screen.workspace.trace().heads[0].head_output)(7, 0), values.col(0).maxCoeff(),
              0.1f);
}

TEST_F(DragAnswer, SaysWhyItCannotBeTried) {
  screen.click("stage/weights/7/1");
  screen.key(Key::kD);
  screen.frames(3);
  type_value("1.5");
  EXPECT_TRUE(screen.shows("solve/problem"));
  EXPECT_THAT(solve().problem, testing::HasSubstr("between 0 and 1"));
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(DragAnswer, ListsTheChangesAsLinksToTheEditedCells) {
  alt_drag("stage/weights/7/1", 30);
  ASSERT_TRUE(screen.shows("solve/change/0"));
  const attention::ChangedCell first = solve().run->found()->changes.front();
  screen.click("solve/change/0");
  const EditState& edit = screen.view.state().edit;
  EXPECT_EQ(edit.matrix, first.at.matrix);
  EXPECT_EQ(edit.cursor, (Cell{first.at.row, first.col}));
  EXPECT_EQ(screen.cell({first.at.matrix, 0}, static_cast<int>(first.at.row),
                        static_cast<int>(first.col)),
            first.after);
}

class DragLogit : public ::testing::Test {
 protected:
  DragLogit() : screen("induction", "abcabca") {
    screen.settle();
    expected = screen.numbers().predictions.value->top[3].id;
  }

  std::string line() const { return "next/" + std::to_string(expected); }
  float logit(std::uint32_t id) {
    const auto& predictions = *screen.numbers().predictions.value;
    for (const auto* list : {&predictions.top, &predictions.pinned})
      for (const Prediction& one : *list)
        if (one.id == id) return one.logit;
    ADD_FAILURE() << "not in the list";
    return 0;
  }
  void end_search() {
    do screen.settle();
    while (screen.view.state().solve.finishing);
    screen.settle();
  }

  ModelScreen screen;
  std::uint32_t expected = 0;
};

TEST_F(DragLogit, WithAltChangesTheLayerThatIsLookedAtInOneStep) {
  const float before = logit(expected);
  compat::feed_key(ImGui::GetIO(), Key::kLeftAlt, true);
  screen.frames();
  screen.drag(line(), {40, 0});
  compat::feed_key(ImGui::GetIO(), Key::kLeftAlt, false);
  end_search();
  EXPECT_NEAR(logit(expected), before + 1, 5e-3f);
  EXPECT_THAT(screen.workspace.history().undo_label(), testing::StartsWith("Drag logit of "));
  EXPECT_TRUE(screen.shows("solve/outcome"));
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_NEAR(logit(expected), before, 1e-4f);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(DragLogit, ATypedValueIsReachedAndAnotherTokenKeepsItsLogit) {
  const std::uint32_t other = screen.numbers().predictions.value->top[0].id;
  const float kept = logit(other);
  screen.click(line());  // is the answer now
  screen.settle();
  screen.key(Key::kD, false, true);
  screen.click("next/" + std::to_string(other));
  screen.settle();
  screen.click("solve/keep");
  ASSERT_EQ(screen.view.state().solve.kept_logits.size(), 1U);
  screen.click("solve/value");
  screen.type("2.5");
  screen.key(Key::kEnter);
  end_search();
  EXPECT_NEAR(logit(expected), 2.5f, 5e-3f);
  EXPECT_NEAR(logit(other), kept, 5e-3f);
}

TEST_F(DragLogit, SaysThatNothingIsFree) {
  screen.click(line());
  screen.settle();
  screen.key(Key::kD, false, true);
  screen.settle();
  for (const char* chip : {"solve/free/W_Q", "solve/free/W_K", "solve/free/W_V", "solve/free/W_O"})
    screen.click(chip);
  screen.click("solve/value");
  screen.type("2.5");
  screen.key(Key::kEnter);
  end_search();
  EXPECT_THAT(screen.view.state().solve.problem, testing::HasSubstr("nothing is free"));
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

}  // namespace
}  // namespace lab
