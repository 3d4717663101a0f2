#include "app/figure/compose/stage_figure.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "app/explain/number_text.h"
#include "app/figure/figure_writers.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

FigureOptions of(std::optional<Stage> stage, std::optional<attention::Index> head = 0) {
  FigureOptions options;
  if (!stage || !head) options.type = stage ? FigureType::kHeads : FigureType::kPipeline;
  options.stage = stage.value_or(options.stage);
  options.head = head.value_or(0);
  return options;
}

std::vector<std::string> bold_texts(const Figure& figure) {
  std::vector<std::string> texts;
  for (const shape::Text& text : shapes_of<shape::Text>(figure))
    if (text.face == shape::Face::kSansBold) texts.push_back(text.text);
  return texts;
}

TEST(StageFigure, OneStageShowsItsMatrixAndNamesRowsAndColumns) {
  const Sample s = street();
  const Figure figure = figure_of(s, of(Stage::kWeights, 1));
  const auto maps = shapes_of<shape::HeatMap>(figure);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].values, *s.trace.heads[1].weights);
  EXPECT_EQ(maps[0].range, (Range{0, 1}));
  const auto texts = texts_of(figure);
  for (const Token& token : s.document.tokens)
    EXPECT_EQ(std::ranges::count(texts, token.text), 2) << token.text;
  EXPECT_THAT(texts, IsSupersetOf({"Weights, head 2", "0", "0.5", "1", "query", "key"}));
}

// What rounding leaves of a 0 would have an exponent, and the numbers of all cells its letters.
TEST(StageFigure, NumbersThatAreNothingBesideTheLargestAreZero) {
  Sample s = street();
  attention::Matrix weights = *s.trace.heads[0].weights;
  weights(0, 1) = -6.3e-32f, weights(1, 0) = 0.003f;
  s.trace.heads[0].weights = attention::SharedMatrix(weights);
  FigureOptions options = of(Stage::kWeights);
  options.annotate = true;
  options.width_mm = 400;
  const auto texts = texts_of(figure_of(s, options));
  EXPECT_THAT(texts, Contains("0.00"));
  EXPECT_THAT(texts, Contains("3.0e−3")) << "small, but not nothing";
  for (const std::string& text : texts) EXPECT_EQ(text.find("e−32"), text.npos) << text;
}

TEST(StageFigure, CellsOfScoresAreSquare) {
  for (const Sample& s : {street(), sample("", "I like attention")})
    for (const Stage stage : {Stage::kScores, Stage::kScaledScores, Stage::kWeights}) {
      const auto map = shapes_of<shape::HeatMap>(figure_of(s, of(stage)))[0];
      EXPECT_NEAR(map.width / static_cast<double>(map.values.cols()),
                  map.height / static_cast<double>(map.values.rows()), 1e-9);
    }
}

TEST(StageFigure, CellsOfFeaturesAreNotStretchedBeyondReason) {
  for (const Stage stage : {Stage::kX, Stage::kQ, Stage::kConcat, Stage::kOutput}) {
    const auto map = shapes_of<shape::HeatMap>(figure_of(street(), of(stage)))[0];
    const double shape = map.width / static_cast<double>(map.values.cols()) /
                         (map.height / static_cast<double>(map.values.rows()));
    EXPECT_GT(shape, 1.0 / 5) << attention::stage_name(stage);
    EXPECT_LT(shape, 5) << attention::stage_name(stage);
  }
}

TEST(StageFigure, AllHeadsStandInAGridWithOneBarOnASharedRange) {
  const Sample s = street();
  const Figure figure = figure_of(s, of(Stage::kWeights, std::nullopt));
  EXPECT_EQ(shapes_of<shape::HeatMap>(figure).size(), 3u);
  EXPECT_EQ(shapes_of<shape::ColourBar>(figure).size(), 1u);
  EXPECT_THAT(bold_texts(figure),
              ElementsAre("Weights of every head", "Head 1", "Head 2", "Head 3"));
}

TEST(StageFigure, HeadsWithRangesOfTheirOwnHaveBarsOfTheirOwn) {
  const Figure figure = figure_of(street(), of(Stage::kScores, std::nullopt));
  EXPECT_EQ(shapes_of<shape::ColourBar>(figure).size(), 3u);
  const auto maps = shapes_of<shape::HeatMap>(figure);
  EXPECT_NE(maps[0].range, maps[1].range);
}

TEST(StageFigure, SharedRangeHoldsEveryHead) {
  const Sample s = street();
  FigureOptions options = of(Stage::kScores, std::nullopt);
  options.range_rule = RangeRule::kShared;
  const Figure figure = figure_of(s, options);
  EXPECT_EQ(shapes_of<shape::ColourBar>(figure).size(), 1u);
  float largest = 0;
  for (const auto& head : s.trace.heads)
    largest = std::max(largest, head.scores->cwiseAbs().maxCoeff());
  for (const auto& map : shapes_of<shape::HeatMap>(figure))
    EXPECT_EQ(map.range, (Range{-largest, largest}));
  options.type = FigureType::kMap;  // and one head alone is drawn on the same range
  EXPECT_EQ(shapes_of<shape::HeatMap>(figure_of(s, options))[0].range, (Range{-largest, largest}));
}

TEST(StageFigure, FixedRangeIsTakenAsGiven) {
  FigureOptions options = of(Stage::kScores);
  options.range_rule = RangeRule::kFixed;
  options.range = {-2.5f, 7.5f};
  const Figure figure = figure_of(street(), options);
  EXPECT_EQ(shapes_of<shape::HeatMap>(figure)[0].range, options.range);
  EXPECT_THAT(texts_of(figure), IsSupersetOf({"−2.5", "7.5"}));
}

TEST(StageFigure, ARangeThatIsNoneStillGivesAPicture) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  for (const Range range :
       {Range{-infinity, infinity}, Range{nan, nan}, Range{1, -1}, Range{2, 2}}) {
    FigureOptions options = of(Stage::kScores);
    options.range_rule = RangeRule::kFixed;
    options.range = range;
    options.annotate = true;
    EXPECT_TRUE(write_png(figure_of(street(), options), {72}));
  }
}

TEST(StageFigure, GridsLeaveFewHolesAndStayNearASquare) {
  for (int heads = 2; heads <= 17; ++heads) {
    const Sample s = sample("", "a b", heads);
    std::set<double> columns, rows;
    for (const auto& map :
         shapes_of<shape::HeatMap>(figure_of(s, of(Stage::kWeights, std::nullopt)))) {
      columns.insert(map.x);
      rows.insert(map.y);
    }
    const int holes = static_cast<int>(columns.size() * rows.size()) - heads;
    EXPECT_GE(holes, 0);
    EXPECT_LT(holes, static_cast<int>(columns.size()));
    EXPECT_LE(columns.size(), rows.size() + 3) << heads;
  }
}

TEST(StageFigure, ThePipelineShowsEveryStageInReadingOrder) {
  const Figure figure = figure_of(street(), of(std::nullopt, 1));
  EXPECT_THAT(bold_texts(figure),
              ElementsAre("Every stage of head 2", "X", "Q", "K", "V", "Scores", "Scaled",
                          "Weights", "Head output", "Concat", "Output"));
  const Sample masked = sample("", "a b c", 2, true);
  EXPECT_THAT(bold_texts(figure_of(masked, of(std::nullopt))), Contains("Masked"));
}

TEST(StageFigure, ThePipelineShowsTheNumbersOfItsHead) {
  const Sample s = street();
  const auto maps = shapes_of<shape::HeatMap>(figure_of(s, of(std::nullopt, 2)));
  ASSERT_EQ(maps.size(), 12u);  // ten stages, and concat in three blocks
  EXPECT_EQ(maps[1].values, *s.trace.heads[2].Q);
  EXPECT_EQ(maps[6].values, *s.trace.heads[2].weights);
  EXPECT_EQ(maps[11].values, *s.trace.output);
}

TEST(StageFigure, ThePipelineLabelsEveryMapAndAGridOnlyItsEdges) {
  const Sample s = sample("", "a bb ccc", 4);
  FigureOptions options = of(std::nullopt);
  options.width_mm = 183;
  // A row in each of the ten stages, and a column in scores, scaled scores and weights.
  EXPECT_EQ(std::ranges::count(texts_of(figure_of(s, options)), "ccc"), 13);
  // Two lines of two heads: the rows left of each line, the columns below each column.
  options = of(Stage::kWeights, std::nullopt);
  EXPECT_EQ(std::ranges::count(texts_of(figure_of(s, options)), "ccc"), 4);
}

TEST(StageFigure, ConcatHasASeamBetweenHeads) {
  const Sample s = street();
  const auto maps = shapes_of<shape::HeatMap>(figure_of(s, of(Stage::kConcat)));
  ASSERT_EQ(maps.size(), 3u);
  for (std::size_t head = 0; head < 3; ++head)
    EXPECT_EQ(maps[head].values, *s.trace.heads[head].head_output);
  EXPECT_GT(maps[1].x, maps[0].x + maps[0].width);
  EXPECT_GT(maps[2].x, maps[1].x + maps[1].width);
}

TEST(StageFigure, AnnotatesEveryFiniteCellWithItsValue) {
  const Sample s = sample("", "I like it", 1, true);
  FigureOptions options = of(Stage::kMaskedScores);
  options.annotate = true;
  options.decimals = 3;
  const auto texts = texts_of(figure_of(s, options));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      EXPECT_THAT(
          texts,
          Contains(with_minus_signs(format_fixed((*s.trace.heads[0].masked_scores)(i, j), 3))));
  EXPECT_THAT(texts, Not(Contains("−∞")));
  options.significant = true;
  EXPECT_THAT(
      texts_of(figure_of(s, options)),
      Contains(with_minus_signs(format_significant((*s.trace.heads[0].masked_scores)(0, 0), 3))));
}

TEST(StageFigure, AnnotationsContrastWithTheirCells) {
  for (const bool dark : {false, true}) {
    FigureOptions options = of(Stage::kScores);
    options.annotate = true;
    options.dark = dark;
    const Figure figure = figure_of(street(), options);
    const auto map = shapes_of<shape::HeatMap>(figure)[0];
    int inside = 0;
    for (const auto& text : shapes_of<shape::Text>(figure)) {
      const auto column = static_cast<int>((text.x - map.x) / map.width * 11);
      const auto row = static_cast<int>((text.y - map.y) / map.height * 11);
      if (text.x < map.x || text.y < map.y || column > 10 || row > 10) continue;
      const Rgb fill =
          colour_of(palette_table(map.palette, dark), map.range, map.values(row, column));
      EXPECT_GE(contrast(text.colour, fill), 4.5);
      ++inside;
    }
    EXPECT_EQ(inside, 121);
  }
}

TEST(StageFigure, NamesMaskedAndMissingValuesInALegend) {
  const auto legend = [](const Sample& s, Stage stage) {
    std::vector<std::string> found;
    for (const std::string& text : texts_of(figure_of(s, of(stage))))
      if (text.starts_with("−∞") || text.starts_with("NaN")) found.push_back(text);
    return found;
  };
  const Sample masked = sample("", "a b c", 1, true);
  EXPECT_THAT(legend(masked, Stage::kWeights), ElementsAre());
  EXPECT_THAT(legend(masked, Stage::kMaskedScores), Contains("−∞, masked"));
  EXPECT_THAT(legend(samples().back(), Stage::kMaskedScores),
              IsSupersetOf({"−∞, masked", "NaN, not a number"}));
}

TEST(StageFigure, TextReadsOnTheBackgroundOfBothThemes) {
  for (const bool dark : {false, true}) {
    FigureOptions options = of(std::nullopt);
    options.dark = dark;
    const Figure figure = figure_of(street(), options);
    EXPECT_EQ(relative_luminance(figure.background) < 0.1, dark);
    for (const auto& text : shapes_of<shape::Text>(figure))
      EXPECT_GE(contrast(text.colour, figure.background), 4.5) << text.text;
    for (const auto& map : shapes_of<shape::HeatMap>(figure)) EXPECT_EQ(map.dark, dark);
  }
}

TEST(StageFigure, TakesTheTitleItIsGiven) {
  FigureOptions options = of(Stage::kWeights);
  options.title = "What does it refer to?";
  EXPECT_THAT(bold_texts(figure_of(street(), options)), ElementsAre("What does it refer to?"));
}

TEST(StageFigure, RefusesHeadsThatAreNotThere) {
  const Sample s = street();
  for (const attention::Index head : {-1, 3, 1000})
    for (const std::optional<Stage> stage :
         {std::optional<Stage>(), std::optional(Stage::kWeights), std::optional(Stage::kOutput)})
      EXPECT_THROW(figure_of(s, of(stage, head)), std::out_of_range) << head;
}

TEST(StageFigure, TheLastLineOfAGridStandsAsCloseAsTheOthers) {
  const Sample s = sample("", "a b c", 5);
  const auto maps = shapes_of<shape::HeatMap>(figure_of(s, of(Stage::kWeights, std::nullopt)));
  ASSERT_EQ(maps.size(), 5u);
  std::vector<double> tops;
  for (const shape::HeatMap& map : maps)
    if (tops.empty() || map.y > tops.back() + 1) tops.push_back(map.y);
  FigureOptions wide = of(Stage::kWeights, std::nullopt);
  const Sample full = sample("", "a b c", 6);
  const auto whole = shapes_of<shape::HeatMap>(figure_of(full, wide));
  std::vector<double> expected;
  for (const shape::HeatMap& map : whole)
    if (expected.empty() || map.y > expected.back() + 1) expected.push_back(map.y);
  ASSERT_EQ(tops.size(), expected.size());
  for (std::size_t i = 0; i < tops.size(); ++i) EXPECT_NEAR(tops[i], expected[i], 0.01);
}

}  // namespace
}  // namespace lab
