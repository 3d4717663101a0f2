#pragma once

#include <functional>
#include <string>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/document/snapshot.h"
#include "app/figure/figure_file.h"

namespace lab::cli {

/// The bytes of a figure. Notes on standard error what it could not show: numbers that do not fit
/// into their cells, and differences of tokens that are in one sentence only. `kept` is what
/// --against names, null without it. Fails as figure::figure_file() does, and with kUsage when the
/// size that was asked for has no room for the figure.
Expected<std::string> export_figure(const figure::FigureFormat& format, const Document& document,
                                    const attention::Trace& trace,
                                    const figure::FigureOptions& figure,
                                    const figure::WriteOptions& writing, const Snapshot* kept);

/// Writes one file per stage and head, such as "scores-head-2.svg" or "output.svg", into `folder`,
/// which is created if necessary. `encode` returns the bytes of each file. Shows progress if
/// standard error is a terminal, otherwise one note at the end. Stops at the first failure.
Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const figure::StageOfHead& what)>& encode);

/// `session`, or, with a note on standard error, nothing when it is longer than a figure can carry.
std::string short_enough_to_embed(std::string session);

}  // namespace lab::cli
