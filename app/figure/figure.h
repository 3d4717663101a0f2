#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/figure/colour/palette.h"
#include "core/matrix.h"

namespace lab::figure {

/// Points per inch, in every figure.
inline constexpr double kPointsPerInch = 72;
/// Points in a millimetre, and the inverse.
inline constexpr double kPointsPerMillimetre = kPointsPerInch / 25.4;
inline constexpr double kMillimetresPerPoint = 25.4 / kPointsPerInch;

/// A figure is a page and a list of shapes; writers turn it into files. Lengths are in points
/// (1/72 inch), the origin is the top left corner, y grows downwards.
namespace shape {
/// Where a text is anchored horizontally.
enum class Align { kLeft, kCentre, kRight };
/// The face of a text.
enum class Face { kSans, kSansBold, kMono, kSerifItalic };

/// One line of text: `y` is the baseline; `angle`, in degrees, rotates it anti-clockwise about (x,
/// y).
struct Text {
  double x = 0, y = 0;
  std::string text;
  double size = 7;
  Rgb colour;
  Align align = Align::kLeft;
  Face face = Face::kSans;
  double angle = 0;
  bool markup = false;  ///< `text` is Pango markup, such as X W<sup>Q</sup>
};
/// A filled rectangle.
struct Fill {
  double x = 0, y = 0, width = 0, height = 0;
  Rgb colour;
};
/// The outline of a rectangle.
struct Frame {
  double x = 0, y = 0, width = 0, height = 0;
  Rgb colour;
  double line = 0.5;
};
/// A point on the page.
struct Point {
  double x = 0, y = 0;
};
/// A filled polygon, its last corner joined to its first.
struct Polygon {
  std::vector<Point> corners;
  Rgb colour;
};
/// A line from `from` to `to`, bent towards two control points (a cubic Bézier curve), with round
/// ends.
struct Curve {
  Point from, towards_from, towards_to, to;
  Rgb colour;
  double line = 1;
  double opacity = 1;
};
/// Straight lines from point to point, with round joints and ends.
struct Polyline {
  std::vector<Point> points;
  Rgb colour;
  double line = 1;
};
/// Cells in a rectangle; NaN cells are crossed, −∞ cells hatched. `gap` separates cells; writers
/// omit it where cells are not much wider than it.
struct HeatMap {
  double x = 0, y = 0, width = 0, height = 0;
  attention::Matrix values;
  Palette palette = Palette::kBlues;
  bool dark = false;
  Range range;
  double gap = 0;
  std::string title{};  ///< what it shows, for screen readers; empty in a legend
};
/// The colours of a palette from bottom (low) to top (high).
struct ColourBar {
  double x = 0, y = 0, width = 0, height = 0;
  Palette palette{};
  bool dark = false;
};
}  // namespace shape

using Shape = std::variant<shape::Fill, shape::HeatMap, shape::ColourBar, shape::Frame, shape::Text,
                           shape::Polygon, shape::Curve, shape::Polyline>;

/// The font family of figures. It is as wide as Arial and Helvetica, which replace it where it is
/// missing, so that a figure keeps its layout on every machine.
inline constexpr std::string_view kFigureFamily = "Liberation Sans,Arimo,Arial,Helvetica";

/// A page and the shapes on it, in painting order.
struct Figure {
  double width = 0, height = 0;  ///< in points
  Rgb background{255, 255, 255};
  bool transparent = false;           ///< the background is left out
  std::string family{kFigureFamily};  ///< of sans-serif text: names separated by commas
  std::string title;                  ///< what the figure shows, for screen readers
  std::vector<Shape> shapes;
};

}  // namespace lab::figure
