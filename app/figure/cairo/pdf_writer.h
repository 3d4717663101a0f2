#pragma once

#include <span>
#include <string>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as a PDF of one page of its size: vectors, and text in embedded fonts that can be
/// searched and copied; emoji, and maps of more than some thousand cells, are images. The session
/// is attached to it as the file kPdfAttachment. The same bytes on every run, with a date only
/// where source_date() gives one. Fails with kBadInput when the page has no size or more than 14
/// 400 points on a side, and with kFailed when there is no memory for it. Throws
/// attention::WorkStopped when options.watch says so.
Expected<std::string> write_pdf(const Figure& figure, const WriteOptions& options);

/// The same of several pages, in order; the document's title is the first one's.
/// Precondition: there is a page.
Expected<std::string> write_pdf_pages(std::span<const Figure> pages, const WriteOptions& options);

}  // namespace lab::figure
