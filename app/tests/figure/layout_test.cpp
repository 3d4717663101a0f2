// What must hold of every page, whatever is on it.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "app/figure/figure_writers.h"
#include "app/figure/text/figure_text.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;

struct Point {
  double x = 0, y = 0;
};
/// The corners of a rectangle that may be turned.
using Box = std::array<Point, 4>;

Box box_of(const shape::Text& text) {
  const double width = TextRuler(std::string(kFigureFamily)).width(text);
  const double share =
      text.align == shape::Align::kLeft ? 0 : (text.align == shape::Align::kCentre ? 0.5 : 1);
  const double up = 0.74 * text.size, down = 0.2 * text.size;  // capitals and descenders
  const double c = std::cos(text.angle * std::numbers::pi / 180);
  const double s = std::sin(text.angle * std::numbers::pi / 180);
  const auto corner = [&](double along, double below) {
    return Point{text.x + along * c + below * s, text.y - along * s + below * c};
  };
  return {corner(-share * width, -up), corner((1 - share) * width, -up),
          corner((1 - share) * width, down), corner(-share * width, down)};
}

Box box_of(const shape::HeatMap& m) {
  return {Point{m.x, m.y}, Point{m.x + m.width, m.y}, Point{m.x + m.width, m.y + m.height},
          Point{m.x, m.y + m.height}};
}

/// True when a line along one of `a`'s sides separates the two (the separating axis theorem).
bool separated_along(const Box& a, const Box& b) {
  for (const int side : {0, 1}) {
    const Point axis{a[static_cast<std::size_t>(side + 1)].x - a[static_cast<std::size_t>(side)].x,
                     a[static_cast<std::size_t>(side + 1)].y - a[static_cast<std::size_t>(side)].y};
    const auto extent = [&](const Box& box) {
      double low = 1e300, high = -1e300;
      for (const Point& p : box) {
        const double at = p.x * axis.x + p.y * axis.y;
        low = std::min(low, at), high = std::max(high, at);
      }
      return std::pair(low, high);
    };
    const auto [a_low, a_high] = extent(a);
    const auto [b_low, b_high] = extent(b);
    if (a_high <= b_low || b_high <= a_low) return true;
  }
  return false;
}

bool overlap(const Box& a, const Box& b) {
  return !separated_along(a, b) && !separated_along(b, a);
}

bool inside(const Box& inner, const Box& outer) {
  return std::ranges::all_of(inner, [&](const Point& p) {
    return p.x >= outer[0].x && p.x <= outer[2].x && p.y >= outer[0].y && p.y <= outer[2].y;
  });
}

struct PlacedText {
  std::string text;
  Box box;
};

std::vector<PlacedText> placed_texts(const Figure& figure) {
  std::vector<PlacedText> placed;
  for (const shape::Text& text : shapes_of<shape::Text>(figure))
    if (!text.text.empty()) placed.push_back({text.text, box_of(text)});
  return placed;
}

void expect_no_texts_collide(const std::vector<PlacedText>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = i + 1; j < texts.size(); ++j)
      EXPECT_FALSE(overlap(texts[i].box, texts[j].box))
          << "“" << texts[i].text << "” and “" << texts[j].text << "”";
}

/// A text is a number in a cell or stays clear of the maps.
void expect_texts_clear_of_maps(const std::vector<PlacedText>& texts, const Figure& figure) {
  for (const shape::HeatMap& map : shapes_of<shape::HeatMap>(figure)) {
    const Box place = box_of(map);
    for (const PlacedText& text : texts)
      EXPECT_TRUE(!overlap(text.box, place) || inside(text.box, place)) << "“" << text.text << "”";
  }
}

void move(shape::Polygon& polygon, double by) {
  for (shape::Point& corner : polygon.corners) corner.x += by, corner.y += by;
}
void move(shape::Polyline& polyline, double by) {
  for (shape::Point& point : polyline.points) point.x += by, point.y += by;
}
void move(shape::Curve& curve, double by) {
  for (shape::Point* point : {&curve.from, &curve.towards_from, &curve.towards_to, &curve.to})
    point->x += by, point->y += by;
}
template <typename Placed>
void move(Placed& placed, double by) {
  placed.x += by, placed.y += by;
}

/// Paints the page on a larger sheet: whatever leaves the page shows on what is around it.
void expect_nothing_leaves_the_page(Figure figure) {
  constexpr double kAround = 40;
  const double width = figure.width, height = figure.height;
  figure.width += 2 * kAround, figure.height += 2 * kAround;
  for (Shape& shape : figure.shapes) std::visit([](auto& s) { move(s, kAround); }, shape);
  const Picture picture = decoded(write_png(figure, {72}).value());
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const bool on_page =
          x >= kAround && x < kAround + width && y >= kAround && y < kAround + height;
      ASSERT_TRUE(on_page || picture.at(x, y) == figure.background) << x << ", " << y;
    }
}

void expect_good_page(const Sample& s, const FigureOptions& options) {
  const Figure figure = figure_of(s, options);
  EXPECT_NEAR(figure.width, options.width_mm * 72 / 25.4, 1e-6);
  EXPECT_GT(figure.height, 0);
  EXPECT_LT(figure.height, 12 * figure.width + 12 * options.font_size);
  const std::vector<PlacedText> texts = placed_texts(figure);
  expect_no_texts_collide(texts);
  expect_texts_clear_of_maps(texts, figure);
  expect_nothing_leaves_the_page(figure);
}

/// Every stage that there is, of the first head, of all heads, and the pipeline.
std::vector<FigureOptions> everything(const Sample& s) {
  std::vector<FigureOptions> all(1);
  all.back().type = FigureType::kPipeline;
  for (const Stage stage : attention::kAllStages)
    for (const bool grid : {false, true}) {
      if (stage_shape(s.document.problem, stage) == attention::Shape{}) continue;
      FigureOptions options;
      options.stage = stage;
      if (grid) options.type = FigureType::kHeads;
      all.push_back(options);
    }
  for (const FigureType type :
       {FigureType::kTwoHeads, FigureType::kLines, FigureType::kArithmetic}) {
    if (type == FigureType::kTwoHeads && s.document.problem.config.n_heads < 2) continue;
    FigureOptions options;
    options.type = type;
    all.push_back(options);
  }
  return all;
}

std::string describe(const Sample& s, const FigureOptions& o) {
  return s.name + ", " +
         (o.type == FigureType::kPipeline ? "pipeline"
                                          : std::string(attention::stage_name(o.stage))) +
         ", kind " + std::to_string(static_cast<int>(o.type)) + ", " + std::to_string(o.width_mm) +
         " mm, " + std::to_string(o.font_size) + " pt" + (o.annotate ? ", annotated" : "");
}

class EveryPage : public testing::TestWithParam<double> {};

TEST_P(EveryPage, KeepsItsTextsApartAndOnThePage) {
  for (const Sample& s : samples())
    for (FigureOptions options : everything(s)) {
      options.width_mm = GetParam();
      SCOPED_TRACE(describe(s, options));
      expect_good_page(s, options);
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, EveryPage, testing::Values(40.0, 89.0, 183.0));

TEST(EveryPage, NumbersInCellsStayInTheirCells) {
  for (const Sample& s : samples())
    for (FigureOptions options : everything(s)) {
      if (s.document.tokens.size() > 20) continue;  // no cell has room for a number
      options.annotate = true;
      options.width_mm = 120;
      SCOPED_TRACE(describe(s, options));
      expect_good_page(s, options);
    }
}

TEST(EveryPage, HoldsForSmallAndLargeLetters) {
  const Sample s = sample("", "The animal didn't cross the street because it was too tired");
  for (const double font : {4.0, 10.0, 16.0})
    for (FigureOptions options : everything(s)) {
      options.font_size = font;
      options.title = "A title that somebody made far too long for any page of this width";
      SCOPED_TRACE(describe(s, options));
      expect_good_page(s, options);
    }
}

TEST(EveryPage, AnyWidthAndFontGiveAPage) {
  const Sample s = sample("", "The cat sat", 2);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double width : {-5.0, 0.0, 1.0, 1e9, nan, infinity})
    for (const double font : {-5.0, 0.0, 1e9, nan, infinity})
      for (FigureOptions options : everything(s)) {
        options.width_mm = width, options.font_size = font;
        const Figure figure = figure_of(s, options);
        EXPECT_TRUE(std::isfinite(figure.width) && figure.width > 0);
        EXPECT_TRUE(std::isfinite(figure.height) && figure.height > 0);
      }
}

}  // namespace
}  // namespace lab
