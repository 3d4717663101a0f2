#pragma once

#include <cstdint>
#include <vector>

namespace lab::figure {

struct Figure;

/// Pixels to show: RGBA, 4 bytes per pixel, alpha not premultiplied, rows from the top.
struct FigureImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The figure at `scale` pixels per point. Empty when memory runs out. Precondition: its size in
/// pixels is valid for an image.
FigureImage figure_pixels(const Figure& figure, double scale);

/// The figure at `scale` pixels per point; smaller where a side would exceed 4096 pixels. Empty
/// when memory runs out.
FigureImage figure_image(const Figure& figure, double scale);

}  // namespace lab::figure
