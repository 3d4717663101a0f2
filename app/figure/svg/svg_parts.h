#pragma once

#include <string>
#include <string_view>

#include "app/figure/figure.h"

// The parts of an SVG file, each as the text of whole elements with a line break after each.

namespace lab::figure {

/// `text` as the content of an element or of an attribute in double quotes. What no XML file may
/// hold is shown as visible_characters() says.
std::string xml_text(std::string_view text);

/// " name="value"", `value` being a length in points.
std::string svg_length(std::string_view name, double value);

/// " name="#rrggbb"".
std::string svg_colour(std::string_view name, Rgb colour);

/// " x="…" y="…" width="…" height="…""; what touches before it is rounded touches afterwards.
std::string svg_box(double x, double y, double width, double height);

/// The value of a font-family: the names in `families`, which have commas between them, and then
/// any font without serifs.
std::string svg_fonts(std::string_view families);

/// A figure's text as one <text>. Sans-serif text takes the fonts of what it stands in.
std::string svg_text(const shape::Text& text);

/// The patterns and gradients that svg_map and svg_bar refer to, for the maps and bars of `figure`;
/// nothing where it needs none.
std::string svg_definitions(const Figure& figure);

/// The cells of a map in a group with the id map-`number`: rectangles, or one image where there are
/// more than `most_rectangles` cells.
std::string svg_map(const shape::HeatMap& map, int number, attention::Index most_rectangles);

/// A colour bar.
std::string svg_bar(const shape::ColourBar& bar);

/// The element that carries `session`, JSON text.
std::string svg_session(std::string_view session);

}  // namespace lab::figure
