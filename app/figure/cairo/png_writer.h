#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as PNG bytes, with the resolution recorded and the session as a compressed iTXt
/// chunk with the keyword kSessionMark. Fails with kBadInput when the picture would be larger than
/// 16 384 pixels on a side or 200 megapixels, and with kFailed when there is no memory for it.
/// Throws attention::WorkStopped when options.watch says so.
Expected<std::string> write_png(const Figure& figure, const WriteOptions& options);

/// An RGB image (3 bytes a pixel, rows from the top, no padding) as PNG bytes. Fails as above.
/// Precondition: rgb.size() == width · height · 3.
Expected<std::string> write_png(std::string_view rgb, int width, int height);

}  // namespace lab::figure
