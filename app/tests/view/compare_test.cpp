// Comparing a kept state with the edited one.
#include <gtest/gtest.h>

#include <cmath>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "core/analysis/combine.h"
#include "core/layer/stage_info.h"

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

TEST(Compare, AHeadThatAHasNotCannotBeChosenWhileAIsShown) {
  Screen screen(*open_document("refer"));
  edit(screen, SetSize{SizeId::kHeads, 1});
  screen.click("button/compare");
  edit(screen, SetSize{SizeId::kHeads, 4});
  screen.view.state().compare.view = CompareView::kA;
  screen.frames(2);
  for (const Key key : {Key::k2, Key::k4, Key::kH}) {
    EXPECT_NO_THROW(screen.key(key));
    EXPECT_EQ(screen.view.state().head, 0);
  }
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
  edit(screen, SetSentence{"Nobody knows why"});
  screen.click("compare/difference");
  EXPECT_TRUE(screen.shows("card/weights"));
  EXPECT_FALSE(screen.shows("stage/weights")) << "they share no word";
  EXPECT_TRUE(screen.shows("compare/summary"));
  EXPECT_FALSE(screen.shows("moved/1"));
  screen.click("compare/b");
  EXPECT_TRUE(screen.shows("stage/weights"));
}

constexpr const char* kLonger = "Now The animal didn't cross the street because it was too tired";

attention::Index place_of(const std::vector<Token>& tokens, const std::string& word) {
  return std::ranges::find(tokens, word, &Token::text) - tokens.begin();
}

// Where `document` has what stands at `at` of an axis of `b`; none of its words is there twice.
attention::Index same_place(const Document& document, const Document& b, attention::Axis axis,
                            attention::Index at) {
  if (axis != attention::Axis::kQueries && axis != attention::Axis::kKeys) return at;
  return place_of(document.tokens, b.tokens[static_cast<std::size_t>(at)].text);
}

// How much the number of the same words and features changed; 0 where A has no such word.
float change_by_words(const Screen& screen, const Snapshot& a, attention::Stage stage, int head,
                      Cell cell) {
  const Document& b = screen.document();
  const auto& info = attention::stage_info(stage);
  const auto row = same_place(a.document, b, info.rows, cell.row);
  const auto col = same_place(a.document, b, info.cols, cell.col);
  const auto& from = *stage_matrix(a.document.problem, a.trace, stage, head);
  const auto& to = *stage_matrix(b.problem, screen.workspace.trace(), stage, head);
  return row < from.rows() && col < from.cols() ? to(cell.row, cell.col) - from(row, col) : 0;
}

float largest_change_by_words(const Screen& screen, const Snapshot& a) {
  float largest = 0;
  const attention::Problem& problem = screen.document().problem;
  for (const attention::Stage stage : attention::kAllStages) {
    if (!is_active(problem, stage)) continue;
    for (int head = 0; head < problem.config.n_heads; ++head) {
      const auto shape = stage_shape(problem, stage);
      for (attention::Index i = 0; i < shape.rows; ++i)
        for (attention::Index j = 0; j < shape.cols; ++j)
          largest =
              std::max(largest, std::abs(change_by_words(screen, a, stage, head, Cell{i, j})));
    }
  }
  return largest;
}

TEST(Compare, AWordMoreLeavesTheOthersInTheirPlace) {
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  edit(screen, SetSentence{kLonger});
  edit(screen, another_weight());
  screen.click("compare/difference");
  EXPECT_TRUE(screen.shows("stage/weights"));
  screen.click("moved/1");
  const auto& state = screen.view.state();
  const float moved = change_by_words(screen, *state.compare.a, state.selection.stage, state.head,
                                      selected_cell(state.selection));
  EXPECT_GT(std::abs(moved), 0);
  EXPECT_EQ(std::abs(moved), largest_change_by_words(screen, *state.compare.a));
}

TEST(Compare, TheSelectionStaysOnItsWordsInA) {
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  edit(screen, SetSentence{kLonger});
  auto& selection = screen.view.state().selection;
  const auto& tokens = screen.document().tokens;
  ASSERT_EQ(selection.query, place_of(tokens, "it"));
  ASSERT_EQ(selection.key, place_of(tokens, "animal"));
  hold_f3(screen, true);
  const auto& of_a = screen.view.state().compare.a->document.tokens;
  EXPECT_EQ(selection.query, place_of(of_a, "it"));
  EXPECT_EQ(selection.key, place_of(of_a, "animal"));
  hold_f3(screen, false);
  EXPECT_EQ(selection.query, place_of(tokens, "it"));
}

// The texts that had no room, as those of the status bar at a large scale.
bool tells(Screen& screen, const std::string& text) {
  screen.view.state().scale = 3;
  screen.frames(3);
  return std::ranges::any_of(screen.view.widgets().shortened(), [&](const std::string& one) {
    return one.find(text) != std::string::npos;
  });
}

TEST(Compare, TheStatusBarTellsTheNumberOfTheSameWords) {
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  edit(screen, SetSentence{kLonger});
  EXPECT_TRUE(tells(screen, "A 0.698")) << "the weight of “it” on “animal” in A";
  screen.view.state().selection.query = 0;
  EXPECT_TRUE(tells(screen, "· A — ·"));
  EXPECT_TRUE(tells(screen, "only in B"));
}

// The largest change of any cell that the cards show.
float largest_difference(const Snapshot& a, const attention::Trace& b) {
  float largest = 0;
  for (std::size_t h = 0; h < b.heads.size(); ++h) {
    const auto& from = a.trace.heads[h];
    const auto& to = b.heads[h];
    for (const auto& [x, y] : {std::pair(&from.scores, &to.scores), std::pair(&from.Q, &to.Q),
                               std::pair(&from.weights, &to.weights)})
      largest = std::max(largest, attention::largest_change(attention::difference(**x, **y)));
  }
  return largest;
}

// The lesson has another number of words.
TEST(Compare, GoesOnAfterALessonWithOtherWords) {
  Screen screen(make_document("one two three", attention::Config{}, 1));
  screen.key(Key::kD, true);
  screen.frames(3);
  screen.view.state().requests.ask(request::Leave{destination::Source{"query-key-value"}});
  screen.frames(4);
  ASSERT_NE(screen.document().tokens.size(), 3U);
  screen.click("lesson/leave");
  screen.frames(4);
  EXPECT_EQ(screen.document().tokens.size(), 3U);
  ASSERT_TRUE(screen.view.state().compare.a);
  EXPECT_EQ(screen.view.state().compare.a->document.tokens.size(), 3U);
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

TEST(Compare, SaysWhyNothingMoved) {
  const auto said = [](const Screen& screen) {
    std::vector<std::string> all;
    for (const char* why : {"yet", "in_both", "in_common"})
      if (screen.shows(std::string("moved/nothing_") + why)) all.emplace_back(why);
    return all;
  };
  Screen screen(*open_document("refer"));
  screen.click("button/compare");
  EXPECT_EQ(said(screen), std::vector<std::string>{"yet"});
  edit(screen, another_weight());
  EXPECT_EQ(said(screen), std::vector<std::string>{}) << "something moved";
  edit(screen, SetSentence{"Nobody knows why"});
  screen.frames(2);
  EXPECT_NE(said(screen), std::vector<std::string>{"yet"}) << "the sentences differ";
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
