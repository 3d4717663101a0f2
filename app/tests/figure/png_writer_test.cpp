#include "app/figure/figure_writers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>

#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(i));
  return value;
}

/// The checksum of the PNG specification's annex, bit by bit.
std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
  }
  return ~crc;
}

/// The chunks in order, name and body; checks every length and checksum.
std::vector<std::pair<std::string, std::string>> chunks_of(const std::string& png) {
  std::vector<std::pair<std::string, std::string>> chunks;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = big_endian(png, at);
    const std::string name_and_body = png.substr(at + 4, 4 + length);
    EXPECT_EQ(checksum(name_and_body), big_endian(png, at + 8 + length));
    chunks.emplace_back(name_and_body.substr(0, 4), name_and_body.substr(4));
    at += 12 + length;
  }
  return chunks;
}

Figure small_figure() {
  Figure figure;
  figure.width = 72, figure.height = 36;
  figure.background = {250, 240, 230};
  figure.shapes.push_back(shape::Fill{18, 9, 36, 18, {10, 120, 200}});
  return figure;
}

TEST(PngWriter, RecordsTheResolutionBeforeTheImage) {
  for (const double dpi : {72.0, 96.0, 300.0, 600.0}) {
    const auto png = write_png(small_figure(), {dpi});
    ASSERT_TRUE(png);
    const auto chunks = chunks_of(*png);
    ASSERT_GE(chunks.size(), 4u);
    EXPECT_EQ(chunks.front().first, "IHDR");
    EXPECT_EQ(chunks[1].first, "pHYs");
    EXPECT_EQ(chunks.back().first, "IEND");
    const std::string& body = chunks[1].second;
    ASSERT_EQ(body.size(), 9u);
    EXPECT_NEAR(big_endian(body, 0) * 0.0254, dpi, 0.02);
    EXPECT_EQ(big_endian(body, 0), big_endian(body, 4));
    EXPECT_EQ(body[8], 1);
  }
}

TEST(PngWriter, HasTheSizeThatPageAndResolutionGive) {
  const Picture picture = decoded(write_png(small_figure(), {300}).value());
  EXPECT_EQ(picture.width, 300);
  EXPECT_EQ(picture.height, 150);
}

TEST(PngWriter, PaintsShapesWhereTheyAre) {
  const Picture picture = decoded(write_png(small_figure(), {144}).value());
  EXPECT_EQ(picture.at(0, 0), (Rgb{250, 240, 230}));
  EXPECT_EQ(picture.at(35, 18), (Rgb{250, 240, 230}));
  EXPECT_EQ(picture.at(36, 18), (Rgb{10, 120, 200}));
  EXPECT_EQ(picture.at(107, 53), (Rgb{10, 120, 200}));
  EXPECT_EQ(picture.at(108, 54), (Rgb{250, 240, 230}));
  EXPECT_EQ(picture.at(143, 71), (Rgb{250, 240, 230}));
}

TEST(PngWriter, TextEndsWhereItsAlignmentSays) {
  for (const auto align : {shape::Align::kLeft, shape::Align::kCentre, shape::Align::kRight}) {
    Figure figure;
    figure.width = figure.height = 200;
    shape::Text text;
    text.text = "HHHHHH", text.size = 10, text.x = 100, text.y = 100, text.align = align;
    figure.shapes.push_back(text);
    const Picture picture = decoded(write_png(figure, {72}).value());
    int left = 200, right = 0, bottom = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 200; ++x)
        if (picture.at(x, y).r < 128)
          left = std::min(left, x), right = std::max(right, x), bottom = std::max(bottom, y);
    EXPECT_NEAR(bottom, 99, 1);
    const double anchor = align == shape::Align::kLeft    ? left
                          : align == shape::Align::kRight ? right + 1
                                                          : (left + right) / 2.0;
    EXPECT_NEAR(anchor, 100, 2.5);
  }
}

TEST(PngWriter, SuperscriptsKeepTheirSizeAtEveryResolution) {
  const auto height_of_ink = [](double dpi) {
    Figure figure;
    figure.width = figure.height = 100;
    shape::Text text;
    text.text = "X W<sup>Q</sup>", text.markup = true, text.size = 20, text.x = 10, text.y = 60;
    figure.shapes.push_back(text);
    const Picture picture = decoded(write_png(figure, {dpi}).value());
    int top = picture.height, bottom = 0;
    for (int i = 0; i < picture.width * picture.height; ++i)
      if (picture.pixels[static_cast<std::size_t>(i)].r < 128)
        top = std::min(top, i / picture.width), bottom = std::max(bottom, i / picture.width);
    return (bottom - top) * 72 / dpi;
  };
  EXPECT_NEAR(height_of_ink(72), height_of_ink(432), 2);
}

TEST(PngWriter, RefusesPicturesBeyondTheLimits) {
  Figure figure = small_figure();
  for (const double dpi : {0.0, -1.0, 1e9, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(write_png(figure, {dpi}).error().type, ErrorType::kBadInput) << dpi;
  figure.width = 16384, figure.height = 10;
  EXPECT_TRUE(write_png(figure, {72}));
  figure.width = 16385;
  EXPECT_EQ(write_png(figure, {72}).error().type, ErrorType::kBadInput);
  figure.width = figure.height = 16000;  // 256 megapixels
  EXPECT_EQ(write_png(figure, {72}).error().type, ErrorType::kBadInput);
  figure.width = figure.height = std::nan("");
  EXPECT_EQ(write_png(figure, {72}).error().type, ErrorType::kBadInput);
  EXPECT_THAT(write_png(figure, {72}).error().message, testing::HasSubstr("16384"));
}

TEST(PngWriter, WritesTheSameBytesEveryTime) {
  const Sample s = sample("", "The animal didn't cross", 2, true);
  FigureOptions options;
  options.type = FigureType::kPipeline;
  const std::string first = write_png(figure_of(s, options), {150}).value();
  EXPECT_EQ(write_png(figure_of(s, options), {150}).value(), first);
}

TEST(PngWriter, RgbImagesComeBackAsTheyWere) {
  std::string rgb;
  for (int i = 0; i < 7 * 5 * 3; ++i) rgb.push_back(static_cast<char>(i * 37));
  const Picture picture = decoded(write_png(rgb, 7, 5).value());
  ASSERT_EQ(picture.width, 7);
  ASSERT_EQ(picture.height, 5);
  for (int i = 0; i < 7 * 5; ++i) {
    const Rgb pixel = picture.at(i % 7, i / 7);
    const auto at = static_cast<std::size_t>(i * 3);
    EXPECT_EQ(pixel.r, static_cast<std::uint8_t>(rgb[at]));
    EXPECT_EQ(pixel.g, static_cast<std::uint8_t>(rgb[at + 1]));
    EXPECT_EQ(pixel.b, static_cast<std::uint8_t>(rgb[at + 2]));
  }
}

TEST(PngWriter, RgbImagesWithoutASizeAreRefused) {
  EXPECT_EQ(write_png("", 0, 0).error().type, ErrorType::kBadInput);
  EXPECT_EQ(write_png("", -1, 5).error().type, ErrorType::kBadInput);
  EXPECT_EQ(write_png("", 20000, 1).error().type, ErrorType::kBadInput);
}

TEST(PngWriter, TellsHowFarItIsAndStopsWhenItIsTold) {
  attention::WorkWatch watch;
  const auto png = write_png(small_figure(), {300, {}, &watch});
  EXPECT_EQ(watch.progress(), 1.0);
  EXPECT_EQ(png.value(), write_png(small_figure(), {300}).value());
  watch.stop();
  EXPECT_THROW(static_cast<void>(write_png(small_figure(), {300, {}, &watch})),
               attention::WorkStopped);
}

}  // namespace
}  // namespace lab
