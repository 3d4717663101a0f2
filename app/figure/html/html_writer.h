#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_source.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The longest page in bytes: some 12 million numbers, as of 512 tokens and 10 heads.
inline constexpr std::size_t kLongestPage = 64'000'000;

/// One page of HTML that needs nothing else: every number of every stage and head bit for bit, with
/// maps, a table, and the keys and words that a reader without a mouse or a screen needs. It
/// fetches nothing, which its Content-Security-Policy makes sure of.
///
/// It opens with what the options describe, and its reader can change all of it: two heads and, of
/// kTwoStates alone, the two states with their difference; lines and arithmetic as a figure above
/// the maps. A stage that is not among pipeline_stages gives way to the nearest one before it. The
/// look is dark, or what the reader's system has. Carries options.session.
///
/// Fails with kBadInput, before memory is taken for it, when the page would be longer than
/// kLongestPage. Throws std::out_of_range as stage_figure does.
Expected<std::string> write_html(const FigureSource& source, const WriteOptions& options);

}  // namespace lab::figure
