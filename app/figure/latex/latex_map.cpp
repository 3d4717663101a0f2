#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/compose/cell_runs.h"
#include "app/figure/latex/latex_parts.h"
#include "app/figure/text/length_text.h"

namespace lab::figure {
namespace {

// How far a rectangle extends below the next one, in points: PDF viewers show the paper between two
// that only touch.
constexpr double kOverlap = 0.1;

/// "{x}{y}{x}{y}": two corners; rectangles that touch before rounding also touch after it.
std::string corners(double x, double y, double width, double height) {
  return "{" + length_text(x) + "}{" + length_text(y) + "}{" + length_text(x + width) + "}{" +
         length_text(y + height) + "}";
}

// Most rectangles in one path: TeX does not have the memory for many more.
constexpr int kMostInPath = 500;

/// Writes rectangles in order, those of one colour in one path.
class Fills {
 public:
  explicit Fills(LatexColours& colours) : colours_(colours) {}

  void add(Rgb colour, const std::string& box) {
    if (count_ == kMostInPath || colour != colour_) end_path();
    text_ += count_ == 0 ? "\\cells{" + colours_.name(colour) + "}{" : "\n";
    text_ += "\\cell" + box;
    colour_ = colour;
    ++count_;
  }

  std::string text() {
    end_path();
    return std::move(text_);
  }

 private:
  void end_path() {
    if (count_ > 0) text_ += "}\n";
    count_ = 0;
  }

  LatexColours& colours_;
  int count_ = 0;  // in the path that is open
  Rgb colour_;
  std::string text_;
};

/// The extent of a cell, including what it extends below its neighbours on the right and underneath
/// where they touch.
std::string overlapping_box(const CellRun& run, const shape::HeatMap& map) {
  const double right = map.x + map.width, bottom = map.y + map.height;
  const double overlap = cells_touch(map) ? kOverlap : 0;
  return corners(run.x, run.y, std::min(run.width + overlap, right - run.x),
                 std::min(run.height + overlap, bottom - run.y));
}

/// Lines at 45 degrees over the cells of a map, which are added one by one.
class Hatching {
 public:
  Hatching(const shape::HeatMap& map, LatexColours& colours) : map_(map), colours_(colours) {}

  void add(const CellRun& run) {
    if (count_ == kMostInPath) end_clip();
    if (count_++ == 0) left_ = run.x, top_ = run.y, right_ = run.x, bottom_ = run.y;
    clip_ += "\n" + latex_box(run.x, run.y, run.width, run.height);
    left_ = std::min(left_, run.x), top_ = std::min(top_, run.y);
    right_ = std::max(right_, run.x + run.width);
    bottom_ = std::max(bottom_, run.y + run.height);
  }

  std::string text() {
    end_clip();
    return std::move(text_);
  }

 private:
  void end_clip() {
    if (count_ == 0) return;
    text_ += "\\begin{scope}\n\\clip" + clip_ + ";\n\\draw[" +
             colours_.name(special_ink(map_.dark)) +
             ",line width=" + length_text(kHatchLine / std::sqrt(2)) + "bp]" + lines() +
             ";\n\\end{scope}\n";
    clip_.clear();
    count_ = 0;
  }

  /// On a line, x + y is constant; one line passes through the corner of the map.
  std::string lines() const {
    const double corner = map_.x + map_.y;
    double sum = corner + std::ceil((left_ + top_ - corner) / kHatchDistance) * kHatchDistance;
    std::string text;
    for (; sum <= right_ + bottom_; sum += kHatchDistance)
      text += latex_point(std::max(left_, sum - bottom_), std::min(bottom_, sum - left_)) + "--" +
              latex_point(std::min(right_, sum - top_), std::max(top_, sum - right_));
    return text;
  }

  const shape::HeatMap& map_;
  LatexColours& colours_;
  int count_ = 0;                                       // of cells in the clip
  double left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;  // around them
  std::string clip_, text_;
};

std::string cross(const CellRun& run, const std::string& colour) {
  std::string path;
  const std::vector<shape::Point> ends = cross_of(run);
  for (std::size_t i = 0; i < ends.size(); ++i)
    path += (i % 2 == 1 ? "--" : "") + latex_point(ends[i].x, ends[i].y);
  if (path.empty()) return {};
  return "\\draw[" + colour + ",line width=" + length_text(kCrossLine) + "bp]" + path + ";\n";
}

}  // namespace

std::string latex_map(const shape::HeatMap& map, LatexColours& colours) {
  Fills fills(colours);
  Hatching hatching(map, colours);
  const std::string cross_colour = colours.name(special_ink(map.dark));
  std::string crossed;
  for (const CellRun& run : cell_runs(map)) {
    fills.add(run.colour, overlapping_box(run, map));
    if (run.look == CellLook::kMinusInfinity) hatching.add(run);
    if (run.look == CellLook::kNotANumber) crossed += cross(run, cross_colour);
  }
  return fills.text() + hatching.text() + crossed;
}

std::string latex_bar(const shape::ColourBar& bar, LatexColours& colours) {
  constexpr double kSlice = 0.5;  // points
  const PaletteTable& table = palette_table(bar.palette, bar.dark);
  const int slices = static_cast<int>(
      std::clamp(std::ceil(bar.height / kSlice), 2.0, static_cast<double>(kPaletteSize)));
  Fills fills(colours);
  for (int slice = 0; slice < slices; ++slice) {
    const double y = bar.y + bar.height * slice / slices;
    const auto entry = std::lround((kPaletteSize - 1) * (1 - slice / (slices - 1.0)));
    const double height = bar.height / slices + kOverlap;
    fills.add(table[static_cast<std::size_t>(entry)],
              corners(bar.x, y, bar.width, std::min(height, bar.y + bar.height - y)));
  }
  return fills.text();
}

}  // namespace lab::figure
