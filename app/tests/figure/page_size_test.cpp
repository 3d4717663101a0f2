// Figures for a page of a given height, and what becomes of room that is left.

#include <gmock/gmock.h>

#include <cmath>

#include "app/figure/page_size.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;
using testing::Each;
using testing::Gt;
using testing::SizeIs;

constexpr double kPoints = 72 / 25.4;  // per millimetre

FigureOptions slide(FigureType type) {
  FigureOptions options;
  options.type = type;
  use_page(options, kPagePresets[3]);
  options.font_size = kPagePresets[3].font_size;
  return options;
}

/// How far the maps and all texts but the title reach to the left and the right.
std::pair<double, double> extent(const Figure& figure) {
  double left = figure.width, right = 0;
  for (const auto& map : shapes_of<shape::HeatMap>(figure)) {
    left = std::min(left, map.x);
    right = std::max(right, map.x + map.width);
  }
  return {left, right};
}

std::vector<double> letters(const Figure& figure) {
  std::vector<double> sizes;
  for (const auto& text : shapes_of<shape::Text>(figure)) sizes.push_back(text.size);
  return sizes;
}

TEST(PageSize, ASlideIsNeverHigherThanASlide) {
  for (const Sample& s : samples())
    for (const FigureType type : {FigureType::kMap, FigureType::kHeads, FigureType::kPipeline,
                                  FigureType::kLines, FigureType::kArithmetic}) {
      const Figure figure = figure_of(s, slide(type));
      EXPECT_LE(figure.height, 7.5 * 72 + 1e-6) << s.name << ", kind " << static_cast<int>(type);
      EXPECT_NEAR(figure.width, 13.333 * 72, 0.1);
    }
}

TEST(PageSize, AMapOnASlideFillsItsHeightInLettersThatCanBeReadFromAfar) {
  const Figure figure = figure_of(street(), slide(FigureType::kMap));
  EXPECT_GT(figure.height, 7.4 * 72);
  EXPECT_THAT(letters(figure), Each(Gt(12)));
}

TEST(PageSize, AsManyLettersAsFitOnALowPage) {
  FigureOptions options;
  options.type = FigureType::kLines;
  const double expected = figure_of(street(), options).height;
  options.height_mm = 0.5 * expected / kPoints;
  EXPECT_LE(figure_of(street(), options).height, 0.5 * expected + 1e-6);
  options.height_mm = 2 * expected / kPoints;
  EXPECT_DOUBLE_EQ(figure_of(street(), options).height, expected);
}

TEST(PageSize, AnyHeightGivesAPage) {
  FigureOptions options;
  for (const double height : {-1.0, 0.0, 21.0, 1e9, std::nan("")}) {
    options.height_mm = height;
    const Figure figure = figure_of(street(), options);
    EXPECT_TRUE(std::isfinite(figure.height) && figure.height > 0) << height;
  }
}

TEST(PageSize, AMapThatDoesNotFillThePageStandsInTheMiddle) {
  FigureOptions options;
  options.width_mm = 1000;
  for (const FigureType type : {FigureType::kMap, FigureType::kHeads}) {
    options.type = type;
    const Figure figure = figure_of(street(), options);
    const auto [left, right] = extent(figure);
    EXPECT_NEAR(left, figure.width - right, 0.05 * figure.width) << static_cast<int>(type);
  }
}

TEST(PageSize, TheTitleBeginsWhereTheMapInTheMiddleDoes) {
  FigureOptions options;
  options.width_mm = 1000;
  const Figure figure = figure_of(street(), options);
  const auto texts = shapes_of<shape::Text>(figure);
  EXPECT_EQ(texts.front().text, "Weights, head 1");
  EXPECT_GT(texts.front().x, 0.2 * figure.width);
  EXPECT_LT(texts.front().x, extent(figure).first);
}

TEST(Titles, GoOnBelowWhereThereIsNoRoom) {
  FigureOptions options;
  options.title = "A title that somebody made too long for one line of a page of this width";
  for (const FigureType type : {FigureType::kMap, FigureType::kLines, FigureType::kArithmetic}) {
    options.type = type;
    std::string whole;
    const Figure figure = figure_of(street(), options);
    for (const auto& text : shapes_of<shape::Text>(figure))
      if (text.face == shape::Face::kSansBold) whole += (whole.empty() ? "" : " ") + text.text;
    EXPECT_EQ(whole, *options.title);
  }
}

TEST(Titles, AreCutAfterFourLines) {
  FigureOptions options;
  for (const char* part : {"words ", "WWWW", "ไทย", "中文"}) {
    options.title.emplace();
    for (int i = 0; i < 3000; ++i) *options.title += part;
    std::vector<std::string> lines;
    for (const auto& text : shapes_of<shape::Text>(figure_of(street(), options)))
      if (text.face == shape::Face::kSansBold) lines.push_back(text.text);
    ASSERT_THAT(lines, SizeIs(4)) << part;
    EXPECT_TRUE(lines.back().ends_with("…")) << lines.back();
    EXPECT_FALSE(lines.front().ends_with("…")) << lines.front();
  }
}

TEST(Titles, ShowWhatWouldTurnTheTextAround) {
  FigureOptions options;
  options.title = "a\u202Eb\nc\u0085\xFF";
  for (const FigureType type : {FigureType::kMap, FigureType::kLines, FigureType::kArithmetic}) {
    options.type = type;
    const Figure figure = figure_of(street(), options);
    EXPECT_EQ(figure.title, "a⟨U+202E⟩b␊c⟨U+0085⟩⟨FF⟩");
    EXPECT_EQ(shapes_of<shape::Text>(figure).front().text, figure.title);
  }
}

}  // namespace
}  // namespace lab
