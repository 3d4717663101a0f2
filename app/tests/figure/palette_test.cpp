#include "app/figure/colour/palette.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace lab {
namespace {

/// The published colours of a palette at 0, ¼, ½, ¾ and 1.
void expect_near_published(Palette palette, const std::array<Rgb, 5>& published) {
  const PaletteTable& table = palette_table(palette, false);
  for (int quarter = 0; quarter < 5; ++quarter) {
    const Rgb ours = colour_of(table, {0, 4}, static_cast<float>(quarter));
    const Rgb theirs = published[static_cast<std::size_t>(quarter)];
    EXPECT_NEAR(ours.r, theirs.r, 4) << palette_name(palette) << " at " << quarter << "/4";
    EXPECT_NEAR(ours.g, theirs.g, 4) << palette_name(palette) << " at " << quarter << "/4";
    EXPECT_NEAR(ours.b, theirs.b, 4) << palette_name(palette) << " at " << quarter << "/4";
  }
}

/// Luminance must go one way from `first` to `last`; a step may stand still by rounding.
void expect_monotone(const PaletteTable& table, int first, int last) {
  const double way = relative_luminance(table[static_cast<std::size_t>(last)]) -
                     relative_luminance(table[static_cast<std::size_t>(first)]);
  EXPECT_GT(std::abs(way), 0.1);
  for (int i = first; i < last; ++i) {
    const double step = relative_luminance(table[static_cast<std::size_t>(i + 1)]) -
                        relative_luminance(table[static_cast<std::size_t>(i)]);
    EXPECT_GE(step * (way > 0 ? 1 : -1), -0.002) << "at entry " << i;
  }
}

TEST(Palette, EveryNameLeadsBackToItsPalette) {
  EXPECT_EQ(all_palettes().size(), 5u);
  for (const Palette palette : all_palettes())
    EXPECT_EQ(palette_from_name(palette_name(palette)), palette);
  EXPECT_EQ(palette_from_name("jet"), std::nullopt);
  EXPECT_EQ(palette_from_name(""), std::nullopt);
}

TEST(Palette, ViridisMagmaAndCividisAreThePublishedOnes) {
  expect_near_published(
      Palette::kViridis,
      {{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}});
  expect_near_published(
      Palette::kMagma,
      {{{0, 0, 4}, {81, 18, 124}, {183, 55, 121}, {252, 137, 97}, {252, 253, 191}}});
  expect_near_published(Palette::kCividis, {{{0x00, 0x20, 0x4c},
                                             {0x40, 0x4c, 0x6b},
                                             {0x7b, 0x7b, 0x78},
                                             {0xbc, 0xae, 0x6e},
                                             {0xff, 0xe9, 0x45}}});
}

TEST(Palette, LuminanceGoesOneWayFromSurfaceToEnd) {
  for (const bool dark : {false, true})
    for (const Palette palette : all_palettes()) {
      SCOPED_TRACE(std::string(palette_name(palette)) + (dark ? ", dark" : ", light"));
      const PaletteTable& table = palette_table(palette, dark);
      if (is_diverging(palette)) {
        expect_monotone(table, 0, 127);
        expect_monotone(table, 128, 255);
      } else {
        expect_monotone(table, 0, 255);
      }
    }
}

TEST(Palette, BluesStartAtTheSurfaceOfTheTheme) {
  EXPECT_GT(relative_luminance(palette_table(Palette::kBlues, false).front()), 0.95);
  EXPECT_LT(relative_luminance(palette_table(Palette::kBlues, false).back()), 0.05);
  EXPECT_LT(relative_luminance(palette_table(Palette::kBlues, true).front()), 0.03);
  EXPECT_GT(relative_luminance(palette_table(Palette::kBlues, true).back()), 0.8);
}

TEST(Palette, RedBlueIsNeutralAtZeroBlueBelowAndRedAbove) {
  for (const bool dark : {false, true}) {
    const PaletteTable& table = palette_table(Palette::kRedBlue, dark);
    const Rgb zero = colour_of(table, {-1, 1}, 0);
    EXPECT_NEAR(zero.r, zero.b, dark ? 10 : 2);
    EXPECT_NEAR(zero.r, zero.g, dark ? 5 : 2);
    EXPECT_GT(table.front().b, table.front().r + 80);
    EXPECT_GT(table.back().r, table.back().b + 80);
  }
}

TEST(Palette, RedBlueIsAsStrongOnBothSides) {
  for (const bool dark : {false, true})
    for (const float value : {0.25f, 0.5f, 0.75f, 1.0f}) {
      const PaletteTable& table = palette_table(Palette::kRedBlue, dark);
      EXPECT_NEAR(relative_luminance(colour_of(table, {-1, 1}, value)),
                  relative_luminance(colour_of(table, {-1, 1}, -value)), 0.12);
    }
}

TEST(Palette, ColoursStayInsideTheTableWhateverTheValue) {
  const PaletteTable& table = palette_table(Palette::kViridis, false);
  EXPECT_EQ(colour_of(table, {0, 1}, -5), table.front());
  EXPECT_EQ(colour_of(table, {0, 1}, 5), table.back());
  EXPECT_EQ(colour_of(table, {0, 1}, -kInfinity), table.front());
  EXPECT_EQ(colour_of(table, {0, 1}, kInfinity), table.back());
  EXPECT_EQ(colour_of(table, {0, 1}, kNaN), table.front());
  EXPECT_EQ(colour_of(table, {2, 2}, 2), table.front());
  EXPECT_EQ(colour_of(table, {1, 0}, 0.5f), table.front());
  EXPECT_EQ(colour_of(table, {kNaN, 1}, 0.5f), table.front());
  EXPECT_EQ(colour_of(table, {-kInfinity, kInfinity}, 0), table.front());
  EXPECT_EQ(colour_of(table, {0, kInfinity}, kInfinity), table.front());
  EXPECT_EQ(colour_of(table, {-kInfinity, 0}, -1), table.front());
  constexpr float kMost = std::numeric_limits<float>::max();
  EXPECT_EQ(colour_of(table, {-kMost, kMost}, kMost), table.back());
  EXPECT_EQ(colour_of(table, {-kMost, kMost}, 0), table[128]);
}

TEST(Palette, LuminanceAndContrastAreThoseOfWcag) {
  EXPECT_DOUBLE_EQ(relative_luminance({0, 0, 0}), 0);
  EXPECT_NEAR(relative_luminance({255, 255, 255}), 1, 1e-12);
  EXPECT_NEAR(relative_luminance({119, 119, 119}), 0.1845, 1e-4);
  EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
  EXPECT_NEAR(contrast({119, 119, 119}, {255, 255, 255}), 4.48, 0.01);
  EXPECT_NEAR(contrast({9, 80, 200}, {9, 80, 200}), 1, 1e-12);
}

TEST(Palette, TextOnEveryColourHasAContrastOfAtLeastFourAndAHalf) {
  for (const bool dark : {false, true})
    for (const Palette palette : all_palettes())
      for (const Rgb fill : palette_table(palette, dark))
        EXPECT_GE(contrast(fill, ink_on(fill)), 4.5) << palette_name(palette);
  EXPECT_TRUE(needs_dark_text({255, 255, 255}));
  EXPECT_FALSE(needs_dark_text({8, 48, 107}));
}

}  // namespace
}  // namespace lab
