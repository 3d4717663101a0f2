#include "app/figure/figure_writers.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "app/embedded_session/session_formats.h"
#include "app/figure/svg/svg_parts.h"
#include "app/figure/text/length_text.h"

namespace lab::figure {
namespace {

using attention::Index;

// For the whole file, so that it stays below a megabyte.
constexpr Index kMostRectanglesOfMaps = 12288;

/// Each map gets an equal share of the rectangles; a single cell, as in a legend, does not count.
Index share_of_rectangles(const Figure& figure) {
  const Index maps = std::ranges::count_if(figure.shapes, [](const Shape& shape) {
    const auto* map = std::get_if<shape::HeatMap>(&shape);
    return map != nullptr && map->values.size() > 1;
  });
  return kMostRectanglesOfMaps / std::max<Index>(maps, 1);
}

std::string millimetres(double points) { return length_text(points * kMillimetresPerPoint) + "mm"; }

std::string point(const shape::Point& at) { return length_text(at.x) + " " + length_text(at.y); }

/// Writes one figure, shape by shape.
class SvgWriter {
 public:
  explicit SvgWriter(const Figure& figure)
      : figure_(figure), most_rectangles_(share_of_rectangles(figure)) {}

  std::string run(const WriteOptions& options) {
    attention::expect_work(options.watch, std::ssize(figure_.shapes));
    for (const Shape& shape : figure_.shapes) {
      std::visit(*this, shape);
      attention::report_work(options.watch, 1);
    }
    return opening() + embedded_session::svg_session(options.session) + svg_definitions(figure_) +
           background() + shapes_ + "</svg>\n";
  }

  void operator()(const shape::Fill& fill) { shapes_ += rectangle(fill); }

  /// The line is drawn around the rectangle.
  void operator()(const shape::Frame& frame) {
    const double half = frame.line / 2;
    shapes_ += "<rect" +
               svg_box(frame.x - half, frame.y - half, frame.width + frame.line,
                       frame.height + frame.line) +
               " fill=\"none\"" + svg_colour("stroke", frame.colour) +
               svg_length("stroke-width", frame.line) + "/>\n";
  }

  void operator()(const shape::HeatMap& map) { shapes_ += svg_map(map, ++maps_, most_rectangles_); }

  void operator()(const shape::ColourBar& bar) { shapes_ += svg_bar(bar); }

  void operator()(const shape::Text& text) { shapes_ += svg_text(text); }

  void operator()(const shape::Polygon& polygon) {
    std::string corners;
    for (const shape::Point& corner : polygon.corners)
      corners += (corners.empty() ? "" : " ") + point(corner);
    shapes_ += "<polygon points=\"" + corners + "\"" + svg_colour("fill", polygon.colour) + "/>\n";
  }

  void operator()(const shape::Curve& curve) {
    shapes_ += "<path d=\"M" + point(curve.from) + "C" + point(curve.towards_from) + " " +
               point(curve.towards_to) + " " + point(curve.to) + "\" fill=\"none\"" +
               svg_colour("stroke", curve.colour) + svg_length("stroke-width", curve.line) +
               " stroke-linecap=\"round\"" +
               (curve.opacity < 1 ? svg_length("stroke-opacity", curve.opacity) : "") + "/>\n";
  }
  void operator()(const shape::Polyline& polyline) {
    std::string points;
    for (const shape::Point& one : polyline.points)
      points += (points.empty() ? "" : " ") + point(one);
    shapes_ += "<polyline points=\"" + points + "\" fill=\"none\"" +
               svg_colour("stroke", polyline.colour) + svg_length("stroke-width", polyline.line) +
               " stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n";
  }

 private:
  std::string opening() const {
    const bool linked = shapes_.find("xlink:href") != std::string::npos;
    std::string text = std::string("<svg xmlns=\"http://www.w3.org/2000/svg\"") +
                       (linked ? " xmlns:xlink=\"http://www.w3.org/1999/xlink\"" : "") +
                       " width=\"" + millimetres(figure_.width) + "\" height=\"" +
                       millimetres(figure_.height) + "\" viewBox=\"0 0 " +
                       length_text(figure_.width) + " " + length_text(figure_.height) +
                       "\" role=\"img\" font-family=\"" + svg_fonts(figure_.family) + "\">\n";
    if (!figure_.title.empty()) text += "<title>" + xml_text(figure_.title) + "</title>\n";
    return text;
  }

  std::string background() const {
    return figure_.transparent
               ? ""
               : rectangle({0, 0, figure_.width, figure_.height, figure_.background});
  }

  static std::string rectangle(const shape::Fill& fill) {
    return "<rect" + svg_box(fill.x, fill.y, fill.width, fill.height) +
           svg_colour("fill", fill.colour) + "/>\n";
  }

  const Figure& figure_;
  Index most_rectangles_;
  int maps_ = 0;
  std::string shapes_;
};

bool is_drawable_length(double length) {
  constexpr double kLargest = 1e6;  // points
  return length > 0 && length <= kLargest;
}

}  // namespace

Expected<std::string> write_svg(const Figure& figure, const WriteOptions& options) {
  if (!is_drawable_length(figure.width) || !is_drawable_length(figure.height))
    return fail(ErrorType::kBadInput, "The figure has a size that a page cannot have.");
  try {
    return SvgWriter(figure).run(options);
  } catch (const std::bad_alloc&) {
    return fail(ErrorType::kFailed, "There is not enough memory for this figure.");
  }
}

}  // namespace lab::figure
