#include "app/figure/text/figure_text.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "app/base/strings.h"
#include "app/base/visible_text.h"
#include "app/figure/text/line_breaks.h"

namespace lab::figure {
namespace {

constexpr double kMeasured = 64;  // pixels: the size at which text is measured, for any other

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

bool is_sans(shape::Face face) {
  return face == shape::Face::kSans || face == shape::Face::kSansBold;
}

/// The first `bytes` bytes of UTF-8 text, without a character cut in two.
std::string beginning(const std::string& text, std::size_t bytes) {
  while (bytes > 0 && bytes < text.size() && (text[bytes] & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

constexpr std::size_t kLongestTitle = 4096;  // characters that are looked at

}  // namespace

TextRequest text_request(const shape::Text& text, const std::string& family, double scale) {
  TextRequest request;
  request.text = text.text;
  request.markup = text.markup;
  request.face = text_face(text.face);
  request.size = text.size * scale;
  if (is_sans(text.face)) request.family = family;
  return request;
}

TextRuler::TextRuler(std::string family)
    : family_(std::move(family)),
      known_(std::make_shared<std::unordered_map<std::string, double>>()) {}

double TextRuler::width(std::string_view text, shape::Face face, double size) const {
  shape::Text plain;
  plain.text = text;
  plain.size = size;
  plain.face = face;
  return width(plain);
}

double TextRuler::width(const shape::Text& text) const {
  std::string key{static_cast<char>(text.face), static_cast<char>(text.markup)};
  key += text.text;
  const auto known = known_->find(key);
  if (known != known_->end()) return known->second * text.size;
  TextRequest request = text_request(text, family_, 1);
  request.size = kMeasured;
  const double width = text_width(request) / kMeasured;
  known_->emplace(std::move(key), width);
  return width * text.size;
}

double TextRuler::widest(const std::vector<std::string>& texts, shape::Face face,
                         double size) const {
  double most = 0;
  for (const std::string& text : texts) most = std::max(most, width(text, face, size));
  return most;
}

std::string TextRuler::shortened(const std::string& text, shape::Face face, double size,
                                 double room) const {
  if (width(text, face, size) <= room) return text;
  std::size_t fits = 0, too_long = std::min<std::size_t>(text.size(), 1024);
  while (too_long - fits > 1) {
    const std::size_t middle = (fits + too_long) / 2;
    const bool narrow = width(beginning(text, middle) + "…", face, size) <= room;
    (narrow ? fits : too_long) = middle;
  }
  const std::string start = beginning(text, fits);
  if (start.empty()) return width("…", face, size) <= room ? "…" : "";
  return start + "…";
}

std::vector<std::string> wrapped(const TextRuler& ruler, const std::string& text, shape::Face face,
                                 double size, double width, std::size_t most_lines) {
  std::u32string characters = valid_characters(text);
  if (characters.size() > kLongestTitle) characters.resize(kLongestTitle), characters += U'…';
  const std::string valid = utf8(characters);
  const std::string_view all = valid;
  const LineBreaks breaks = line_breaks(all);
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < all.size();) {
    const auto line_to = [&](std::size_t end) {
      return std::string(trimmed(all.substr(from, end - from), " "));
    };
    const auto fits = [&](std::size_t end) {
      return ruler.width(line_to(end), face, size) <= width;
    };
    std::size_t end = all.size();
    const bool last = lines.size() + 1 == most_lines;
    if (!last && !fits(end)) end = last_that_fits(breaks.words, from, all.size(), fits);
    if (end == from) end = last_that_fits(breaks.letters, from, all.size(), fits);
    if (end == from) end = all.size();
    lines.push_back(ruler.shortened(line_to(end), face, size, width));
    from = end;
  }
  std::erase(lines, "");
  return lines;
}

bool is_font_family(const std::string& name) {
  PangoFontFamily** families = nullptr;
  int count = 0;
  pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count);
  const std::unique_ptr<PangoFontFamily*, decltype(&g_free)> owned(families, g_free);
  for (PangoFontFamily* family : std::span(families, static_cast<std::size_t>(count)))
    if (g_ascii_strcasecmp(pango_font_family_get_name(family), name.c_str()) == 0) return true;
  return false;
}

}  // namespace lab::figure
