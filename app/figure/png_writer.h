#pragma once

#include <string>
#include <string_view>

#include "app/document/error.h"
#include "app/figure/figure.h"

namespace lab {

/// The figure as PNG bytes at `dpi`, with the resolution recorded. Fails with kBadInput when the
/// picture would be larger than 16 384 pixels on a side or 200 megapixels.
Expected<std::string> write_png(const Figure& figure, double dpi);

/// An RGB image (3 bytes a pixel, rows from the top, no padding) as PNG bytes.
/// Precondition: rgb.size() == width · height · 3.
Expected<std::string> write_png(std::string_view rgb, int width, int height);

}  // namespace lab
