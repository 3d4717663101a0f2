#pragma once

#include <string>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/document/snapshot.h"
#include "app/figure/figure_file.h"

namespace lab::cli {

/// The bytes of a figure. Notes on standard error what it could not show: numbers that do not fit
/// into their cells, and differences of words that are in one sentence only. `kept` is what
/// --against names, null without it. Fails as figure::figure_file() does, and with kUsage when the
/// size that was asked for has no room for the figure.
Expected<std::string> export_figure(const figure::FigureFormat& format, const Document& document,
                                    const attention::Trace& trace,
                                    const figure::FigureOptions& figure,
                                    const figure::WriteOptions& writing, const Snapshot* kept);

}  // namespace lab::cli
