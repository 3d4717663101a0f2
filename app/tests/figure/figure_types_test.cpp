#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <stdexcept>

#include "app/figure/compose/range.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "core/analysis/metrics.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using testing::Contains;
using testing::HasSubstr;

const Matrix& weights_of(const Sample& s, std::size_t head) {
  return *s.trace.heads.at(head).weights;
}

FigureOptions of(FigureType type) {
  FigureOptions options;
  options.type = type;
  return options;
}

double inside(const shape::HeatMap& map, Index row, Index col, const shape::Frame& frame) {
  const double w = map.width / static_cast<double>(map.values.cols());
  const double h = map.height / static_cast<double>(map.values.rows());
  return std::abs(map.x + static_cast<double>(col) * w - frame.x) +
         std::abs(map.y + static_cast<double>(row) * h - frame.y) + std::abs(w - frame.width) +
         std::abs(h - frame.height);
}

TEST(TwoHeads, StandOnOneScaleBesideTheFirstLessTheSecond) {
  const Sample s = street();
  FigureOptions options = of(FigureType::kTwoHeads);
  options.stage = Stage::kScores;
  options.head = 2, options.second_head = 0;
  const auto maps = shapes_of<shape::HeatMap>(figure_of(s, options));
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].values, *s.trace.heads[2].scores);
  EXPECT_EQ(maps[1].values, *s.trace.heads[0].scores);
  EXPECT_EQ(maps[2].values, maps[0].values - maps[1].values);
  EXPECT_EQ(maps[0].range, maps[1].range);
  EXPECT_EQ(maps[2].range.lo, -maps[2].range.hi);
  EXPECT_GE(maps[2].range.hi, maps[2].values.cwiseAbs().maxCoeff());
}

TEST(TwoHeads, AreNamed) {
  const auto texts = texts_of(figure_of(street(), of(FigureType::kTwoHeads)));
  for (const char* name : {"Weights of heads 1 and 2", "Head 1", "Head 2", "Head 1 − head 2"})
    EXPECT_THAT(texts, Contains(name));
}

TEST(MeanOfHeads, IsOneMapOfThoseThatAreHeard) {
  Sample s = street();
  const auto texts = texts_of(figure_of(s, of(FigureType::kMean)));
  EXPECT_THAT(texts, Contains("Weights, mean of all heads"));
  s.document.problem.head_mix.resize(3);
  s.document.problem.head_mix[1].mute = true;
  const Figure figure = figure_of(s, of(FigureType::kMean));
  const auto maps = shapes_of<shape::HeatMap>(figure);
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(maps[0].values, Matrix((weights_of(s, 0) + weights_of(s, 2)) / 2));
  EXPECT_THAT(texts_of(figure), Contains("Weights, mean of heads 1, 3"));
}

TEST(TwoHeads, ThatAreNotThereAreRefused) {
  FigureOptions options = of(FigureType::kTwoHeads);
  options.second_head = 3;
  EXPECT_THROW(figure_of(street(), options), std::out_of_range);
}

TEST(TwoStates, ShowBLessA) {
  const Sample before = street();
  Sample after = before;
  after.document.problem.config.temperature = 2;
  after.trace = attention::Evaluator().evaluate(after.document.problem);
  const Snapshot kept{before.document, before.trace};
  const Figure figure =
      stage_figure(after.document, after.trace, of(FigureType::kTwoStates), &kept);
  const auto maps = shapes_of<shape::HeatMap>(figure);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].values, weights_of(before, 0));
  EXPECT_EQ(maps[1].values, weights_of(after, 0));
  EXPECT_EQ(maps[2].values, weights_of(after, 0) - weights_of(before, 0));
  EXPECT_THAT(texts_of(figure), Contains("B − A"));
}

TEST(TwoStates, OfOtherShapesHaveNoDifference) {
  const Sample before = street();
  Sample after = before;
  after.document.problem.config.d_k = 2;
  FigureOptions options = of(FigureType::kTwoStates);
  options.stage = Stage::kQ;
  attention::Trace narrow = after.trace;
  for (auto& head : narrow.heads) head.Q = attention::SharedMatrix(Matrix(head.Q->leftCols(2)));
  const Snapshot kept{before.document, before.trace};
  try {
    static_cast<void>(stage_figure(after.document, narrow, options, &kept));
    FAIL() << "it was drawn";
  } catch (const std::out_of_range& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("11×2"));
    EXPECT_THAT(problem.what(), HasSubstr("no difference"));
  }
  EXPECT_THROW(figure_of(after, of(FigureType::kTwoStates)), std::out_of_range);
}

TEST(TwoStates, OfOtherSentencesHaveTheirOwnLabels) {
  const Sample before = sample("", "The cat sat down"), after = sample("", "Now the dog sat");
  const Snapshot kept{before.document, before.trace};
  FigureOptions options = of(FigureType::kTwoStates);
  const Figure figure = stage_figure(after.document, after.trace, options, &kept);
  const auto maps = shapes_of<shape::HeatMap>(figure);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].values, weights_of(before, 0));
  EXPECT_EQ(maps[1].values, weights_of(after, 0));
  const auto texts = texts_of(figure);
  EXPECT_EQ(std::ranges::count(texts, "cat"), 2) << "a row and a column of A";
  EXPECT_EQ(std::ranges::count(texts, "dog"), 2) << "a row and a column of B";
  EXPECT_EQ(std::ranges::count(texts, "B − A"), 1);
  EXPECT_EQ(std::ranges::count(texts, "sat"), 6) << "in all three";
}

TEST(TwoStates, OfOtherSentencesSubtractTheWordsInBoth) {
  const Sample before = sample("", "The cat sat down"), after = sample("", "Now The dog sat");
  const Snapshot kept{before.document, before.trace};
  FigureOptions options = of(FigureType::kTwoStates);
  const auto difference = [&] {
    const auto maps =
        shapes_of<shape::HeatMap>(stage_figure(after.document, after.trace, options, &kept));
    return maps.size() == 3 ? Matrix(maps[2].values) : Matrix();
  };
  constexpr Index kInA[] = {0, 2}, kInB[] = {1, 3};  // The, sat
  Matrix expected(2, 2);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j)
      expected(i, j) =
          weights_of(after, 0)(kInB[i], kInB[j]) - weights_of(before, 0)(kInA[i], kInA[j]);
  EXPECT_EQ(difference(), expected);
  options.queries = {0, 3};  // Now is not in A
  EXPECT_EQ(difference(), Matrix(expected.bottomRows(1)));
}

TEST(TwoStates, OfSentencesWithoutCommonWordsHaveNoDifference) {
  const Sample before = sample("", "The cat sat"), after = sample("", "Nobody knows why");
  const Snapshot kept{before.document, before.trace};
  const Figure figure =
      stage_figure(after.document, after.trace, of(FigureType::kTwoStates), &kept);
  EXPECT_EQ(shapes_of<shape::HeatMap>(figure).size(), 2U);
  EXPECT_THAT(texts_of(figure), testing::Not(Contains("B − A")));
}

TEST(TwoStates, OfOtherSentencesMarkAndNameTheSameWords) {
  const Sample before = sample("", "The cat sat"), after = sample("", "Now The cat sat");
  const Snapshot kept{before.document, before.trace};
  FigureOptions options = of(FigureType::kTwoStates);
  options.queries = {2, 3};
  options.names = {{false, 2, "tom"}};
  options.marks.pins = {{"weights", 0, 2, 1}};
  const Figure figure = stage_figure(after.document, after.trace, options, &kept);
  const auto maps = shapes_of<shape::HeatMap>(figure);
  EXPECT_EQ(maps.front().values, Matrix(weights_of(before, 0).bottomRows(2))) << "cat and sat";
  EXPECT_EQ(std::ranges::count(texts_of(figure), "tom"), 6) << "in all three";
  const auto frames = shapes_of<shape::Frame>(figure);
  const auto is_around = [&](Index row, Index col) {
    return std::ranges::any_of(
        frames, [&](const shape::Frame& f) { return inside(maps.front(), row, col, f) < 1e-6; });
  };
  EXPECT_TRUE(is_around(0, 0)) << "“cat” and “The” of A";
}

TEST(LineFigure, HasALineForEachKeyThatHoldsTheShare) {
  const Sample s = street();
  for (const double share : {0.3, 0.9, 1.0}) {
    FigureOptions options = of(FigureType::kLines);
    options.share = share;
    std::size_t expected = 0;
    for (Index query = 0; query < 11; ++query)
      expected += attention::leading_pairs(weights_of(s, 0), query, share).size();
    EXPECT_EQ(shapes_of<shape::Curve>(figure_of(s, options)).size(), expected) << share;
  }
}

TEST(LineFigure, OfOneQueryStartsAtItAndIsThickestToItsStrongestKey) {
  const Sample s = street();
  FigureOptions options = of(FigureType::kLines);
  options.row = 7;
  const Figure figure = figure_of(s, options);
  const auto curves = shapes_of<shape::Curve>(figure);
  ASSERT_FALSE(curves.empty());
  for (const shape::Curve& curve : curves) EXPECT_EQ(curve.from.y, curves[0].from.y);
  const auto thickest = std::ranges::max_element(curves, {}, &shape::Curve::line);
  Index key = 0;
  weights_of(s, 0).row(7).maxCoeff(&key);
  // The label of a key stands beside the end of its lines.
  const auto texts = shapes_of<shape::Text>(figure);
  const auto label = std::ranges::find_if(texts, [&](const shape::Text& text) {
    return text.align == shape::Align::kLeft && std::abs(text.y - thickest->to.y) < 4 &&
           text.x > thickest->to.x;
  });
  ASSERT_NE(label, texts.end());
  EXPECT_EQ(label->text, key_label(s.document, key));
}

TEST(LineFigure, GivesEachHeadItsColourAndNamesIt) {
  FigureOptions options = of(FigureType::kLines);
  options.line_heads = {0, 2};
  const Figure figure = figure_of(street(), options);
  for (const shape::Curve& curve : shapes_of<shape::Curve>(figure))
    EXPECT_TRUE(curve.colour == head_line_colour(0) || curve.colour == head_line_colour(1));
  EXPECT_THAT(texts_of(figure), Contains("head 3"));
  options.line_heads = {0, 5};
  EXPECT_THROW(figure_of(street(), options), std::out_of_range);
}

TEST(ArithmeticFigure, ShowsTheNumbersOfTheCell) {
  const Sample s = street();
  FigureOptions options = of(FigureType::kArithmetic);
  options.row = 7, options.column = 1;
  options.decimals = 4;
  const auto texts = texts_of(figure_of(s, options));
  EXPECT_THAT(texts, Contains("weights[it, animal]"));
  std::string all;
  for (const std::string& text : texts) all += text + " ";
  const auto number = [](float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", static_cast<double>(value));
    return std::string(text);
  };
  EXPECT_THAT(all, HasSubstr(number((*s.trace.heads[0].scores)(7, 1))));
  EXPECT_THAT(all, HasSubstr(number((*s.trace.heads[0].scaled_scores)(7, 1))));
  EXPECT_THAT(all, HasSubstr(number(weights_of(s, 0)(7, 1))));
}

/// The numbers of the rows of a figure, from the top: x of the right end by y.
std::vector<std::vector<double>> rows_of_numbers(const Figure& figure) {
  std::map<double, std::vector<double>> rows;
  for (const auto& text : shapes_of<shape::Text>(figure))
    if (text.align == shape::Align::kRight) rows[text.y].push_back(text.x);
  std::vector<std::vector<double>> all;
  for (const auto& [y, xs] : rows) all.push_back(xs);
  return all;
}

TEST(ArithmeticFigure, AProductStandsBelowItsFactors) {
  FigureOptions options = of(FigureType::kArithmetic);
  options.stage = Stage::kHeadOutput, options.row = 2;
  for (const double width : {60.0, 89.0, 183.0}) {
    options.width_mm = width;
    const auto rows = rows_of_numbers(figure_of(street(), options));
    ASSERT_GE(rows.size(), 3U);
    ASSERT_EQ(rows.size() % 3, 0U) << "factors, factors, products";
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < rows.size(); i += 3) {
      EXPECT_EQ(rows[i], rows[i + 1]);
      EXPECT_EQ(rows[i], rows[i + 2]);
      numbers += rows[i].size();
    }
    EXPECT_EQ(numbers, 11U) << "one of each key";
  }
}

TEST(ArithmeticFigure, OfACellThatIsNotThereIsRefused) {
  FigureOptions options = of(FigureType::kArithmetic);
  options.row = 7, options.column = 11;
  EXPECT_THROW(figure_of(street(), options), std::out_of_range);
}

TEST(Marks, FrameTheirCellsInTheirStageAlone) {
  const Sample s = street();
  FigureOptions options;
  const auto frames = [&] { return shapes_of<shape::Frame>(figure_of(s, options)); };
  const std::size_t unmarked = frames().size();
  options.marks.pins = {{"weights", 0, 3, 2}, {"scores", 0, 1, 1}, {"weights", 1, 5, 5}};
  options.marks.selected = attention::CellRef{"weights", 0, 7, 1};
  ASSERT_EQ(frames().size(), unmarked + 2);
  const auto map = shapes_of<shape::HeatMap>(figure_of(s, options)).front();
  const auto is_around = [&](Index row, Index col) {
    return std::ranges::any_of(
        frames(), [&](const shape::Frame& f) { return inside(map, row, col, f) < 1e-6; });
  };
  EXPECT_TRUE(is_around(3, 2));
  EXPECT_TRUE(is_around(7, 1));
  options.marks.selected = attention::CellRef{"weights", 0, 99, 1};
  EXPECT_EQ(frames().size(), unmarked + 1) << "a cell that has gone";
}

TEST(Marks, ShowWhatWasPutByHandUnlessLeftOut) {
  Sample s = street();
  s.document.problem.overrides = {{Stage::kWeights, 0, 2, 3, 0.5f}, {Stage::kScores, 0, 0, 0, 1}};
  s.trace = attention::Evaluator().evaluate(s.document.problem);
  FigureOptions options;
  EXPECT_EQ(shapes_of<shape::Polygon>(figure_of(s, options)).size(), 1U);
  options.marks.overrides = false;
  EXPECT_TRUE(shapes_of<shape::Polygon>(figure_of(s, options)).empty());
}

TEST(Options, LeaveOutTheBarAndTheBackground) {
  FigureOptions options;
  options.colour_bar = false;
  EXPECT_TRUE(shapes_of<shape::ColourBar>(figure_of(street(), options)).empty());
  options.type = FigureType::kHeads;
  EXPECT_TRUE(shapes_of<shape::ColourBar>(figure_of(street(), options)).empty());
  options.transparent = true;
  EXPECT_TRUE(figure_of(street(), options).transparent);
}

TEST(Options, TheGapSpreadsTheHeads) {
  FigureOptions options = of(FigureType::kHeads);
  options.width_mm = 183;
  const auto gap = [&] {
    const auto maps = shapes_of<shape::HeatMap>(figure_of(street(), options));
    return maps[1].x - maps[0].x - maps[0].width;
  };
  const double default_value = gap();
  options.gap = 3;
  EXPECT_GT(gap(), default_value);
  options.gap = 0;
  EXPECT_LT(gap(), default_value);
}

TEST(RobustRange, LeavesOutTwoPerCentAtEachEnd) {
  Matrix values(1, 101);
  std::iota(values.data(), values.data() + values.size(), 0.0f);
  values(0, 100) = 1e6f;
  EXPECT_EQ(robust_range(Stage::kScores, values), (Range{-98, 98}));
  values(0, 0) = std::nanf("");
  EXPECT_TRUE(std::isfinite(robust_range(Stage::kScores, values).hi));
}

TEST(RobustRange, OfWeightsBeginsAtZero) {
  Matrix values = Matrix::Constant(10, 10, 0.1f);
  values(0, 0) = 1;
  EXPECT_EQ(robust_range(Stage::kWeights, values), (Range{0, 0.1f}));
  EXPECT_EQ(robust_range(Stage::kWeights, Matrix::Zero(2, 2)), (Range{0, 1}));
}

TEST(Centred, IsEvenAboutTheCentreAndHoldsTheRange) {
  EXPECT_EQ(centred({-1, 3}, 0), (Range{-3, 3}));
  EXPECT_EQ(centred({0, 1}, 0.25f), (Range{-0.5f, 1, Spread::kLinear, 0.25f}));
}

}  // namespace
}  // namespace lab
