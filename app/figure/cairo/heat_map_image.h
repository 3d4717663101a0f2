#pragma once

#include <cstdint>
#include <vector>

#include "app/figure/figure.h"

namespace lab::figure {

/// Pixels in the ARGB32 format of Cairo: 0xAARRGGBB, premultiplied, rows from the top.
struct PixelImage {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};

/// The cells of `map` on width × height pixels: each pixel has the colour of its cell, gaps (`gap`
/// pixels wide) are transparent. With fewer pixels than cells, a pixel shows the most prominent of
/// its cells. −∞ is hatched, NaN filled with a neutral colour (the writer draws the cross). `hatch`
/// is the distance between hatching lines in pixels, 0 for none.
PixelImage heat_map_image(const shape::HeatMap& map, int width, int height, int gap, int hatch);

/// The palette from high (top) to low (bottom).
PixelImage colour_bar_image(const shape::ColourBar& bar, int width, int height);

}  // namespace lab::figure
