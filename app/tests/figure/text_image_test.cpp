#include "app/figure/text/text_image.h"
#include "app/tests/rooms.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace lab {
namespace {

constexpr TextFace kFaces[] = {TextFace::kSans, TextFace::kSansBold, TextFace::kMono,
                               TextFace::kSerifItalic};

TextRequest request(std::string text, double size = 16, double angle = 0) {
  TextRequest r;
  r.text = std::move(text);
  r.size = size;
  r.angle = angle;
  return r;
}

std::uint8_t alpha(const TextImage& image, int x, int y) {
  return image.rgba.at(static_cast<std::size_t>((y * image.width + x) * 4 + 3));
}

/// The rectangle of pixels that are at least half covered.
struct Ink {
  int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
};
Ink ink_of(const TextImage& image) {
  Ink ink;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (alpha(image, x, y) >= 128)
        ink = {std::min(ink.left, x), std::min(ink.top, y), std::max(ink.right, x),
               std::max(ink.bottom, y)};
  return ink;
}

void expect_well_formed(const TextImage& image) {
  EXPECT_GT(image.width, 0);
  EXPECT_GT(image.height, 0);
  EXPECT_LE(image.width, 8400);
  EXPECT_LE(image.height, 8400);
  EXPECT_EQ(image.rgba.size(), static_cast<std::size_t>(image.width * image.height) * 4);
}

/// Nothing may touch the edge of the picture: it would have been cut off.
void expect_not_cut(const TextImage& image) {
  for (int x = 0; x < image.width; ++x)
    EXPECT_EQ(alpha(image, x, 0) | alpha(image, x, image.height - 1), 0) << "column " << x;
  for (int y = 0; y < image.height; ++y)
    EXPECT_EQ(alpha(image, 0, y) | alpha(image, image.width - 1, y), 0) << "row " << y;
}

TEST(TextImage, IsWhiteWithTheCoverageAsAlpha) {
  for (const TextFace face : kFaces) {
    TextRequest r = request("Weights");
    r.face = face;
    const TextImage image = draw_text(r);
    expect_well_formed(image);
    EXPECT_FALSE(image.coloured);
    int inked = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
      EXPECT_EQ(image.rgba[i] & image.rgba[i + 1] & image.rgba[i + 2], 255);
      inked += image.rgba[i + 3] > 0;
    }
    EXPECT_GT(inked, 50);
  }
}

TEST(TextImage, TheFacesAreDifferent) {
  std::vector<std::vector<std::uint8_t>> pictures;
  for (const TextFace face : kFaces) {
    TextRequest r = request("Qg");
    r.face = face;
    pictures.push_back(draw_text(r).rgba);
  }
  for (std::size_t i = 0; i < pictures.size(); ++i)
    for (std::size_t j = i + 1; j < pictures.size(); ++j) EXPECT_NE(pictures[i], pictures[j]);
}

TEST(TextImage, MonoGivesEveryDigitTheSameWidth) {
  TextRequest ones = request("-1.11"), eights = request("-8.88");
  ones.face = eights.face = TextFace::kMono;
  EXPECT_DOUBLE_EQ(text_width(ones), text_width(eights));
}

TEST(TextImage, CapitalsStandOnTheBaselineThatTheOriginNames) {
  const TextImage image = draw_text(request("HH", 40));
  const Ink ink = ink_of(image);
  EXPECT_NEAR(ink.bottom + 1, image.origin_y, 1);
  EXPECT_GE(ink.left, image.origin_x - 1);
  EXPECT_LT(ink.left, image.origin_x + 8);
  EXPECT_LE(ink.right, image.origin_x + image.advance);
  EXPECT_NEAR(image.ascent + image.descent, 40 * 1.21, 3);
}

TEST(TextImage, TurnsAntiClockwiseAboutTheStartOfTheBaseline) {
  const TextImage level = draw_text(request("HHHH", 40)), up = draw_text(request("HHHH", 40, 90));
  EXPECT_NEAR(up.width, level.height, 2);
  EXPECT_NEAR(up.height, level.width, 2);
  // Upwards, the baseline runs up from the origin and the letters lie left of it.
  const Ink ink = ink_of(up);
  EXPECT_NEAR(ink.right + 1, up.origin_x, 1);
  EXPECT_LE(ink.bottom, up.origin_y + 1);
  EXPECT_GT(up.origin_y, up.height * 0.9);
  const TextImage down = draw_text(request("HHHH", 40, -90));
  EXPECT_NEAR(ink_of(down).left, down.origin_x, 1);
  EXPECT_LT(down.origin_y, down.height * 0.1);
}

TEST(TextImage, NothingIsCutOffAtAnyAngle) {
  for (double angle = -180; angle <= 180; angle += 15)
    for (const TextFace face : kFaces) {
      TextRequest r = request("jÅ fyQ|", 23, angle);
      r.face = face;
      expect_not_cut(draw_text(r));
    }
}

TEST(TextImage, EmojiKeepTheirColours) {
  const TextImage image = draw_text(request("😀", 24));
  EXPECT_TRUE(image.coloured);
  bool yellow = false;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    yellow |= image.rgba[i + 3] > 200 && image.rgba[i] > image.rgba[i + 2] + 80;
  EXPECT_TRUE(yellow);
}

TEST(TextImage, OtherScriptsAreDrawnWithOtherFonts) {
  const TextImage missing = draw_text(request("\U0010FFFE"));
  for (const char* text : {"สวัสดี", "日本語", "עברית", "العربية", "Ελληνικά"}) {
    const TextImage image = draw_text(request(text));
    EXPECT_NE(image.rgba, missing.rgba) << text;
    EXPECT_GT(ink_of(image).right, ink_of(image).left) << text;
  }
}

TEST(TextImage, MarkupRaisesTheSuperscript) {
  TextRequest r = request("X W<sup>Q</sup>", 20);
  const double as_typed = text_width(r);
  r.markup = true;
  EXPECT_LT(text_width(r), as_typed / 2);
  EXPECT_GT(text_width(r), text_width(request("X W", 20)));
}

TEST(TextImage, InvalidMarkupIsDrawnAsItIs) {
  for (const char* text : {"a < b", "<sup>", "</b>", "&nothing;", "<b>x</i>"}) {
    TextRequest marked = request(text);
    marked.markup = true;
    EXPECT_EQ(draw_text(marked).rgba, draw_text(request(text)).rgba) << text;
  }
}

TEST(TextImage, AnythingCanBeDrawn) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes.push_back(static_cast<char>(byte));
  for (const std::string& text :
       {std::string(), std::string(" "), std::string("\xff\xfe\x80"), std::string("a\nb\tc"),
        std::string("a\0b", 3), all_bytes, std::string("\xf0\x9f"), std::string(100000, 'W')})
    for (const bool markup : {false, true})
      for (const double size : {-1.0, 0.0, nan, infinity, 12.0})
        for (const double angle : {0.0, 50.0, nan, infinity, 1e300}) {
          TextRequest r = request(text, size, angle);
          r.markup = markup;
          if (text.size() > 1000 && !std::isfinite(size)) continue;  // slow, and covered below
          expect_well_formed(draw_text(r));
        }
}

TEST(TextImage, SizesAndLengthsAreLimited) {
  EXPECT_EQ(draw_text(request("Hg", 1e9)).height, draw_text(request("Hg", 400)).height);
  EXPECT_EQ(draw_text(request("Hg", 0)).height, draw_text(request("Hg", 1)).height);
  const TextImage wide = draw_text(request(std::string(5000, 'W'), 400));
  expect_well_formed(wide);
  EXPECT_GT(wide.width, 8000);
  const TextImage turned = draw_text(request(std::string(5000, 'W'), 400, 45));
  EXPECT_LT(turned.width * turned.height, 2500 * 2500);
}

TEST(TextImage, TheWidthIsTheAdvanceAndGrowsWithTheSize) {
  for (const TextFace face : kFaces) {
    TextRequest r = request("because 0.70");
    r.face = face;
    EXPECT_DOUBLE_EQ(text_width(r), draw_text(r).advance);
    const double at_16 = text_width(r);
    r.size = 48;
    EXPECT_NEAR(text_width(r), 3 * at_16, 0.02 * at_16);
  }
}

TEST(TextImage, TheSameRequestGivesTheSamePixels) {
  const TextImage first = draw_text(request("didn't", 13, 50));
  draw_text(request("something else", 31));
  EXPECT_EQ(draw_text(request("didn't", 13, 50)).rgba, first.rgba);
}

}  // namespace
}  // namespace lab
