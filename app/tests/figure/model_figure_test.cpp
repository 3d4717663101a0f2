// Figures of whole models, from plain data.

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "app/document/model/layer_document.h"
#include "app/figure/figure_writers.h"
#include "app/figure/model/model_figure.h"
#include "app/tests/figure/samples.h"
#include "app/tests/figure/xml_tree.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Sublayer;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The weights of a causal model that attends at random.
Snapshot random_layers(Index layers, Index heads, Index n,
                       const attention::network::Interventions& done = {}) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> weight(0, 1);
  attention::network::NetworkTrace trace;
  for (Index layer = 0; layer < layers; ++layer) {
    Matrix weights = Matrix::Zero(heads * n, n);
    for (Index row = 0; row < weights.rows(); ++row) {
      for (Index key = 0; key <= row % n; ++key) weights(row, key) = weight(random);
      weights.row(row) /= weights.row(row).sum();
    }
    trace.stack.blocks.push_back({{}, attention::SharedMatrix(std::move(weights)), {}});
  }
  trace.stack.last = attention::SharedMatrix(Matrix::Zero(n, 1));
  ModelSource model;
  model.name = "random";
  attention::network::Tokens tokens;
  for (Index i = 0; i < n; ++i) tokens.ids.push_back(static_cast<std::uint32_t>(100 + i));
  return all_layers(model, tokens, trace, done, Sublayer::kSelf);
}

FigureOptions options_of_layers(Index heads, double width_mm = 183) {
  FigureOptions options;
  options.type = FigureType::kHeads;
  options.layers = true;
  options.grid_columns = static_cast<int>(heads);
  options.range_rule = RangeRule::kShared;
  options.width_mm = width_mm;
  options.subtitle = "random · “a small dog”";
  return options;
}

std::vector<shape::HeatMap> maps_in(const Figure& figure) {
  return shapes_of<shape::HeatMap>(figure);
}

TEST(LayerGrid, HasARowForEachLayerAndAColumnForEachHead) {
  const Snapshot all = random_layers(3, 5, 4);
  const Figure figure = stage_figure(all.document, all.trace, options_of_layers(5));
  const auto maps = maps_in(figure);
  ASSERT_EQ(maps.size(), 15U);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    EXPECT_EQ(maps[i].values, *all.trace.heads[i].weights) << i;
    EXPECT_EQ(maps[i].range, maps[0].range);
    EXPECT_EQ(maps[i].title, all.document.head_names[i]);
    if (i % 5 > 0) {
      EXPECT_DOUBLE_EQ(maps[i].y, maps[i - 1].y);
      EXPECT_GT(maps[i].x, maps[i - 1].x + maps[i - 1].width);
    }
    if (i >= 5) {
      EXPECT_GT(maps[i].y, maps[i - 5].y + maps[i - 5].height);
    }
  }
  const auto texts = texts_of(figure);
  for (const char* name : {"L0", "L1", "L2", "H0", "H4", "random · “a small dog”"})
    EXPECT_THAT(texts, Contains(name));
}

// The titles of lines and columns stand at the middle of the maps that they name.
TEST(LayerGrid, NamesAreBesideTheirMaps) {
  const Snapshot all = random_layers(12, 12, 6);
  const Figure figure = stage_figure(all.document, all.trace, options_of_layers(12));
  const auto maps = maps_in(figure);
  for (const shape::Text& text : shapes_of<shape::Text>(figure)) {
    if (text.text == "L7") {
      EXPECT_LT(text.x, maps[7 * 12].x);
      EXPECT_GT(text.y, maps[7 * 12].y);
      EXPECT_LT(text.y, maps[7 * 12].y + maps[7 * 12].height);
    }
    if (text.text == "H9") {
      EXPECT_LT(text.y, maps[9].y);
      EXPECT_NEAR(text.x, maps[9].x + maps[9].width / 2, 1e-6);
    }
  }
}

TEST(LayerGrid, LeavesOutTokensThatHaveNoRoomAndStaysOnThePage) {
  for (const auto& [layers, heads, n] :
       std::vector<std::array<Index, 3>>{{2, 4, 5}, {12, 12, 32}, {24, 16, 20}}) {
    const Snapshot all = random_layers(layers, heads, n);
    const Figure figure = stage_figure(all.document, all.trace, options_of_layers(heads));
    const bool labelled = n == 5;
    EXPECT_EQ(testing::Value(texts_of(figure), Contains("101")), labelled) << layers;
    for (const shape::HeatMap& map : maps_in(figure)) {
      EXPECT_GE(map.x, 0);
      EXPECT_LE(map.x + map.width, figure.width);
      EXPECT_LE(map.y + map.height, figure.height);
      EXPECT_GT(map.width, 10);
    }
  }
}

TEST(LayerGrid, HatchesMutedHeads) {
  const Snapshot all = random_layers(
      2, 2, 3, {.gains = {{.at = {Sublayer::kSelf, 1}, .head = 0, .gain = 1, .mute = true}}});
  const Figure figure = stage_figure(all.document, all.trace, options_of_layers(2));
  const auto maps = maps_in(figure);
  ASSERT_EQ(maps.size(), 5U);  // the last one is in the legend
  EXPECT_TRUE(std::isinf(maps[2].values(0, 0)));
  EXPECT_EQ(maps[3].values, *all.trace.heads[3].weights);
  EXPECT_THAT(texts_of(figure), Contains("muted"));
}

TEST(LayerPage, Of12LayersOf12HeadsAnd32TokensIsSmall) {
  const Snapshot all = random_layers(12, 12, 32);
  const FigureOptions options = options_of_layers(12);
  const auto page = write_html({all.document, all.trace, options}, {});
  ASSERT_TRUE(page.has_value());
  EXPECT_LT(page->size(), 5'000'000U);
  EXPECT_GT(page->size(), 12U * 12 * 32 * 32 * 4);
  for (const char* part : {"\"L11H11\"", "\"layerHeads\":12", "random · “a small dog”"})
    EXPECT_NE(page->find(part), std::string::npos) << part;
  EXPECT_EQ(page->find("src=\"http"), std::string::npos);
}

ModelMaps knock_out() {
  Matrix change(2, 3);
  change << -1.5f, 0.25f, 0, 2, -0.5f, 0.125f;
  ModelMap map = figure::map_of_heads("", "knock_out", change);
  map.muted = {{0, 2}};
  return {{"words", "a small", "L0H2 muted"}, "Change of the logit", {map}};
}

TEST(ModelMaps, ShowANumberForEachHead) {
  const Figure figure = model_maps_figure(knock_out(), {});
  const auto maps = maps_in(figure);
  ASSERT_GE(maps.size(), 1U);
  EXPECT_EQ(maps[0].range.lo, -2);
  EXPECT_EQ(maps[0].range.hi, 2);
  EXPECT_EQ(maps[0].palette, Palette::kRedBlue);
  EXPECT_FLOAT_EQ(maps[0].values(1, 0), 2);
  EXPECT_TRUE(std::isinf(maps[0].values(0, 2)));
  const auto texts = texts_of(figure);
  for (const char* text : {"Change of the logit", "words · “a small” · L0H2 muted", "L0", "L1",
                           "H2", "−1.50", "2.00", "muted"})
    EXPECT_THAT(texts, Contains(text)) << text;
}

TEST(ModelMaps, NumbersFitIntoTheirCellsUpTo12Heads) {
  const Matrix values = Matrix::Constant(12, 12, -0.25f);
  const ModelMaps maps{{"m", "", ""}, "t", {figure::map_of_heads("", "x", values)}};
  FigureOptions options;
  options.width_mm = figure::suitable_width_mm(maps);
  EXPECT_LE(options.width_mm, 183);
  options.colour_bar = false;  // its ticks are numbers, too
  const auto texts = texts_of(model_maps_figure(maps, options));
  EXPECT_EQ(std::ranges::count(texts, "−0.25"), 144);
}

TEST(ModelMaps, AllowATitleAndNoneAndAFixedRange) {
  FigureOptions options;
  options.title = "Mine";
  options.range_rule = RangeRule::kFixed;
  options.range = {-8, 8};
  const Figure figure = model_maps_figure(knock_out(), options);
  EXPECT_EQ(maps_in(figure)[0].range.hi, 8);
  EXPECT_THAT(texts_of(figure), AllOf(Contains("Mine"), Not(Contains(HasSubstr("words")))));
}

TEST(ModelMaps, AreATableWhoseNumbersReadBack) {
  const auto table = table_of(ModelFigure{knock_out()});
  EXPECT_THAT(table.header,
              testing::ElementsAre("row", "row_label", "column", "column_label", "knock_out"));
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_THAT(table.rows[3], testing::ElementsAre("1", "L1", "0", "H0", "2"));
}

ModelBars next_tokens() {
  return {{"words", "a small", "L0H1 muted"},
          "The likeliest tokens",
          "",
          {{"", "·dog", 0.5f, 0.25f, true, ""}, {"", "·cat", 0.25f, 0.125f, false, ""}}};
}

TEST(ModelBars, AreAsLongAsTheProbabilities) {
  const Figure figure = model_bars_figure(next_tokens(), {});
  const auto bars = shapes_of<shape::Fill>(figure);
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_NEAR(bars[0].width, 2 * bars[1].width, 1e-6);
  EXPECT_GT(bars[0].width, figure.width / 2);
  EXPECT_FALSE(bars[0].colour == bars[1].colour);
  const auto outlines = shapes_of<shape::Frame>(figure);
  ASSERT_EQ(outlines.size(), 3U);  // the last one is in the legend
  EXPECT_NEAR(outlines[0].width, bars[0].width / 2, 1e-6);
  EXPECT_THAT(texts_of(figure),
              AllOf(Contains("·dog"), Contains("0.50"), Contains("before the edits")));
}

TEST(ModelBars, WithoutEditsHaveNoOutlines) {
  ModelBars bars = next_tokens();
  for (ModelBar& bar : bars.bars) bar.before.reset();
  const Figure figure = model_bars_figure(bars, {});
  EXPECT_THAT(shapes_of<shape::Frame>(figure), IsEmpty());
}

TEST(ModelBars, StayOnANarrowPage) {
  ModelBars bars = next_tokens();
  bars.bars[0].token = "a·very·long·token·that·has·no·room·on·a·narrow·page";
  FigureOptions options;
  options.width_mm = 30;
  const Figure figure = model_bars_figure(bars, options);
  for (const shape::Fill& bar : shapes_of<shape::Fill>(figure))
    EXPECT_LE(bar.x + bar.width, figure.width);
  for (const shape::Text& text : shapes_of<shape::Text>(figure)) EXPECT_LE(text.x, figure.width);
}

ModelCurves two_curves() {
  ModelCurves curves;
  curves.title = "Scores";
  curves.last = 10;
  curves.curves = {{"L1H0", "L1H0", {0, 5, 10}, {0, 0.25f, 1}, true, false},
                   {"loss", "loss", {5, 10}, {1, std::nanf("")}, false, true}};
  return curves;
}

TEST(ModelCurves, RiseWithTheirNumbersFromTheLeftToTheRight) {
  const Figure figure = model_curves_figure(two_curves(), {});
  std::vector<shape::Polyline> lines;
  for (const Shape& shape : figure.shapes)
    if (const auto* line = std::get_if<shape::Polyline>(&shape))
      if (line->points.size() == 3) lines.push_back(*line);
  ASSERT_EQ(lines.size(), 1U) << "a single finite number is no line";
  const auto& points = lines.front().points;
  EXPECT_NEAR(points[1].x - points[0].x, points[2].x - points[1].x, 1e-6);
  EXPECT_NEAR((points[0].y - points[1].y) * 4, points[0].y - points[2].y, 1e-6);
  for (const shape::Point& point : points) {
    EXPECT_GT(point.x, 0);
    EXPECT_LT(point.x, figure.width);
    EXPECT_LT(point.y, figure.height);
  }
}

TEST(ModelCurves, OfManyStepsAreMeansOfEqualParts) {
  ModelCurve curve;
  for (int step = 0; step < 1000; ++step) {
    curve.steps.push_back(step);
    curve.values.push_back(static_cast<float>(step % 2));
  }
  const auto points = thinned(curve, 999, 10);
  ASSERT_EQ(points.size(), 10U);
  for (const shape::Point& point : points) EXPECT_NEAR(point.y, 0.5, 0.01);
}

TEST(ModelCurves, LabelsThatWouldOverlapArePushedApart) {
  const auto heights = spread_labels({50, 50, 49, 98}, 10, 0, 100);
  EXPECT_EQ(heights.size(), 4U);
  EXPECT_LT(heights[2], heights[0]);
  EXPECT_LT(heights[0], heights[1]);
  for (const auto& [upper, lower] : {std::pair{2, 0}, {0, 1}, {1, 3}})
    EXPECT_GE(heights[static_cast<std::size_t>(lower)] - heights[static_cast<std::size_t>(upper)],
              10);
  EXPECT_LE(heights[3], 100);
}

TEST(ModelCurves, AreATableOfStepsAndValues) {
  const ModelTable table = table_of(two_curves());
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"L1H0", "5", "0.25"}));
  const ModelTable beginning = table_of(two_curves(), 4);
  EXPECT_EQ(beginning.rows,
            (std::vector<std::vector<std::string>>{table.rows.begin(), table.rows.begin() + 4}));
}

TEST(ModelFigures, AreWrittenInEveryFormat) {
  for (const ModelFigure& figure :
       {ModelFigure{knock_out()}, ModelFigure{next_tokens()}, ModelFigure{two_curves()}})
    for (const FigureFormat& format : figure::figure_formats())
      for (const bool dark : {false, true}) {
        FigureOptions options;
        options.dark = dark;
        const auto file = model_figure_file(figure, options, format, {300, "{\"a\":\"<b>\"}", {}});
        ASSERT_TRUE(file.has_value()) << format.ending;
        EXPECT_GT(file->size(), 500U) << format.ending;
        EXPECT_TRUE(format.ending != ".svg" || parsed_xml(*file).has_value());
      }
}

TEST(ModelFigures, AsAPageHaveATableAndLoadNothing) {
  ModelMaps maps = knock_out();
  maps.caption.text = "a <b> small";
  const auto page = model_figure_file(ModelFigure{maps}, {}, *figure::figure_format(".html"),
                                      {300, "{\"text\":\"<script>\"}", {}});
  ASSERT_TRUE(page.has_value());
  for (const char* part : {"<th>knock_out</th>", "<td>-1.5</td>", "default-src 'none'",
                           "a &lt;b&gt; small", "{\"text\":\"\\u003cscript>\"}"})
    EXPECT_NE(page->find(part), std::string::npos) << part;
  EXPECT_EQ(page->find("http:"), std::string::npos);
}

}  // namespace
}  // namespace lab
