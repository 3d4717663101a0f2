#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/error.h"
#include "app/figure/figure_writers.h"

namespace lab {

/// The figure as SVG: text is text, cells are rectangles, or images where they are thousands; the
/// session is in its metadata. Fails with kBadInput when the page has no size, and with kFailed
/// when there is no memory for it. Throws attention::WorkStopped when options.watch says so.
Expected<std::string> write_svg(const Figure& figure, const WriteOptions& options);

/// The session that an SVG file carries, as it was given to write_svg, also after another program
/// has saved the file. Nothing when it carries none or what is before its end is damaged. Whether
/// it is a session is for its reader to tell.
std::optional<std::string> session_in_svg(std::string_view svg);

}  // namespace lab
