// The colour ranges of the maps, and the digits of their numbers.
#include <gmock/gmock.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/maps/map_ranges.h"

namespace lab {
namespace {

using attention::Stage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Document animal() { return open_document("refer").value(); }

// As many tokens as make every weight small.
Document many_tokens() {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "w" + std::to_string(i) + " ";
  attention::Config config;
  config.n_heads = 2;
  return make_document(words, config, 3);
}

Range painted_last(Screen& screen) { return screen.sink.painted.back().range; }

void show_large(Screen& screen, Stage stage) {
  screen.view.state().inspection.large = stage;
  screen.frames(2);
}

// Chooses an entry of the menu that a click on the colour bar opens.
void choose_colours(Screen& screen, const std::string& stage, const std::string& entry) {
  screen.click("range/" + stage);
  screen.frames(2);
  screen.click("range/" + stage + "/" + entry);
  screen.frames(2);
}

float largest_weight(Screen& screen) {
  return screen.workspace.trace().heads[0].weights->maxCoeff();
}

TEST(MapRange, SmallWeightsUseAllColoursAndTheBarSaysSo) {
  Screen screen(many_tokens());
  show_large(screen, Stage::kWeights);
  EXPECT_LT(largest_weight(screen), 0.5f);
  EXPECT_EQ(painted_last(screen), (Range{0, largest_weight(screen)}));
  EXPECT_TRUE(screen.shows("stage/weights/legend/range")) << "0…max";
  Screen few(animal());
  show_large(few, Stage::kWeights);
  EXPECT_EQ(painted_last(few), (Range{0, 1}));
  EXPECT_FALSE(few.shows("stage/weights/legend/range"));
}

TEST(MapRange, ThumbnailsOfAllHeadsHaveOneRange) {
  Screen screen(many_tokens());
  screen.frames(2);
  const auto& heads = screen.workspace.trace().heads;
  const float largest = std::max(heads[0].weights->maxCoeff(), heads[1].weights->maxCoeff());
  const auto with_it = std::ranges::count_if(screen.sink.painted, [&](auto& paint) {
    return paint.range == Range{0, largest};
  });
  EXPECT_GE(with_it, 2);
}

TEST(MapRange, SharedByAllHeadsHoldsTheNumbersOfEveryHead) {
  Screen screen(animal());
  float highest = 0;
  for (int head = 0; head < 3; ++head) {
    screen.view.state().head = head;
    show_large(screen, Stage::kScores);
    highest = std::max(highest, painted_last(screen).hi);
  }
  screen.view.state().head = 0;
  screen.frames(2);
  EXPECT_FALSE(screen.shows("stage/scores/legend/range"));
  choose_colours(screen, "scores", "shared");
  EXPECT_TRUE(screen.shows("stage/scores/legend/range"));
  EXPECT_EQ(painted_last(screen).hi, highest);
  const auto values =
      std::ranges::count_if(screen.sink.alive, [](auto& one) { return one.second; });
  EXPECT_LE(values, 3) << "the ranges of other heads need no textures";
}

TEST(MapRange, FixedStaysWhenTheNumbersChange) {
  Screen screen(animal());
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "fixed");
  const Range before = painted_last(screen);
  screen.workspace.queue(intent::Apply{SetCell{{MatrixId::kWQ, 0}, 0, 0, 900}});
  screen.frames(3);
  EXPECT_EQ(painted_last(screen), before);
}

TEST(MapRange, TheEndsOfAFixedRangeAreTyped) {
  Screen screen(animal());
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "fixed");
  ASSERT_TRUE(screen.shows("range/scores/hi")) << "the menu stays open for them";
  screen.click("range/scores/hi");
  screen.key(Key::kA, true);
  screen.type("40");
  screen.frames(2);
  EXPECT_EQ(painted_last(screen).hi, 40);
  screen.key(Key::kA, true);
  screen.type("-900");
  screen.frames(2);
  EXPECT_GT(painted_last(screen).hi, painted_last(screen).lo) << "what was typed is below it";
  EXPECT_TRUE(screen.shows("range/scores/problem"));
}

TEST(MapRange, EscGivesBackTheEndsThatWereTypedOver) {
  Screen screen(animal());
  choose_colours(screen, "scores", "fixed");
  screen.frames(2);
  const auto before = screen.view.state().inspection.ranges.ends.at(Stage::kScores);
  screen.click("range/scores/hi");
  screen.key(Key::kA, true);
  screen.type("99");
  screen.frames(2);
  ASSERT_EQ(screen.view.state().inspection.ranges.ends.at(Stage::kScores).hi, 99);
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_EQ(screen.view.state().inspection.ranges.ends.at(Stage::kScores).lo, before.lo);
  EXPECT_EQ(screen.view.state().inspection.ranges.ends.at(Stage::kScores).hi, before.hi);
}

TEST(MapRange, RobustAndSpreadAreOfOneCardOrOfAll) {
  Screen screen(animal());
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "robust");
  choose_colours(screen, "scores", "log");
  const Range robust = painted_last(screen);
  EXPECT_EQ(robust.spread, Spread::kLogarithmic);
  EXPECT_EQ(robust.hi, robust_range(Stage::kScores, *screen.workspace.trace().heads[0].scores).hi);
  show_large(screen, Stage::kOutput);
  EXPECT_EQ(painted_last(screen).spread, Spread::kLinear) << "only the scores were chosen for";
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "all");
  show_large(screen, Stage::kOutput);
  EXPECT_EQ(painted_last(screen).spread, Spread::kLogarithmic);
  choose_colours(screen, "output", "linear");
  EXPECT_EQ(painted_last(screen).spread, Spread::kLinear);
  choose_colours(screen, "output", "follow");
  EXPECT_EQ(painted_last(screen).spread, Spread::kLogarithmic);
}

TEST(MapRange, TheMenuOfTheWindowChoosesForAllMaps) {
  Screen screen(animal());
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "log");
  screen.click("menu/View");
  screen.frames(2);
  screen.click("view.spread_sqrt");
  screen.frames(2);
  EXPECT_EQ(painted_last(screen).spread, Spread::kSquareRoot);
  EXPECT_THAT(screen.view.state().inspection.ranges.own, IsEmpty());
}

TEST(MapRange, FiguresHaveTheColoursOfTheWindow) {
  Screen screen(animal());
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "robust");
  choose_colours(screen, "scores", "sqrt");
  screen.click("title/scores");
  screen.key(Key::kE, true);
  screen.frames(2);
  const FigureOptions& figure = screen.view.state().dialog.exporting.figure;
  EXPECT_EQ(figure.stage, Stage::kScores);
  EXPECT_EQ(figure.range_rule, RangeRule::kRobust);
  EXPECT_EQ(figure.spread, Spread::kSquareRoot);
}

TEST(MapRange, DifferencesKeepTheirEndsAndTakeTheSpread) {
  Screen screen(animal());
  show_large(screen, Stage::kScores);
  choose_colours(screen, "scores", "log");
  screen.key(Key::kD, true);
  screen.workspace.queue(intent::Apply{SetCell{{MatrixId::kWQ, 0}, 0, 0, 3}});
  screen.frames(3);
  screen.key(Key::kD, true, true);
  screen.frames(2);
  const Range range = painted_last(screen);
  EXPECT_EQ(range.lo, -range.hi);
  EXPECT_EQ(range.spread, Spread::kLogarithmic);
}

TEST(HeadsTogether, SmallDifferencesAreNotBlank) {
  Screen screen(many_tokens());
  screen.view.state().heads.view = HeadView::kDifference;
  show_large(screen, Stage::kWeights);
  const Range range = painted_last(screen);
  EXPECT_LT(range.hi, 0.5f);
  EXPECT_EQ(range.lo, -range.hi);
}

TEST(Digits, AreChosenInTheMenuWithinLimits) {
  Screen screen(animal());
  EXPECT_EQ(screen.view.state().digits, 2);
  for (int i = 0; i < 6; ++i) {
    screen.click("menu/View");
    screen.frames(2);
    screen.click("view.more_digits");
    screen.key(Key::kEscape);
    screen.frames(2);
  }
  EXPECT_EQ(screen.view.state().digits, 6);
  screen.click("menu/View");
  screen.frames(2);
  screen.click("view.fewer_digits");
  EXPECT_EQ(screen.view.state().digits, 5);
}

}  // namespace
}  // namespace lab
