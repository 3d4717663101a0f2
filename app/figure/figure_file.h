#pragma once

#include <string>

#include "app/figure/compose/stage_figure.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The file that shows what `options` describe, in that format: the figure, or a page with every
/// stage of every head that shows it first. Fails with kUsage when there is no such figure of this
/// model or it has a size that no picture can have, with kFailed when memory is short.
Expected<std::string> figure_file(const Document& document, const attention::Trace& trace,
                                   const FigureOptions& options, const FigureFormat& format,
                                   const WriteOptions& writing, const Snapshot* kept = nullptr);

}  // namespace lab::figure
