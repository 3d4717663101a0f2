#include "app/figure/figure_text.h"

#include <algorithm>

namespace lab {
namespace {

/// The first `bytes` bytes of UTF-8 text, less what is left of a character cut in two.
std::string beginning(const std::string& text, std::size_t bytes) {
  while (bytes > 0 && bytes < text.size() && (text[bytes] & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace

TextFace text_face(shape::Face face) {
  switch (face) {
    case shape::Face::kSans:
      return TextFace::kSans;
    case shape::Face::kSansBold:
      return TextFace::kSansBold;
    case shape::Face::kMono:
      return TextFace::kMono;
    case shape::Face::kSerifItalic:
      return TextFace::kSerifItalic;
  }
  return TextFace::kSans;
}

double text_width(std::string_view text, shape::Face face, double size) {
  return text_width({std::string(text), false, text_face(face), size, 0});
}

double text_width(const shape::Text& text) {
  return text_width({text.text, text.markup, text_face(text.face), text.size, text.angle});
}

std::string shortened(const std::string& text, shape::Face face, double size, double width) {
  if (text_width(text, face, size) <= width) return text;
  std::size_t fits = 0, too_long = std::min<std::size_t>(text.size(), 1024);
  while (too_long - fits > 1) {
    const std::size_t middle = (fits + too_long) / 2;
    const bool narrow = text_width(beginning(text, middle) + "…", face, size) <= width;
    (narrow ? fits : too_long) = middle;
  }
  const std::string start = beginning(text, fits);
  if (start.empty()) return text_width("…", face, size) <= width ? "…" : "";
  return start + "…";
}

double widest(const std::vector<std::string>& texts, shape::Face face, double size) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(text, face, size));
  return width;
}

}  // namespace lab
