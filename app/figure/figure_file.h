#pragma once

#include <string>

#include "app/figure/compose/stage_figure.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The file that shows what `options` describe, in that format: the figure, or a page with every
/// stage of every head that opens with it. Fails with kUsage when this model has no such figure or
/// the format cannot hold it, with kBadInput when the page has a size that the format cannot have,
/// with kFailed when memory runs out.
Expected<std::string> figure_file(const Document& document, const attention::Trace& trace,
                                  const FigureOptions& options, const FigureFormat& format,
                                  const WriteOptions& writing, const Snapshot* kept = nullptr);

}  // namespace lab::figure
