#pragma once

#include <string>
#include <string_view>

#include "app/document/error.h"
#include "app/figure/figure.h"
#include "core/work_watch.h"

namespace lab {

/// The figure as PNG bytes at `dpi`, with the resolution recorded. Fails with kBadInput when the
/// picture would be larger than 16 384 pixels on a side or 200 megapixels, and with kFailed when
/// there is no memory for it. `watch`, which may be null, sees how far it is and may stop it:
/// throws attention::WorkStopped then.
Expected<std::string> write_png(const Figure& figure, double dpi,
                                attention::WorkWatch* watch = nullptr);

/// An RGB image (3 bytes a pixel, rows from the top, no padding) as PNG bytes. Fails as above.
/// Precondition: rgb.size() == width · height · 3.
Expected<std::string> write_png(std::string_view rgb, int width, int height);

}  // namespace lab
