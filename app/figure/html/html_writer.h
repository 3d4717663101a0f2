#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_source.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The longest page in bytes: about 12 million numbers, for example 512 tokens and 10 heads.
inline constexpr std::size_t kLongestPage = 64'000'000;

/// A self-contained HTML page: every number of every stage and head bit for bit, with maps, a
/// table, and the keys and words that readers without a mouse or a screen need. Its
/// Content-Security-Policy keeps it from fetching anything.
///
/// It opens with what the options describe, and its reader can change all of it: two heads and,
/// only for kTwoStates, the two states with their difference; lines and arithmetic are a figure
/// above the maps. A stage that is not among pipeline_stages is replaced by the nearest one before
/// it. The theme is dark, or that of the system of the reader. Embeds options.session.
///
/// Fails with kBadInput, before memory is allocated, when the page would be longer than
/// kLongestPage. Throws std::out_of_range as stage_figure does.
Expected<std::string> write_html(const FigureSource& source, const WriteOptions& options);

}  // namespace lab::figure
