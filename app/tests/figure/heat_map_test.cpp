#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/figure_writers.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"

namespace lab {
namespace {

using attention::Matrix;
using attention::Stage;

/// Reads the colour in the middle of every cell back from the picture; both are counted in points.
void expect_cells_coloured(const Figure& figure, double dpi) {
  const Picture picture = decoded(write_png(figure, {dpi}).value());
  for (const shape::HeatMap& map : shapes_of<shape::HeatMap>(figure)) {
    const PaletteTable& table = palette_table(map.palette, map.dark);
    for (int i = 0; i < map.values.rows(); ++i)
      for (int j = 0; j < map.values.cols(); ++j) {
        const double x = map.x + (j + 0.5) * map.width / static_cast<double>(map.values.cols());
        const double y = map.y + (i + 0.5) * map.height / static_cast<double>(map.values.rows());
        const float value = map.values(i, j);
        if (!std::isfinite(value)) continue;
        ASSERT_EQ(picture.at(static_cast<int>(x * dpi / 72), static_cast<int>(y * dpi / 72)),
                  colour_of(table, map.range, value))
            << "cell " << i << ", " << j;
      }
  }
}

TEST(HeatMap, EveryCellHasTheColourOfItsValue) {
  for (const Sample& s : samples())
    for (const bool dark : {false, true}) {
      SCOPED_TRACE(s.name + (dark ? ", dark" : ", light"));
      FigureOptions options;
      options.type = FigureType::kPipeline;
      options.dark = dark;
      options.width_mm = 183;
      expect_cells_coloured(figure_of(s, options), 200);
    }
}

TEST(HeatMap, EveryPaletteReachesThePaper) {
  const Sample s = sample("", "The cat sat");
  for (const Palette palette : all_palettes()) {
    FigureOptions options;
    options.palette = palette;
    const Figure figure = figure_of(s, options);
    EXPECT_EQ(shapes_of<shape::HeatMap>(figure).front().palette, palette);
    EXPECT_EQ(shapes_of<shape::ColourBar>(figure).front().palette, palette);
    expect_cells_coloured(figure, 300);
  }
}

shape::HeatMap map_of(Matrix values) {
  shape::HeatMap map;
  map.values = std::move(values);
  return map;
}

TEST(HeatMap, LargeMatricesKeepEveryCellApart) {
  Figure figure;
  figure.width = figure.height = 250;
  shape::HeatMap map = map_of(Matrix::Random(250, 250));
  map.width = map.height = 250;
  map.gap = 0.35;
  figure.shapes.push_back(map);
  expect_cells_coloured(figure, 72);
}

// The red of a pixel that shows the cells of a 4 × 4 map, one of which is `value` and the others 0.
std::uint32_t red_of_one_among_zeros(Palette palette, Range range, float value) {
  Matrix cells = Matrix::Zero(4, 4);
  cells(2, 1) = value;
  shape::HeatMap map = map_of(cells);
  map.palette = palette, map.range = range;
  return heat_map_image(map, 1, 1, 0, 10).pixels[0] >> 16 & 0xff;
}

TEST(HeatMap, FewerPixelsThanCellsShowTheOneThatStandsOut) {
  const auto red = [](Palette palette, Range range, float value) {
    return colour_of(palette_table(palette, false), range, value).r;
  };
  const Range shares{0, 1}, both{-1, 1};
  EXPECT_EQ(red_of_one_among_zeros(Palette::kBlues, shares, 0.8f),
            red(Palette::kBlues, shares, 0.8f));
  for (const float value : {-0.7f, 0.7f})
    EXPECT_EQ(red_of_one_among_zeros(Palette::kRedBlue, both, value),
              red(Palette::kRedBlue, both, value));
  EXPECT_EQ(red_of_one_among_zeros(Palette::kBlues, shares, -kInfinity),
            red(Palette::kBlues, shares, 0));
}

TEST(HeatMap, GapsLieBetweenCellsOnly) {
  const PixelImage image = heat_map_image(map_of(Matrix::Zero(2, 3)), 30, 20, 2, 10);
  for (int x = 0; x < 30; ++x) {
    const bool gap = x == 8 || x == 9 || x == 18 || x == 19;
    EXPECT_EQ(image.pixels[static_cast<std::size_t>(x)] == 0, gap) << x;
  }
  EXPECT_NE(image.pixels.back(), 0u);
}

TEST(HeatMap, MaskedCellsAreHatchedAndNanCellsAreNot) {
  Matrix values(1, 2);
  values << -kInfinity, std::nanf("");
  for (const bool dark : {false, true}) {
    shape::HeatMap map = map_of(values);
    map.dark = dark;
    const PixelImage image = heat_map_image(map, 40, 20, 0, 10);
    std::map<std::uint32_t, int> masked, nan;
    for (int i = 0; i < 40 * 20; ++i)
      ++(i % 40 < 20 ? masked : nan)[image.pixels[static_cast<std::size_t>(i)]];
    EXPECT_EQ(masked.size(), 2u);
    EXPECT_EQ(nan.size(), 1u);
    for (const Rgb colour : palette_table(Palette::kBlues, dark))
      EXPECT_FALSE(masked.contains(0xff000000u | colour.r << 16 | colour.g << 8 | colour.b));
  }
}

TEST(HeatMap, NanCellsAreCrossedOnPaper) {
  Figure figure;
  figure.width = figure.height = 20;
  shape::HeatMap map = map_of(Matrix::Constant(1, 1, std::nanf("")));
  map.width = map.height = 20;
  figure.shapes.push_back(map);
  const Picture picture = decoded(write_png(figure, {144}).value());
  EXPECT_NE(picture.at(20, 20), picture.at(20, 4));  // the cross, and the fill above it
  EXPECT_NE(picture.at(13, 13), picture.at(20, 4));
  EXPECT_NE(picture.at(13, 26), picture.at(20, 4));
}

TEST(ColourBar, RunsFromHighAtTheTopToLow) {
  for (const Palette palette : all_palettes()) {
    const PaletteTable& table = palette_table(palette, false);
    Figure figure;
    figure.width = 10, figure.height = 256;
    figure.shapes.push_back(shape::ColourBar{0, 0, 10, 256, palette, false});
    const Picture picture = decoded(write_png(figure, {72}).value());
    for (int y = 0; y < 256; ++y)
      EXPECT_EQ(picture.at(5, y), table[static_cast<std::size_t>(255 - y)]);
  }
}

}  // namespace
}  // namespace lab
