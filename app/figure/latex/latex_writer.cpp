#include "app/figure/figure_writers.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "app/figure/latex/latex_parts.h"
#include "app/figure/text/figure_text.h"
#include "app/figure/text/length_text.h"

namespace lab::figure {
namespace {

using attention::Index;

constexpr Index kMostCells = 40000;  // TeX takes seconds for so many, and most of its memory
constexpr double kLargestLatexSide = 14400;  // points: of a page in a PDF

bool fits_a_page(double length) { return length > 0 && length <= kLargestLatexSide; }

/// The cost of a map for TeX: hatching and crosses count three times as much as a fill.
Index work_of(const shape::HeatMap& map) {
  const float* values = map.values.data();
  const auto draws_more = [](float v) { return !std::isfinite(v); };
  return map.values.size() + 2 * std::count_if(values, values + map.values.size(), draws_more);
}

Index work_of(const Figure& figure) {
  Index work = 0;
  for (const Shape& shape : figure.shapes)
    if (const auto* map = std::get_if<shape::HeatMap>(&shape)) work += work_of(*map);
  return work;
}

Expected<void> check(const Figure& figure) {
  if (!fits_a_page(figure.width) || !fits_a_page(figure.height))
    return fail(ErrorType::kBadInput,
                "The figure has a size that a page of LaTeX cannot have: up to 14400 points (5 m) "
                "on a side.");
  if (work_of(figure) <= kMostCells) return {};
  return fail(ErrorType::kUsage,
              "The figure has more cells than LaTeX can draw: up to " + std::to_string(kMostCells) +
                  ", of which those with −∞ and NaN count three times. Write it as .svg or .png, "
                  "or show less of it.");
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
}

std::string_view align_name(shape::Align align) {
  if (align == shape::Align::kLeft) return "l";
  return align == shape::Align::kCentre ? "m" : "r";
}

std::string_view face_command(shape::Face face) {
  if (face == shape::Face::kSansBold) return "\\bfseries";
  return face == shape::Face::kMono ? "\\ttfamily" : "";
}

std::string width_option(double line) { return ",line width=" + length_text(line) + "bp"; }

/// Writes one figure, shape by shape.
class LatexWriter {
 public:
  explicit LatexWriter(const Figure& figure) : figure_(figure), ruler_(figure.family) {}

  std::string run(attention::WorkWatch* watch) {
    attention::expect_work(watch, std::ssize(figure_.shapes));
    if (!figure_.transparent)
      (*this)(shape::Fill{0, 0, figure_.width, figure_.height, figure_.background});
    for (const Shape& shape : figure_.shapes) {
      std::visit(*this, shape);
      attention::report_work(watch, 1);
    }
    return latex_preamble(figure_.family) + latex_script_fonts(picture_) + latex_letters(picture_) +
           colours_.declarations() +
           "\n\\begin{document}\n\\sffamily\n\\begin{tikzpicture}[x=1bp,y=-1bp]\n" +
           "\\useasboundingbox" + latex_box(0, 0, figure_.width, figure_.height) + ";\n" +
           picture_ + "\\end{tikzpicture}\n\\end{document}\n";
  }

  void operator()(const shape::Fill& fill) {
    picture_ += "\\fill[" + colours_.name(fill.colour) + "]" +
                latex_box(fill.x, fill.y, fill.width, fill.height) + ";\n";
  }

  /// The line is drawn around the rectangle.
  void operator()(const shape::Frame& frame) {
    const double half = frame.line / 2;
    picture_ += "\\draw[" + colours_.name(frame.colour) + width_option(frame.line) + "]" +
                latex_box(frame.x - half, frame.y - half, frame.width + frame.line,
                          frame.height + frame.line) +
                ";\n";
  }

  void operator()(const shape::HeatMap& map) { picture_ += latex_map(map, colours_); }

  void operator()(const shape::ColourBar& bar) { picture_ += latex_bar(bar, colours_); }

  void operator()(const shape::Text& text) {
    const std::string turn = text.angle == 0 ? "" : ",rotate=" + length_text(text.angle);
    picture_ += "\\node[" + std::string(align_name(text.align)) +
                ",text=" + colours_.name(text.colour) + turn + ",font=\\size{" +
                length_text(text.size) + "}" + std::string(face_command(text.face)) + "] at" +
                latex_point(text.x, text.y) + " {" + content(text) + "};\n";
  }

  void operator()(const shape::Polygon& polygon) {
    picture_ += "\\fill[" + colours_.name(polygon.colour) + "]";
    for (const shape::Point& corner : polygon.corners)
      picture_ += latex_point(corner.x, corner.y) + "--";
    picture_ += "cycle;\n";
  }

  void operator()(const shape::Curve& curve) {
    const auto at = [](const shape::Point& point) { return latex_point(point.x, point.y); };
    picture_ += "\\draw[" + colours_.name(curve.colour) + width_option(curve.line) +
                ",line cap=round" +
                (curve.opacity < 1 ? ",draw opacity=" + length_text(curve.opacity) : "") + "]" +
                at(curve.from) + "..controls" + at(curve.towards_from) + "and" +
                at(curve.towards_to) + ".." + at(curve.to) + ";\n";
  }
  // TeX has no room for lines of unlimited length.
  void operator()(const shape::Polyline& polyline) {
    constexpr std::size_t kMost = 200;
    const auto& points = polyline.points;
    for (std::size_t first = 0; first + 1 < points.size(); first += kMost) {
      std::string path;
      for (std::size_t i = first; i <= std::min(first + kMost, points.size() - 1); ++i)
        path += (path.empty() ? "" : "--") + latex_point(points[i].x, points[i].y);
      picture_ += "\\draw[" + colours_.name(polyline.colour) + width_option(polyline.line) +
                  ",line cap=round,line join=round]" + path + ";\n";
    }
  }

 private:
  /// Letters shown as code points are kept within the width of the text.
  std::string content(const shape::Text& text) const {
    std::string latex = latex_content(text);
    if (is_ascii(latex)) return latex;
    return "\\fitted{" + length_text(std::max(1.0, ruler_.width(text) * kTolerance)) + "bp}{" +
           latex + "}";
  }

  static constexpr double kTolerance = 1.02;  // of widths in another font

  const Figure& figure_;
  TextRuler ruler_;
  LatexColours colours_;
  std::string picture_;
};

}  // namespace

std::string LatexColours::name(Rgb colour) {
  std::string name = "c" + hex_text(colour);
  names_.insert(name);
  return name;
}

std::string LatexColours::declarations() const {
  std::string lines;
  for (const std::string& name : names_) {
    std::string digits = name.substr(1);
    std::ranges::transform(digits, digits.begin(),
                           [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
    lines.append("\\definecolor{").append(name).append("}{HTML}{").append(digits).append("}\n");
  }
  return lines;
}

std::string latex_point(double x, double y) {
  return " (" + length_text(x) + "," + length_text(y) + ")";
}

std::string latex_box(double x, double y, double width, double height) {
  return latex_point(x, y) + "rectangle" + latex_point(x + width, y + height);
}

Expected<std::string> write_latex(const Figure& figure, const WriteOptions& options) {
  if (const auto fits = check(figure); !fits) return tl::make_unexpected(fits.error());
  try {
    return LatexWriter(figure).run(options.watch);
  } catch (const std::bad_alloc&) {
    return fail(ErrorType::kFailed, "There is not enough memory for this figure.");
  }
}

}  // namespace lab::figure
