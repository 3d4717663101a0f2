#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as SVG: text is text, cells are rectangles, or images where there are thousands; the
/// session is in its metadata. Fails with kBadInput when the page has no size, and with kFailed
/// when memory runs out. Throws attention::WorkStopped when options.watch says so.
Expected<std::string> write_svg(const Figure& figure, const WriteOptions& options);

}  // namespace lab::figure
