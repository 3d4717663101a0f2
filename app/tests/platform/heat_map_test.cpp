// The heat map shader against the palette tables, pixel by pixel.

#include <cmath>

#include "app/tests/platform/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Matrix;

constexpr Rgb kSurface{10, 200, 30};
constexpr Rgb kInk{255, 255, 0};

/// Values from `lo` to `hi`, all different, in no order.
Matrix scattered(int rows, int cols, Range range) {
  Matrix values(rows, cols);
  for (int i = 0; i < rows * cols; ++i) {
    const int place = (i * 7919) % (rows * cols);
    values(i / cols, i % cols) = range.lo + (range.hi - range.lo) * static_cast<float>(place) /
                                                static_cast<float>(rows * cols - 1);
  }
  return values;
}

class HeatMapOnScreen : public testing::Test {
 protected:
  std::unique_ptr<Window> window = open_off_screen(320, 240);

  Picture paint(const Matrix& values, const HeatMapPaint& paint) {
    const TextureId id = window->textures().create_values(values);
    Picture picture =
        picture_of(*window, [&](ImDrawList& list) { window->textures().paint(list, id, paint); });
    window->textures().destroy(id);
    return picture;
  }

  static HeatMapPaint at(float x, float y, float width, float height) {
    HeatMapPaint paint;
    paint.min = {x, y};
    paint.max = {x + width, y + height};
    paint.surface = kSurface;
    paint.ink = kInk;
    return paint;
  }
};

TEST_F(HeatMapOnScreen, ColoursEveryCellAsThePaletteSays) {
  const Range range{-2, 3};
  const Matrix values = scattered(7, 9, {-2.5f, 3.5f});  // some beyond the range
  for (const Palette palette : all_palettes()) {
    for (const bool dark : {false, true}) {
      HeatMapPaint how = at(13, 21, 9 * 20, 7 * 16);
      how.palette = palette;
      how.dark = dark;
      how.range = range;
      const Picture picture = paint(values, how);
      for (int row = 0; row < 7; ++row) {
        for (int col = 0; col < 9; ++col) {
          const Rgb expected = colour_of(palette_table(palette, dark), range, values(row, col));
          const Rgb found = picture.at(13 + col * 20 + 10, 21 + row * 16 + 8);
          EXPECT_TRUE(is_near(found, expected)) << palette_name(palette) << " [" << row << ", "
                                                << col << "] is " << found << ", not " << expected;
        }
      }
    }
  }
}

TEST_F(HeatMapOnScreen, SpreadsTheColoursAsFiguresDo) {
  const Matrix values = scattered(7, 9, {-2.5f, 3.5f});
  for (const Spread spread : all_spreads()) {
    for (const Range& ends : {Range{-2, 3}, Range{0, 3}, Range{1, 2}}) {
      HeatMapPaint how = at(13, 21, 9 * 20, 7 * 16);
      how.range = {ends.lo, ends.hi, spread};
      const Picture picture = paint(values, how);
      for (int row = 0; row < 7; ++row) {
        for (int col = 0; col < 9; ++col) {
          const auto& table = palette_table(how.palette, how.dark);
          const Rgb expected = colour_of(table, how.range, values(row, col));
          const Rgb found = picture.at(13 + col * 20 + 10, 21 + row * 16 + 8);
          EXPECT_TRUE(is_near(found, expected)) << spread_name(spread) << " [" << row << ", " << col
                                                << "] is " << found << ", not " << expected;
        }
      }
    }
  }
}

TEST_F(HeatMapOnScreen, FillsItsRectangleAndNothingElse) {
  const Picture picture = paint(Matrix::Ones(2, 3), at(30, 40, 60, 50));
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const bool inside = x >= 30 && x < 90 && y >= 40 && y < 90;
      ASSERT_EQ(picture.at(x, y) != kBackground, inside) << x << ", " << y;
    }
  }
}

TEST_F(HeatMapOnScreen, GapsStandBetweenTheCells) {
  const Picture picture = paint(Matrix::Ones(2, 3), at(0, 0, 30, 20));
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 30; ++x) {
      const bool gap = x == 9 || x == 19 || y == 9;
      ASSERT_EQ(picture.at(x, y) == kSurface, gap) << x << ", " << y;
    }
  }
}

TEST_F(HeatMapOnScreen, GapsAreOnePixelWideWhereCellsAreNotWhole) {
  // 7 cells over 100.6 pixels that start between two.
  const Picture picture = paint(Matrix::Ones(1, 7), at(10.3f, 10, 100.6f, 20));
  for (int i = 1; i < 7; ++i) {
    const int edge = static_cast<int>(std::lround(10.3 + 100.6 * i / 7));
    EXPECT_EQ(picture.at(edge - 1, 20), kSurface) << "gap " << i;
    EXPECT_NE(picture.at(edge, 20), kSurface) << "gap " << i;
    EXPECT_NE(picture.at(edge - 2, 20), kSurface) << "gap " << i;
  }
}

TEST_F(HeatMapOnScreen, SmallCellsHaveNoGaps) {
  const Picture picture = paint(Matrix::Ones(40, 40), at(0, 0, 120, 120));
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 120; ++x) ASSERT_NE(picture.at(x, y), kSurface) << x << ", " << y;
}

TEST_F(HeatMapOnScreen, MarksValuesThatAreNoNumbers) {
  Matrix values(1, 4);
  values << kNan, -kInfinity, kInfinity, 0.5f;
  const Picture picture = paint(values, at(0, 0, 160, 40));
  const auto count = [&](int col, Rgb colour) {
    int found = 0;
    for (int y = 0; y < 39; ++y)
      for (int x = col * 40; x < col * 40 + 39; ++x) found += picture.at(x, y) == colour;
    return found;
  };
  constexpr int kPixels = 39 * 39;
  const Rgb top = palette_table(Palette::kBlues, false)[kPaletteSize - 1];
  for (int y = 0; y < 39; ++y) {
    for (int x = 0; x < 39; ++x) {
      const bool on_diagonal = std::abs(x - y) <= 1 || std::abs(x + y - 39) <= 1;
      ASSERT_EQ(picture.at(x, y), on_diagonal ? kInk : kSurface) << x << ", " << y;
    }
  }
  EXPECT_NEAR(count(1, kInk), kPixels / 6.0, 20) << "every sixth diagonal";
  EXPECT_EQ(count(1, kInk) + count(1, kSurface), kPixels);
  EXPECT_NEAR(count(2, kSurface), kPixels / 6.0, 20);
  EXPECT_EQ(count(2, top) + count(2, kSurface), kPixels);
  EXPECT_EQ(count(3, kInk) + count(3, kSurface), 0);
}

TEST_F(HeatMapOnScreen, OneCellStandsOutAmongThousands) {
  HeatMapPaint how = at(5, 5, 100, 100);
  how.range = {-1, 1};
  how.palette = Palette::kRedBlue;
  const PaletteTable& table = palette_table(Palette::kRedBlue, false);
  for (const float bright : {1.0f, -1.0f}) {
    Matrix values = Matrix::Zero(2000, 2000);
    values(1555, 667) = bright;
    const Picture picture = paint(values, how);
    EXPECT_EQ(picture.at(5 + 33, 5 + 77), colour_of(table, how.range, bright));
    EXPECT_EQ(picture.at(5 + 34, 5 + 77), colour_of(table, how.range, 0));
    EXPECT_EQ(picture.at(5 + 33, 5 + 76), colour_of(table, how.range, 0));
  }
}

TEST_F(HeatMapOnScreen, AmongTinyCellsNanIsSeenAndMaskedOnesAreNot) {
  Matrix values = Matrix::Constant(400, 400, -kInfinity);
  values(201, 101) = kNan;
  values(301, 101) = 1;
  const Picture picture = paint(values, at(0, 0, 100, 100));
  EXPECT_EQ(picture.at(25, 50), kInk);
  EXPECT_EQ(picture.at(25, 75), palette_table(Palette::kBlues, false)[kPaletteSize - 1]);
  int hatched = 0;
  for (int x = 0; x < 60; ++x) hatched += picture.at(x, 10) == kInk;
  EXPECT_EQ(hatched, 10);
}

TEST_F(HeatMapOnScreen, ShowsThePartThatWasAskedFor) {
  Matrix values = Matrix::Zero(10, 10);
  values(4, 6) = 1;
  HeatMapPaint how = at(0, 0, 100, 100);
  how.uv_min = {0.5f, 0.4f};
  how.uv_max = {0.7f, 0.6f};  // columns 5 and 6, rows 4 and 5
  const Picture picture = paint(values, how);
  const PaletteTable& table = palette_table(Palette::kBlues, false);
  EXPECT_EQ(picture.at(25, 25), table.front());
  EXPECT_EQ(picture.at(75, 25), table.back());
  EXPECT_EQ(picture.at(75, 75), table.front());
  EXPECT_EQ(picture.at(49, 25), kSurface);
}

TEST_F(HeatMapOnScreen, ThePartMayCutThroughACell) {
  Matrix values(1, 2);
  values << 0, 1;
  HeatMapPaint how = at(0, 0, 100, 20);
  how.uv_min = {0.25f, 0};
  how.uv_max = {0.75f, 1};
  const Picture picture = paint(values, how);
  EXPECT_EQ(picture.at(10, 10), palette_table(Palette::kBlues, false).front());
  EXPECT_EQ(picture.at(49, 10), kSurface);
  EXPECT_EQ(picture.at(50, 10), palette_table(Palette::kBlues, false).back());
}

TEST_F(HeatMapOnScreen, AnEmptyOrHugeRangeIsHarmless) {
  Matrix values(1, 3);
  values << -3e38f, 0, 3e38f;
  HeatMapPaint how = at(0, 0, 90, 30);
  how.range = {-3e38f, 3e38f};
  Picture picture = paint(values, how);
  const PaletteTable& table = palette_table(Palette::kBlues, false);
  EXPECT_EQ(picture.at(15, 15), table.front());
  EXPECT_TRUE(is_near(picture.at(45, 15), table[128]));
  EXPECT_EQ(picture.at(75, 15), table.back());
  how.range = {1, 1};
  picture = paint(values, how);
  for (const int x : {15, 45, 75}) EXPECT_EQ(picture.at(x, 15), colour_of(table, how.range, 0));
}

TEST_F(HeatMapOnScreen, StaysInsideTheClip) {
  const TextureId id = window->textures().create_values(Matrix::Ones(4, 4));
  const Picture picture = picture_of(*window, [&](ImDrawList& list) {
    list.PushClipRect({20, 20}, {50, 60});
    window->textures().paint(list, id, at(0, 0, 200, 200));
    list.PopClipRect();
  });
  EXPECT_EQ(picture.at(19, 30), kBackground);
  EXPECT_EQ(picture.at(30, 19), kBackground);
  EXPECT_EQ(picture.at(50, 30), kBackground);
  EXPECT_EQ(picture.at(30, 60), kBackground);
  EXPECT_NE(picture.at(20, 20), kBackground);
  EXPECT_NE(picture.at(48, 58), kBackground);
}

TEST_F(HeatMapOnScreen, IsDrawnInOrderWithEverythingElse) {
  const TextureId id = window->textures().create_values(Matrix::Ones(1, 1));
  const Picture picture = picture_of(*window, [&](ImDrawList& list) {
    list.AddRectFilled({0, 0}, {40, 40}, IM_COL32(255, 0, 0, 255));
    window->textures().paint(list, id, at(10, 10, 80, 80));
    list.AddRectFilled({60, 60}, {120, 120}, IM_COL32(0, 255, 0, 255));
  });
  EXPECT_EQ(picture.at(5, 5), (Rgb{255, 0, 0}));
  EXPECT_EQ(picture.at(20, 20), palette_table(Palette::kBlues, false).back());
  EXPECT_EQ(picture.at(70, 70), (Rgb{0, 255, 0}));
  EXPECT_EQ(picture.at(110, 110), (Rgb{0, 255, 0}));
}

}  // namespace
}  // namespace lab
