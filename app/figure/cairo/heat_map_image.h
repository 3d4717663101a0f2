#pragma once

#include <cstdint>
#include <vector>

#include "app/figure/figure.h"

namespace lab::figure {

/// Pixels as Cairo's ARGB32 takes them: 0xAARRGGBB, premultiplied, rows from the top.
struct PixelImage {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};

/// The cells of `map` on width × height pixels, each pixel the colour of its cell, the gaps (`gap`
/// pixels wide) transparent. Where there are fewer pixels than cells, a pixel shows the
/// one of its cells that stands out most. −∞ is hatched, NaN filled with a neutral colour (the
/// cross is left to the writer). `hatch` is the distance of the hatching's lines in pixels, 0 for
/// none.
PixelImage heat_map_image(const shape::HeatMap& map, int width, int height, int gap, int hatch);

/// The palette from high (top) to low (bottom).
PixelImage colour_bar_image(const shape::ColourBar& bar, int width, int height);

/// The fill of cells that no colour stands for: NaN and −∞.
Rgb special_fill(bool dark);
/// The line colour of the NaN cross and the hatching.
Rgb special_ink(bool dark);

}  // namespace lab::figure
