#include "app/figure/cairo/heat_map_image.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lab::figure {
namespace {

using attention::Index;

std::uint32_t opaque(Rgb c) {
  return 0xff000000u | static_cast<std::uint32_t>(c.r) << 16 |
         static_cast<std::uint32_t>(c.g) << 8 | c.b;
}

/// The cells first … last − 1 that a pixel covers; none in a gap.
struct Cells {
  Index first = 0, last = 0;
  bool operator==(const Cells&) const = default;
};

/// The cells, of `count`, that each of `pixels` pixels covers.
std::vector<Cells> cells_of_pixels(Index count, int pixels, int gap) {
  std::vector<Cells> cells(static_cast<std::size_t>(pixels));
  for (Index p = 0; p < pixels; ++p) {
    const Index first = p * count / pixels;
    const Index next = std::min<Index>((p + gap) * count / pixels, count - 1);
    const Index last = std::max(first + 1, (p + 1) * count / pixels);
    if (gap == 0 || next == first) cells[static_cast<std::size_t>(p)] = {first, last};
  }
  return cells;
}

/// Colours the cells of one map.
class Painter {
 public:
  explicit Painter(const shape::HeatMap& map)
      : map_(map),
        table_(palette_table(map.palette, map.dark)),
        palest_(value_at(map.range, is_diverging(map.palette) ? 0.5 : 0)) {}

  /// The colour of a pixel that covers these cells; `on_line` if a hatching line passes through it.
  std::uint32_t pixel(Cells rows, Cells cols, bool on_line) const {
    if (rows.first == rows.last || cols.first == cols.last) return 0;
    if (rows.last - rows.first == 1 && cols.last - cols.first == 1)
      return opaque(colour(map_.values(rows.first, cols.first), on_line));
    return opaque(colour(outstanding(rows, cols), on_line));
  }

 private:
  Rgb colour(float value, bool on_line) const {
    if (std::isnan(value)) return special_fill(map_.dark);
    if (std::isinf(value) && value < 0)
      return on_line ? special_ink(map_.dark) : special_fill(map_.dark);
    return colour_of(table_, map_.range, value);
  }

  /// The cell farthest from the palest value of the palette: readers look for one strong weight
  /// among many weak ones. A cell of −∞ or NaN if there is no other.
  float outstanding(Cells rows, Cells cols) const {
    float best = map_.values(rows.first, cols.first);
    for (Index i = rows.first; i < rows.last; ++i)
      for (Index j = cols.first; j < cols.last; ++j)
        if (const float value = map_.values(i, j); stands_out(value) > stands_out(best))
          best = value;
    return best;
  }
  float stands_out(float value) const {
    return std::isfinite(value) ? std::abs(value - palest_) : -1;
  }

  const shape::HeatMap& map_;
  const PaletteTable& table_;
  float palest_;
};

}  // namespace

PixelImage heat_map_image(const shape::HeatMap& map, int width, int height, int gap, int hatch) {
  PixelImage image{width, height, {}};
  image.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const std::vector<Cells> columns = cells_of_pixels(map.values.cols(), width, gap);
  const std::vector<Cells> rows = cells_of_pixels(map.values.rows(), height, gap);
  const int thickness = hatch > 0 ? std::max(1, hatch / 5) : 0;
  const Painter painter(map);
  for (int y = 0; y < height; ++y) {
    const Cells& row = rows[static_cast<std::size_t>(y)];
    if (hatch == 0 && y > 0 && row == rows[static_cast<std::size_t>(y - 1)]) {
      std::copy_n(image.pixels.end() - width, width, std::back_inserter(image.pixels));
      continue;
    }
    for (int x = 0; x < width; ++x)
      image.pixels.push_back(painter.pixel(row, columns[static_cast<std::size_t>(x)],
                                           (x + y) % std::max(2, hatch) < thickness));
  }
  return image;
}

PixelImage colour_bar_image(const shape::ColourBar& bar, int width, int height) {
  const PaletteTable& table = palette_table(bar.palette, bar.dark);
  PixelImage image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    const double share = height > 1 ? 1 - static_cast<double>(y) / (height - 1) : 1;
    const Rgb colour = table[static_cast<std::size_t>(std::lround(share * (kPaletteSize - 1)))];
    image.pixels.insert(image.pixels.end(), static_cast<std::size_t>(width), opaque(colour));
  }
  return image;
}

}  // namespace lab::figure
