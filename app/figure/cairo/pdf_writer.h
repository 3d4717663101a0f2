#pragma once

#include <span>
#include <string>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as a one-page PDF of its size: vectors, and text in embedded fonts that can be
/// searched and copied; emoji, and maps of more than a few thousand cells, are images. The session
/// is attached as the file kPdfAttachment. The bytes are the same on every run, and contain a date
/// only where source_date() gives one. Fails with kBadInput when the page has no size or is longer
/// than 14 400 points on a side, and with kFailed when memory runs out. Throws
/// attention::WorkStopped when options.watch says so.
Expected<std::string> write_pdf(const Figure& figure, const WriteOptions& options);

/// The same for several pages, in order; the title of the document is that of the first.
/// Precondition: there is a page.
Expected<std::string> write_pdf_pages(std::span<const Figure> pages, const WriteOptions& options);

}  // namespace lab::figure
