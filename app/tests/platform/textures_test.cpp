#include <vector>

#include "app/tests/platform/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Matrix;

class TexturesOnScreen : public testing::Test {
 protected:
  std::unique_ptr<Window> window = open_off_screen(64, 64);
  TextureSink& textures = window->textures();

  Picture paint(TextureId id, const HeatMapPaint& how) {
    return picture_of(*window, [&](ImDrawList& list) { textures.paint(list, id, how); });
  }
  static HeatMapPaint everywhere() {
    HeatMapPaint paint;
    paint.max = {64, 64};
    return paint;
  }
};

TEST_F(TexturesOnScreen, ChangingRangeAndPaletteUploadsNothing) {
  const TextureId id = textures.create_values(Matrix::Constant(2, 2, 0.5f));
  HeatMapPaint how = everywhere();
  const Picture before = paint(id, how);
  const auto uploads = textures.uploads();
  how.range = {0, 10};
  const Picture ranged = paint(id, how);
  how.palette = Palette::kMagma;
  const Picture magma = paint(id, how);
  EXPECT_EQ(textures.uploads(), uploads);
  EXPECT_NE(before.at(10, 10), ranged.at(10, 10));
  EXPECT_NE(magma.at(10, 10), ranged.at(10, 10));
}

TEST_F(TexturesOnScreen, CountsEveryUpload) {
  const auto before = textures.uploads();
  textures.create_values(Matrix::Zero(3, 3));
  textures.create_image(1, 1, std::vector<std::uint8_t>{1, 2, 3, 4});
  EXPECT_EQ(textures.uploads(), before + 2);
}

TEST_F(TexturesOnScreen, ATextureDestroyedInAFrameIsStillInIt) {
  const TextureId id = textures.create_values(Matrix::Ones(1, 1));
  const Picture picture = picture_of(*window, [&](ImDrawList& list) {
    textures.paint(list, id, everywhere());
    textures.destroy(id);
    textures.create_values(Matrix::Zero(1, 1));  // would take the name if it were free
  });
  EXPECT_EQ(picture.at(30, 30), palette_table(Palette::kBlues, false).back());
}

TEST_F(TexturesOnScreen, DestroyingNothingOrTwiceIsHarmless) {
  const TextureId first = textures.create_values(Matrix::Ones(1, 1));
  textures.destroy(0);
  textures.destroy(first);
  textures.destroy(first);
  window->begin_frame();
  window->end_frame(kBackground);
  const TextureId second = textures.create_values(Matrix::Ones(1, 1));
  EXPECT_EQ(paint(second, everywhere()).at(30, 30), palette_table(Palette::kBlues, false).back());
}

TEST_F(TexturesOnScreen, WhatCannotBeHeldIsNoTexture) {
  const auto before = textures.uploads();
  EXPECT_EQ(textures.create_values(Matrix(0, 0)), 0u);
  EXPECT_EQ(textures.create_values(Matrix(3, 0)), 0u);
  EXPECT_EQ(textures.create_values(Matrix::Zero(1, 1 << 20)), 0u);
  EXPECT_EQ(textures.create_image(0, 5, {}), 0u);
  EXPECT_EQ(textures.create_image(2, 2, std::vector<std::uint8_t>(15)), 0u);
  EXPECT_EQ(textures.create_image(-2, -2, std::vector<std::uint8_t>(16)), 0u);
  EXPECT_EQ(textures.uploads(), before);
  EXPECT_EQ(paint(0, everywhere()).at(30, 30), kBackground) << "painting nothing";
}

TEST_F(TexturesOnScreen, HoldsTheLargestMatrixOfTheProduct) {
  Matrix values = Matrix::Zero(2048, 2048);
  values(2047, 2047) = 1;
  const TextureId id = textures.create_values(values);
  ASSERT_NE(id, 0u);
  HeatMapPaint how = everywhere();
  how.uv_min = {2046 / 2048.0f, 2046 / 2048.0f};
  const Picture picture = paint(id, how);
  EXPECT_EQ(picture.at(16, 16), palette_table(Palette::kBlues, false).front());
  EXPECT_EQ(picture.at(48, 48), palette_table(Palette::kBlues, false).back());
}

TEST_F(TexturesOnScreen, TakesAPartOfALargerMatrix) {
  Matrix values = Matrix::Zero(6, 5);
  values(3, 2) = 1;
  const TextureId id = textures.create_values(values.block(2, 1, 2, 2));
  const Picture picture = paint(id, everywhere());
  const PaletteTable& table = palette_table(Palette::kBlues, false);
  EXPECT_EQ(picture.at(15, 10), table.front());
  EXPECT_EQ(picture.at(50, 10), table.front());
  EXPECT_EQ(picture.at(15, 50), table.front());
  EXPECT_EQ(picture.at(50, 50), table.back());
}

TEST_F(TexturesOnScreen, AnImageKeepsItsColoursAndItsTopRow) {
  const std::vector<std::uint8_t> rgba = {255, 0, 0,   255, 0, 255, 0, 255,  // red, green
                                          0,   0, 255, 255, 0, 0,   0, 0};   // blue, nothing
  const TextureId id = textures.create_image(2, 2, rgba);
  const Picture picture = picture_of(*window, [&](ImDrawList& list) {
    list.AddImage(textures.image_id(id), {0, 0}, {2, 2});
  });
  EXPECT_EQ(picture.at(0, 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(picture.at(1, 0), (Rgb{0, 255, 0}));
  EXPECT_EQ(picture.at(0, 1), (Rgb{0, 0, 255}));
  EXPECT_EQ(picture.at(1, 1), kBackground);
}

}  // namespace
}  // namespace lab
