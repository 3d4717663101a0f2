#pragma once

#include <optional>

#include "app/figure/figure.h"
#include "app/figure/figure_source.h"

namespace lab::figure {

class CommonLook;

/// Lays out the figure that `options` describe. Labels are thinned where they would overlap. Throws
/// std::out_of_range when there is no such head or cell, no such stage in this model, or, for
/// kTwoStates, no kept state or one of other shapes. `common` is used for the figures of an
/// animation.
Figure stage_figure(const Document& document, const attention::Trace& trace,
                    const FigureOptions& options, const Snapshot* kept = nullptr,
                    CommonLook* common = nullptr);

/// The largest width that is tried to make room for numbers in cells, in millimetres.
inline constexpr double kWidestForNumbers = 1000;

/// The smallest width, in whole millimetres from options.width_mm to `most_mm`, at which every map
/// has room for the numbers in its cells; nothing when there is none. A figure without maps always
/// has room.
std::optional<double> width_for_numbers(const Document& document, const attention::Trace& trace,
                                        FigureOptions options, double most_mm,
                                        const Snapshot* kept = nullptr);

/// The largest font size, in whole points below options.font_size, at which every map has room for
/// the numbers in its cells on the page as it is; nothing when there is none.
std::optional<double> font_size_for_numbers(const Document& document, const attention::Trace& trace,
                                            FigureOptions options, const Snapshot* kept = nullptr);

}  // namespace lab::figure
