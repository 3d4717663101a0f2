#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as a PNG, with its resolution and the session in a compressed iTXt chunk with the
/// keyword kSessionMark. Fails with kBadInput when the image would exceed 16 384 pixels on a side
/// or 200 megapixels, and with kFailed when memory runs out. Throws attention::WorkStopped when
/// options.watch says so.
Expected<std::string> write_png(const Figure& figure, const WriteOptions& options);

/// An RGB image (3 bytes per pixel, rows from the top, no padding) as a PNG. Fails as above.
/// Precondition: rgb.size() == width · height · 3.
Expected<std::string> write_png(std::string_view rgb, int width, int height);

}  // namespace lab::figure
