#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figure/colour/palette.h"

namespace lab::figure {

/// A type face; each has fallback fonts for every script.
enum class TextFace {
  kSans,         ///< Inter
  kSansBold,     ///< Inter SemiBold
  kMono,         ///< JetBrains Mono
  kSerifItalic,  ///< DejaVu Serif Italic, for formulas
};

/// One line of text to draw.
struct TextRequest {
  std::string text;  ///< UTF-8; with `markup`, Pango markup such as X W<sup>Q</sup>
  bool markup = false;
  TextFace face = TextFace::kSans;
  double size = 12;        ///< height of the em in pixels
  double angle = 0;        ///< degrees anti-clockwise
  Rgb ink{255, 255, 255};  ///< colour of the text; colour glyphs keep theirs
  std::string
      family{};  ///< tried before the face's default fonts, unless empty; commas between more
  bool operator==(const TextRequest&) const = default;
};

/// Drawn text. Pixels have the ink colour with the coverage as alpha, so that text drawn in white
/// can be coloured later. Colour glyphs (emoji) keep their colours and set `coloured`.
struct TextImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  ///< 4 bytes a pixel, alpha not premultiplied
  bool coloured = false;
  /// The start of the baseline, in pixels from the top left corner of the image.
  double origin_x = 0, origin_y = 0;
  double advance = 0;              ///< logical width of the text along its baseline
  double ascent = 0, descent = 0;  ///< of the line, above and below the baseline
};

/// Draws text with Pango: shaped, with bidirectional order and fallback fonts. Invalid UTF-8
/// becomes replacement characters; invalid markup is drawn as plain text.
TextImage draw_text(const TextRequest& request);

/// The logical width in pixels, without drawing.
double text_width(const TextRequest& request);

}  // namespace lab::figure
