#include "app/figure/compose/shown_tokens.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/figure/compose/range.h"
#include "app/figure/figure_file.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

// "The animal didn't cross the street because it was too tired", animal and it.
FigureOptions animal_and_it() {
  FigureOptions options;
  options.queries = options.keys = {1, 7};
  return options;
}

Matrix map_of(const Figure& figure) { return shapes_of<shape::HeatMap>(figure).at(0).values; }

TEST(ShownTokens, AMapHasTheirRowsAndColumnsAlone) {
  const Sample s = street();
  const Figure figure = figure_of(s, animal_and_it());
  const Matrix& weights = *s.trace.heads[0].weights;
  const Matrix shown = map_of(figure);
  ASSERT_EQ(shown.rows(), 2);
  ASSERT_EQ(shown.cols(), 2);
  EXPECT_EQ(shown(0, 1), weights(1, 7));
  EXPECT_EQ(shown(1, 0), weights(7, 1));
  const auto texts = texts_of(figure);
  EXPECT_EQ(std::ranges::count(texts, "animal"), 2);
  EXPECT_THAT(texts, Not(Contains("street")));
}

TEST(ShownTokens, FeaturesHaveTheRowsOfTheirTokens) {
  const Sample s = street();
  FigureOptions options = animal_and_it();
  options.queries = {7};
  options.stage = Stage::kQ;
  EXPECT_EQ(map_of(figure_of(s, options)), s.trace.heads[0].Q->middleRows(7, 1));
  options.stage = Stage::kK;
  EXPECT_EQ(map_of(figure_of(s, options)).rows(), 2) << "rows of K are keys";
}

TEST(ShownTokens, TheRangeIsThatOfTheNumbersShown) {
  FigureOptions options = animal_and_it();
  options.stage = Stage::kScores;
  const auto map = shapes_of<shape::HeatMap>(figure_of(street(), options)).at(0);
  EXPECT_EQ(map.range.hi, map.values.array().abs().maxCoeff());
}

TEST(ShownTokens, WeightsHaveTheRangeOfAllTokens) {
  FigureOptions options;
  options.queries = {0, 1}, options.keys = {2, 3};
  const Sample s = street();
  ASSERT_LT(s.trace.heads[0].weights->block(0, 2, 2, 2).maxCoeff(), kSmallWeights);
  const auto map = shapes_of<shape::HeatMap>(figure_of(s, options)).at(0);
  EXPECT_EQ(map.range.lo, 0);
  EXPECT_EQ(map.range.hi, 1) << "as the window shows it";
}

TEST(ShownTokens, AMarkStaysOnItsCellAndGoesWithItsToken) {
  FigureOptions options = animal_and_it();
  options.annotate = true;
  options.marks.pins = {{"weights", 0, 7, 1}, {"weights", 0, 3, 3}};
  const Figure figure = figure_of(street(), options);
  const auto map = shapes_of<shape::HeatMap>(figure).at(0);
  const auto frames = shapes_of<shape::Frame>(figure);
  const auto inside = std::ranges::count_if(frames, [&](const shape::Frame& frame) {
    return frame.width < map.width - 1 && frame.width > 9;
  });
  EXPECT_EQ(inside, 1) << "cross is not shown";
  const auto pin = std::ranges::find_if(frames, [&](const shape::Frame& frame) {
    return frame.width < map.width - 1 && frame.width > 9;
  });
  EXPECT_NEAR(pin->x, map.x, 1) << "animal is the first column now";
  EXPECT_NEAR(pin->y, map.y + map.height / 2, 1) << "it is the second row";
}

TEST(ShownTokens, LinesBeginAndEndAtThem) {
  FigureOptions options = animal_and_it();
  options.type = FigureType::kLines;
  options.share = 1;
  const Figure figure = figure_of(street(), options);
  EXPECT_EQ(shapes_of<shape::Curve>(figure).size(), 4u);
  EXPECT_THAT(texts_of(figure), Not(Contains("street")));
}

TEST(ShownTokens, TheQueryOfLinesIsAlwaysShown) {
  FigureOptions options = animal_and_it();
  options.type = FigureType::kLines;
  options.row = 5;
  EXPECT_THAT(texts_of(figure_of(street(), options)), Contains("street"));
}

TEST(ShownTokens, ATokenThatIsNotThereIsRefused) {
  FigureOptions options;
  options.keys = {11};
  EXPECT_THROW(figure_of(street(), options), std::out_of_range);
}

TEST(ShownTokens, ThePageHasThemToo) {
  const Sample s = street();
  const auto page =
      figure_file(s.document, s.trace, animal_and_it(), *figure_format(".html"), {}, nullptr);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_THAT(*page, testing::HasSubstr(R"("keys":["animal","it"])"));
  EXPECT_THAT(*page, testing::HasSubstr(R"("shape":[2,2])"));
}

TEST(TokenNames, ReplaceTheLabelsEverywhereInTheFigure) {
  FigureOptions options;
  options.names = {{false, 7, "pronoun"}, {false, 0, ""}};
  const auto texts = texts_of(figure_of(street(), options));
  EXPECT_EQ(std::ranges::count(texts, "pronoun"), 2);
  EXPECT_THAT(texts, Not(Contains("it")));
  EXPECT_THAT(texts, Not(Contains("The"))) << "an empty name is none";
  EXPECT_THAT(texts, Not(Contains("")));
  options.type = FigureType::kArithmetic;
  options.row = 7;
  EXPECT_THAT(texts_of(figure_of(street(), options)), Contains(testing::HasSubstr("pronoun")));
}

TEST(TokenLabels, CanBeLeftOut) {
  FigureOptions options;
  options.row_labels = false;
  EXPECT_EQ(std::ranges::count(texts_of(figure_of(street(), options)), "animal"), 1);
  options.column_labels = false;
  const Figure bare = figure_of(street(), options);
  EXPECT_THAT(texts_of(bare), Not(Contains("animal")));
  const auto below = [](const Figure& figure) {
    const auto map = shapes_of<shape::HeatMap>(figure).at(0);
    return figure.height - map.y - map.height;
  };
  EXPECT_LT(below(bare), below(figure_of(street(), {})) - 10);
}

TEST(PanelLetters, StandBeforeTheTitlesOfSeveralMaps) {
  FigureOptions options;
  options.letters = true;
  EXPECT_THAT(texts_of(figure_of(street(), options)), Not(Contains(testing::HasSubstr("(a)"))))
      << "one map needs none";
  options.type = FigureType::kHeads;
  EXPECT_THAT(texts_of(figure_of(street(), options)),
              IsSupersetOf({"(a) Head 1", "(b) Head 2", "(c) Head 3"}));
  options.type = FigureType::kTwoHeads;
  EXPECT_THAT(texts_of(figure_of(street(), options)), Contains("(c) Head 1 − head 2"));
}

TEST(PanelLetters, GoOnAfterZ) {
  FigureOptions options;
  options.type = FigureType::kHeads;
  options.letters = true;
  options.width_mm = 500;
  const auto texts = texts_of(figure_of(sample("", "a b", 28), options));
  EXPECT_THAT(texts, IsSupersetOf({"(z) Head 26", "(aa) Head 27", "(ab) Head 28"}));
}

}  // namespace
}  // namespace lab
