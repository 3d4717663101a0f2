#pragma once

#include <string>
#include <string_view>

#include "app/figure/figure.h"

// The sections of an SVG file, each as the text of complete elements, each followed by a line
// break.

namespace lab::figure {

/// `text` as the content of an element or of a double-quoted attribute. Characters that XML forbids
/// are shown as by visible_characters().
std::string xml_text(std::string_view text);

/// " name="value"", where `value` is a length in points.
std::string svg_length(std::string_view name, double value);

/// " name="#rrggbb"".
std::string svg_colour(std::string_view name, Rgb colour);

/// " x="…" y="…" width="…" height="…""; rectangles that touch before rounding also touch after it.
std::string svg_box(double x, double y, double width, double height);

/// The value of font-family: the names in `families`, which are separated by commas, then any
/// sans-serif font.
std::string svg_fonts(std::string_view families);

/// A text of a figure as one <text> element. Sans-serif text inherits its fonts.
std::string svg_text(const shape::Text& text);

/// The patterns and gradients that svg_map and svg_bar refer to, for the maps and bars of `figure`;
/// empty when none are needed.
std::string svg_definitions(const Figure& figure);

/// The cells of a map in a group with the id map-`number`: rectangles, or one image where there are
/// more than `most_rectangles` cells.
std::string svg_map(const shape::HeatMap& map, int number, attention::Index most_rectangles);

/// A colour bar.
std::string svg_bar(const shape::ColourBar& bar);

}  // namespace lab::figure
