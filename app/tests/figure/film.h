#pragma once

#include <string>
#include <vector>

#include "app/figure/figure_image.h"
#include "app/tests/rooms.h"

namespace lab {

/// An animated picture read back: every frame as it is seen.
struct Film {
  int width = 0, height = 0, repeats = -1;  ///< 0: without end
  std::vector<FigureImage> frames;
  std::vector<int> milliseconds;
};

/// Read with libwebp's decoder of animations; empty when it cannot be.
Film film_in_webp(const std::string& bytes);
/// Read with giflib, the frames put over each other here; empty when it cannot be.
Film film_in_gif(const std::string& bytes);

}  // namespace lab
