#include <algorithm>

#include "app/base/strings.h"
#include "app/base/text_direction.h"
#include "app/base/visible_text.h"
#include "app/figure/svg/svg_parts.h"
#include "app/figure/text/length_text.h"
#include "app/figure/text/text_runs.h"

namespace lab::figure {
namespace {

/// A font name in the syntax of CSS.
std::string quoted_family(std::string_view name) {
  std::string quoted = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// Text without a direction runs from left to right, as in all other formats.
std::string anchor(shape::Align align, bool right_to_left) {
  const std::string direction = right_to_left ? " direction=\"rtl\"" : "";
  if (align == shape::Align::kCentre) return direction + " text-anchor=\"middle\"";
  const bool at_start = (align == shape::Align::kLeft) != right_to_left;
  return at_start ? direction : direction + " text-anchor=\"end\"";
}

std::string_view face_attributes(shape::Face face) {
  switch (face) {
    case shape::Face::kSans:
      return "";
    case shape::Face::kSansBold:
      return R"( font-weight="600")";
    case shape::Face::kMono:
      return R"( font-family="'JetBrains Mono', 'DejaVu Sans Mono', monospace")";
    case shape::Face::kSerifItalic:
      return R"( font-family="'DejaVu Serif', serif" font-style="italic")";
  }
  return "";
}

std::string turn(const shape::Text& text) {
  if (text.angle == 0) return {};
  return " transform=\"rotate(" + length_text(-text.angle) + " " + length_text(text.x) + " " +
         length_text(text.y) + ")\"";
}

/// Preserves spaces that XML readers would otherwise drop.
bool has_telling_spaces(std::string_view text) {
  return text.starts_with(' ') || text.ends_with(' ') || text.find("  ") != std::string_view::npos;
}

std::string element(std::string_view name, std::string_view attributes, std::string_view content) {
  std::string text = "<";
  text.append(name).append(attributes).append(">").append(content);
  return text.append("</").append(name).append(">");
}

/// Fonts with emoji in colour come first: a viewer would take black ones from any font that has
/// them, such as DejaVu Sans.
constexpr std::string_view kEmojiFonts =
    R"( font-family="'Apple Color Emoji', 'Segoe UI Emoji', 'Noto Color Emoji', sans-serif")";

std::string escaped(const std::u32string& characters) {
  std::string text;
  text.reserve(characters.size());
  for (const char32_t c : characters) {
    const std::string_view entity = entity_of(c);
    entity.empty() ? append_utf8(text, c) : void(text += entity);
  }
  return text;
}

std::string with_emoji(std::string_view text) {
  std::string content;
  for (const EmojiRun& run : emoji_runs(visible_characters(text)))
    content += run.emoji ? element("tspan", kEmojiFonts, escaped(run.text)) : escaped(run.text);
  return content;
}

/// The segments of a text, each shifted from the baseline of the one before: `dy` works everywhere,
/// baseline-shift does not.
std::string spans(const std::vector<TextRun>& runs, double size) {
  std::string content;
  double rise = 0;
  for (const TextRun& run : runs) {
    const double next = rounded_length(run.rise * size);
    std::string style = next == rise ? "" : svg_length("dy", rise - next);
    if (run.size != 1) style += svg_length("font-size", run.size * size);
    if (run.italic) style += " font-style=\"italic\"";
    if (run.bold) style += " font-weight=\"600\"";
    const std::string text = with_emoji(run.text);
    content += style.empty() ? text : element("tspan", style, text);
    rise = next;
  }
  return content;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(visible_characters(text)); }

std::string svg_length(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + length_text(value) + "\"";
}

std::string svg_colour(std::string_view name, Rgb colour) {
  return " " + std::string(name) + "=\"#" + hex_text(colour) + "\"";
}

std::string svg_box(double x, double y, double width, double height) {
  const double left = rounded_length(x), top = rounded_length(y);
  return svg_length("x", left) + svg_length("y", top) +
         svg_length("width", rounded_length(x + width) - left) +
         svg_length("height", rounded_length(y + height) - top);
}

std::string svg_fonts(std::string_view families) {
  std::string fonts;
  while (!families.empty()) {
    const std::string_view name = families.substr(0, families.find(','));
    families.remove_prefix(std::min(families.size(), name.size() + 1));
    if (!trimmed(name, " ").empty()) fonts += quoted_family(trimmed(name, " ")) + ", ";
  }
  // Programs that draw letters as outlines do not show coloured emoji; this font has them in black.
  return xml_text(fonts + "'DejaVu Sans', sans-serif");
}

std::string svg_text(const shape::Text& text) {
  const std::vector<TextRun> runs = text_runs(text);
  std::string plain;
  for (const TextRun& run : runs) plain += run.text;
  const bool keeps_spaces = runs.size() > 1 || has_telling_spaces(plain);
  const std::string attributes =
      svg_length("x", text.x) + svg_length("y", text.y) + svg_length("font-size", text.size) +
      svg_colour("fill", text.colour) + anchor(text.align, runs_right_to_left(plain)) +
      std::string(face_attributes(text.face)) + turn(text) +
      (keeps_spaces ? " xml:space=\"preserve\"" : "");
  return element("text", attributes, spans(runs, text.size)) + "\n";
}

}  // namespace lab::figure
