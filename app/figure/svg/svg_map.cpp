#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "app/base/byte_text.h"
#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/cairo/png_encoder.h"
#include "app/figure/compose/cell_runs.h"
#include "app/figure/svg/svg_parts.h"
#include "app/figure/text/length_text.h"

namespace lab::figure {
namespace {

using attention::Index;

std::string theme_name(bool dark) { return dark ? "dark" : "light"; }

std::string hatch_name(bool dark) { return "hatch-" + theme_name(dark); }

std::string gradient_name(Palette palette, bool dark) {
  return std::string(palette_name(palette)) + "-" + theme_name(dark);
}

std::string reference(const std::string& name) { return " fill=\"url(#" + name + ")\""; }

bool has_minus_infinity(const attention::Matrix& values) {
  return std::any_of(values.data(), values.data() + values.size(),
                     [](float v) { return std::isinf(v) && v < 0; });
}

/// Horizontal lines across a square, rotated so that they rise to the right.
std::string hatch(bool dark) {
  const std::string side = length_text(kHatchDistance / std::sqrt(2));
  return "<pattern id=\"" + hatch_name(dark) + "\" width=\"" + side + "\" height=\"" + side +
         "\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\">\n<rect width=\"" +
         side + "\" height=\"" + side + "\"" + svg_colour("fill", special_fill(dark)) +
         "/>\n<rect width=\"" + side + "\"" + svg_length("height", kHatchLine / std::sqrt(2)) +
         svg_colour("fill", special_ink(dark)) + "/>\n</pattern>\n";
}

std::string gradient(Palette palette, bool dark) {
  constexpr int kStops = 85;  // every third entry
  const PaletteTable& table = palette_table(palette, dark);
  std::string text = "<linearGradient id=\"" + gradient_name(palette, dark) +
                     "\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n";
  for (int stop = 0; stop <= kStops; ++stop) {
    const int entry = stop * (kPaletteSize - 1) / kStops;
    text += "<stop offset=\"" + length_text(100.0 * entry / (kPaletteSize - 1)) + "%\"" +
            svg_colour("stop-color", table[static_cast<std::size_t>(entry)]) + "/>\n";
  }
  return text + "</linearGradient>\n";
}

std::string cross(const CellRun& cell) {
  std::string path;
  const std::vector<shape::Point> ends = cross_of(cell);
  for (std::size_t i = 0; i < ends.size(); ++i)
    path += (i % 2 == 0 ? "M" : "L") + length_text(ends[i].x) + " " + length_text(ends[i].y);
  return path;
}

std::string crosses(const std::string& path, bool dark) {
  if (path.empty()) return {};
  return "<path d=\"" + path + "\" fill=\"none\"" + svg_colour("stroke", special_ink(dark)) +
         svg_length("stroke-width", kCrossLine) + "/>\n";
}

std::string rectangles(const shape::HeatMap& map) {
  std::string text, crossed;
  for (const CellRun& run : cell_runs(map)) {
    const bool hatched = run.look == CellLook::kMinusInfinity;
    text += "<rect" + svg_box(run.x, run.y, run.width, run.height) +
            (hatched ? reference(hatch_name(map.dark)) : svg_colour("fill", run.colour)) + "/>\n";
    if (run.look == CellLook::kNotANumber) crossed += cross(run);
  }
  return text + crosses(crossed, map.dark);
}

/// A map as an image with several pixels per cell, so that viewers that smooth images blur little
/// of it; −∞ is transparent.
class CellPicture {
 public:
  explicit CellPicture(const shape::HeatMap& map)
      : map_(map),
        table_(palette_table(map.palette, map.dark)),
        scale_(std::clamp<Index>(kTargetSide / std::max(map.values.rows(), map.values.cols()), 1,
                                 kLargestScale)),
        alpha_(has_minus_infinity(map.values)) {}

  std::string png() {
    PngForm form;
    form.width = static_cast<int>(map_.values.cols() * scale_);
    form.height = static_cast<int>(map_.values.rows() * scale_);
    form.alpha = alpha_;
    PngEncoder encoder(form);
    for (Index i = 0; i < map_.values.rows(); ++i) {
      fill_row(i);
      for (Index k = 0; k < scale_; ++k) encoder.add_row(row_);
    }
    return encoder.finish();
  }

 private:
  static constexpr Index kTargetSide = 1024, kLargestScale = 8;

  void fill_row(Index i) {
    row_.clear();
    for (Index j = 0; j < map_.values.cols(); ++j)
      for (Index k = 0; k < scale_; ++k) add(map_.values(i, j));
  }

  void add(float value) {
    const bool hatched = std::isinf(value) && value < 0;
    const bool special = hatched || std::isnan(value);
    const Rgb c = special ? special_fill(map_.dark) : colour_of(table_, map_.range, value);
    row_.insert(row_.end(), {c.r, c.g, c.b});
    if (alpha_) row_.push_back(hatched ? 0 : 255);
  }

  const shape::HeatMap& map_;
  const PaletteTable& table_;
  Index scale_;
  bool alpha_;
  std::vector<std::uint8_t> row_;
};

std::string crosses_over_image(const shape::HeatMap& map) {
  std::string crossed;
  for (const CellRun& run : cell_runs(map))
    if (run.look == CellLook::kNotANumber) crossed += cross(run);
  return crosses(crossed, map.dark);
}

/// The hatching is below the image and shows through it.
std::string image(const shape::HeatMap& map) {
  const std::string box = svg_box(map.x, map.y, map.width, map.height);
  std::string text;
  if (has_minus_infinity(map.values))
    text += "<rect" + box + reference(hatch_name(map.dark)) + "/>\n";
  text += "<image" + box +
          " preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
          "style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64," +
          base64(CellPicture(map).png()) + "\"/>\n";
  return text + crosses_over_image(map);
}

}  // namespace

std::string svg_definitions(const Figure& figure) {
  std::set<bool> hatches;
  std::set<std::pair<Palette, bool>> bars;
  for (const Shape& shape : figure.shapes) {
    if (const auto* map = std::get_if<shape::HeatMap>(&shape))
      if (has_minus_infinity(map->values)) hatches.insert(map->dark);
    if (const auto* bar = std::get_if<shape::ColourBar>(&shape))
      bars.emplace(bar->palette, bar->dark);
  }
  std::string text;
  for (const bool dark : hatches) text += hatch(dark);
  for (const auto& [palette, dark] : bars) text += gradient(palette, dark);
  return text.empty() ? "" : "<defs>\n" + text + "</defs>\n";
}

std::string svg_map(const shape::HeatMap& map, int number, Index most_rectangles) {
  if (map.values.size() == 0) return {};
  const bool as_image = map.values.size() > most_rectangles;
  // Without gaps, edges are aligned to whole pixels: with anti-aliasing they would show.
  const bool sharp = !as_image && cells_touch(map);
  const std::string title = map.title.empty() ? "" : "<title>" + xml_text(map.title) + "</title>\n";
  return "<g id=\"map-" + std::to_string(number) + "\"" +
         (sharp ? " shape-rendering=\"crispEdges\"" : "") + ">\n" + title +
         (as_image ? image(map) : rectangles(map)) + "</g>\n";
}

std::string svg_bar(const shape::ColourBar& bar) {
  return "<rect" + svg_box(bar.x, bar.y, bar.width, bar.height) +
         reference(gradient_name(bar.palette, bar.dark)) + "/>\n";
}

}  // namespace lab::figure
