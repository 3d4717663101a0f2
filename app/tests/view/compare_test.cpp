// Comparing a kept state with the edited one.
#include <gtest/gtest.h>

#include <cmath>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "core/analysis/combine.h"

namespace lab {
namespace {

void edit(Screen& screen, const Command& command) {
  screen.workspace.queue(intent::Apply{command});
  screen.workspace.drain();
  screen.frames(2);
}

SetCell another_weight() { return {{MatrixId::kWQ, 0}, 0, 0, 3}; }

void hold_f3(Screen& screen, bool down) {
  compat::feed_key(ImGui::GetIO(), Key::kF3, down);
  screen.frames(2);
}

// Starts a comparison and then changes one cell of W_Q.
void compare_an_edit(Screen& screen) {
  screen.click("button/compare");
  edit(screen, another_weight());
}

TEST(Compare, AIsSeenWhileTheKeyIsHeld) {
  Screen screen(*open_document("refer"));
  screen.key(Key::kD, true);
  edit(screen, SetSentence{"The animal didn't cross"});
  EXPECT_FALSE(screen.shows("row/7"));
  hold_f3(screen, true);
  EXPECT_TRUE(screen.shows("row/7"));
  EXPECT_FALSE(screen.shows("chip/7")) << "what can be edited is B";
  hold_f3(screen, false);
  EXPECT_FALSE(screen.shows("row/7"));
}

TEST(Compare, SwitchingBackAndForthUploadsNothing) {
  for (const CompareView view : {CompareView::kB, CompareView::kDifference}) {
    Screen screen(*open_document("refer"));
    compare_an_edit(screen);
    screen.view.state().compare.view = view;
    screen.frames(2);
    hold_f3(screen, true);
    hold_f3(screen, false);
    const auto uploads = screen.sink.uploads();
    for (int i = 0; i < 3; ++i) {
      hold_f3(screen, true);
      hold_f3(screen, false);
    }
    EXPECT_EQ(screen.sink.uploads(), uploads);
  }
}

std::vector<Range> painted_ranges(const Screen& screen) {
  std::vector<Range> ranges;
  for (const HeatMapPaint& paint : screen.sink.painted) ranges.push_back(paint.range);
  return ranges;
}

TEST(Compare, OneColourIsOneNumberInAAndB) {
  Screen screen(*open_document("refer"));
  const std::vector<Range> alone = painted_ranges(screen);
  compare_an_edit(screen);
  const std::vector<Range> b = painted_ranges(screen);
  hold_f3(screen, true);
  EXPECT_EQ(painted_ranges(screen), b);
  EXPECT_NE(b, alone) << "the edit needs a wider range";
}

TEST(Compare, TheSelectionComesBackWithB) {
  Screen screen(*open_document("cat-sat"));
  screen.click("button/compare");
  edit(screen, SetSentence{"a b c d e f g h i j k l"});
  screen.view.state().selection.query = 11;
  screen.frames();
  hold_f3(screen, true);
  EXPECT_LT(screen.view.state().selection.query, 11);
  hold_f3(screen, false);
  EXPECT_EQ(screen.view.state().selection.query, 11);
}

TEST(Compare, WhatDoesNotFitHasNoMap) {
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  edit(screen, SetSentence{"The animal didn't cross"});
  screen.click("compare/difference");
  EXPECT_TRUE(screen.shows("card/weights"));
  EXPECT_FALSE(screen.shows("stage/weights"));
  EXPECT_TRUE(screen.shows("compare/summary"));
  screen.click("compare/b");
  EXPECT_TRUE(screen.shows("stage/weights"));
}

// The largest change of any cell that the cards show.
float largest_difference(const Snapshot& a, const attention::Trace& b) {
  float largest = 0;
  for (std::size_t h = 0; h < b.heads.size(); ++h) {
    const auto& from = a.trace.heads[h];
    const auto& to = b.heads[h];
    for (const auto& [x, y] : {std::pair(&from.scores, &to.scores), std::pair(&from.Q, &to.Q),
                               std::pair(&from.weights, &to.weights)})
      largest = std::max(largest, attention::largest_move(attention::difference(**x, **y)));
  }
  return largest;
}

TEST(Compare, TheCellThatMovedMostIsSelectedByAClick) {
  Screen screen(*open_document("refer"));
  compare_an_edit(screen);
  screen.click("moved/1");
  const auto& state = screen.view.state();
  const Cell cell = selected_cell(state.selection);
  const auto at = [&](const attention::Problem& problem, const attention::Trace& trace) {
    return (*stage_matrix(problem, trace, state.selection.stage, state.head))(cell.row, cell.col);
  };
  const Snapshot& a = *state.compare.a;
  const float moved =
      at(screen.document().problem, screen.workspace.trace()) - at(a.document.problem, a.trace);
  EXPECT_GT(std::abs(moved), 0);
  EXPECT_EQ(std::abs(moved), largest_difference(a, screen.workspace.trace()));
}

TEST(Compare, NothingMovedYet) {
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  EXPECT_TRUE(screen.shows("compare/a"));
  EXPECT_FALSE(screen.shows("moved/1"));
  const float before = screen.place("panel/moved").h;
  edit(screen, another_weight());
  screen.frames(2);
  EXPECT_TRUE(screen.shows("moved/1"));
  EXPECT_LT(before, screen.place("panel/moved").h / 2) << "no room for cells that are not there";
}

TEST(Compare, SurvivesUndoAndAnotherDocument) {
  Screen screen(*open_document("refer"));
  compare_an_edit(screen);
  screen.key(Key::kZ, true);
  EXPECT_FALSE(screen.shows("moved/1"));
  EXPECT_TRUE(screen.shows("compare/a"));
  screen.click("menu/Example");
  screen.click("example/cat-sat");
  screen.frames(3);
  ASSERT_TRUE(screen.shows("compare/a"));
  screen.click("compare/a");
  EXPECT_TRUE(screen.shows("row/10")) << "A has more tokens";
}

TEST(Compare, AIsNotEditedWhileItIsShown) {
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  screen.click("compare/a");
  screen.click("head/1/mute");
  screen.click("head/1/solo");
  screen.key(Key::kEscape);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(Compare, EndsWithBAsItIs) {
  Screen screen(*open_document("refer"));
  compare_an_edit(screen);
  screen.click("compare/a");
  screen.click("compare/end");
  EXPECT_FALSE(screen.shows("compare/a"));
  EXPECT_FALSE(screen.shows("moved/1"));
  EXPECT_EQ(screen.cell({MatrixId::kWQ, 0}, 0, 0), 3);
}

TEST(Compare, ALockedRangeIsThatOfEveryDifference) {
  Screen screen(*open_document("refer"));
  compare_an_edit(screen);
  screen.click("compare/difference");
  screen.click("compare/range");
  screen.click("compare/range/±0.5");
  screen.frames(2);
  const auto locked = [](const HeatMapPaint& paint) { return paint.range == Range{-0.5f, 0.5f}; };
  EXPECT_EQ(std::ranges::count_if(screen.sink.painted, locked), 9) << "the cards of the stages";
}

}  // namespace
}  // namespace lab
