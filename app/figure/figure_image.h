#pragma once

#include <cstdint>
#include <vector>

namespace lab::figure {

struct Figure;

/// Pixels to be shown: RGBA, 4 bytes a pixel, alpha not premultiplied, rows from the top.
struct FigureImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The figure at `scale` pixels a point. Empty when there is no memory for it. Precondition: its
/// size in pixels is one that a picture can have.
FigureImage figure_pixels(const Figure& figure, double scale);

/// The figure at `scale` pixels a point; smaller where a side would be longer than 4096. Empty when
/// there is no memory for it.
FigureImage figure_image(const Figure& figure, double scale);

}  // namespace lab::figure
