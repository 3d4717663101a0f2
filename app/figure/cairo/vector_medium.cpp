#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/cairo/colour_glyphs.h"
#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/compose/cell_runs.h"

namespace lab::figure {
namespace {

using attention::Index;

constexpr Index kMostVectorCells = 4096;  // of a map that is not an image

/// How far a cell extends below the next one, which is painted later: viewers anti-alias edges, and
/// the page would shine through where two cells only touch. 0 if there are gaps.
double overlap(double length, double pitch) { return length > 0.999 * pitch ? pitch / 2 : 0; }

/// Lines that rise to the right over those rectangles of a map.
void hatch(cairo_t* cairo, const shape::HeatMap& map, const std::vector<Box>& rectangles) {
  if (rectangles.empty()) return;
  const Saved saved(cairo);
  for (const Box& rectangle : rectangles) add_rectangle(cairo, rectangle);
  cairo_clip(cairo);
  set_colour(cairo, special_ink(map.dark));
  cairo_set_line_width(cairo, kHatchLine / std::sqrt(2));
  const double right = map.x + map.width, bottom = map.y + map.height;
  const double first = std::floor((map.x + map.y) / kHatchDistance) * kHatchDistance;
  for (double sum = first; sum < right + bottom + kHatchDistance; sum += kHatchDistance) {
    const double from = std::max(map.x, sum - bottom) - 1, to = std::min(right, sum - map.y) + 1;
    cairo_move_to(cairo, from, sum - from);
    cairo_line_to(cairo, to, sum - to);
  }
  cairo_stroke(cairo);
}

void paint_rectangles(cairo_t* cairo, const shape::HeatMap& map) {
  const double right = map.x + map.width, bottom = map.y + map.height;
  const double across = map.width / static_cast<double>(map.values.cols());
  const double down = map.height / static_cast<double>(map.values.rows());
  std::vector<Box> hatched;
  for (const CellRun& run : cell_runs(map)) {
    const double width = run.width + overlap(run.width, across);
    const double height = run.height + overlap(run.height, down);
    set_colour(cairo, run.colour);
    add_rectangle(cairo, {run.x, run.y, std::min(width, right - run.x),  //
                          std::min(height, bottom - run.y)});
    cairo_fill(cairo);
    if (run.look == CellLook::kMinusInfinity)
      hatched.push_back({run.x, run.y, run.width, run.height});
  }
  hatch(cairo, map, hatched);
}

/// The cells of −∞, adjacent ones in a row merged; nothing when they are too scattered to be
/// hatched one by one.
std::optional<std::vector<Box>> masked_cells(const shape::HeatMap& map) {
  const Index rows = map.values.rows(), cols = map.values.cols();
  const double across = map.width / static_cast<double>(cols);
  const double down = map.height / static_cast<double>(rows);
  std::vector<Box> rectangles;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      if (!is_minus_infinity(map.values(i, j))) continue;
      if (j > 0 && is_minus_infinity(map.values(i, j - 1)))
        rectangles.back().width += across;
      else
        rectangles.push_back({map.x + static_cast<double>(j) * across,
                              map.y + static_cast<double>(i) * down, across, down});
      if (std::ssize(rectangles) > kMostVectorCells) return std::nullopt;
    }
  return rectangles;
}

/// Several pixels per cell, so that viewers that smooth images blur little of it, but no more than
/// are visible on paper, because compressing them takes long.
Index pixels_of_cell(const shape::HeatMap& map) {
  constexpr Index kTargetSide = 1024, kMostPixelsACell = 8, kLeastPixels = 3;
  constexpr double kPerPoint = 300 / 72.0;
  const Index rows = map.values.rows(), cols = map.values.cols();
  const Index most = std::clamp<Index>(kTargetSide / std::max(rows, cols), 1, kMostPixelsACell);
  const double resolution = kPerPoint * std::max(map.width / static_cast<double>(cols),
                                                 map.height / static_cast<double>(rows));
  return std::clamp<Index>(std::lround(resolution), std::min(kLeastPixels, most), most);
}

PixelImage cell_image(const shape::HeatMap& map, bool hatched) {
  const Index rows = map.values.rows(), cols = map.values.cols();
  const Index scale = pixels_of_cell(map);
  return heat_map_image(map, static_cast<int>(cols * scale), static_cast<int>(rows * scale), 0,
                        hatched ? static_cast<int>(2 * scale) : 0);
}

void paint_image(cairo_t* cairo, const shape::HeatMap& map) {
  const std::optional<std::vector<Box>> masked = masked_cells(map);
  PixelImage image = cell_image(map, !masked);
  const SurfacePtr surface(cairo_image_surface_create_for_data(
      reinterpret_cast<unsigned char*>(image.pixels.data()), CAIRO_FORMAT_RGB24, image.width,
      image.height, image.width * 4));
  {
    const Saved saved(cairo);
    cairo_translate(cairo, map.x, map.y);
    cairo_scale(cairo, map.width / image.width, map.height / image.height);
    cairo_set_source_surface(cairo, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
  }
  cairo_surface_finish(surface.get());  // the page takes a copy of pixels that are about to go
  if (masked) hatch(cairo, map, *masked);
}

class VectorMedium : public Medium {
 public:
  double scale() const override { return 1; }
  Box bounds(const Box& points) const override { return points; }
  double line(double points) const override { return points; }
  double smallest_cross() const override { return 1; }

  void paint_cells(cairo_t* cairo, const shape::HeatMap& map) override {
    if (map.values.size() <= kMostVectorCells)
      paint_rectangles(cairo, map);
    else
      paint_image(cairo, map);
  }

  void paint_bar(cairo_t* cairo, const shape::ColourBar& bar) override {
    constexpr int kStops = 32;
    const PaletteTable& table = palette_table(bar.palette, bar.dark);
    const PatternPtr pattern(cairo_pattern_create_linear(0, bar.y + bar.height, 0, bar.y));
    for (int stop = 0; stop <= kStops; ++stop) {
      const int entry = stop * (kPaletteSize - 1) / kStops;
      const Rgb c = table[static_cast<std::size_t>(entry)];
      cairo_pattern_add_color_stop_rgb(pattern.get(), entry / (kPaletteSize - 1.0), c.r / 255.0,
                                       c.g / 255.0, c.b / 255.0);
    }
    cairo_set_source(cairo, pattern.get());
    add_rectangle(cairo, {bar.x, bar.y, bar.width, bar.height});
    cairo_fill(cairo);
  }

  void show_text(cairo_t* cairo, PangoLayout* layout) override { glyphs_.show(cairo, layout); }

 private:
  ColourGlyphs glyphs_;
};

}  // namespace

std::unique_ptr<Medium> vector_medium() { return std::make_unique<VectorMedium>(); }

}  // namespace lab::figure
