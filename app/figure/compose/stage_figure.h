#pragma once

#include <optional>

#include "app/figure/figure.h"
#include "app/figure/figure_source.h"

namespace lab::figure {

class CommonLook;

/// Lays out the figure that `options` describe. Labels are thinned where they would collide. Throws
/// std::out_of_range when there is no such head or cell, no such stage in this model, or, for
/// kTwoStates, when nothing was kept or A and B have other shapes. `common` is for the figures of
/// an animation.
Figure stage_figure(const Document& document, const attention::Trace& trace,
                    const FigureOptions& options, const Snapshot* kept = nullptr,
                    CommonLook* common = nullptr);

/// How wide a picture may become for the numbers in its cells, in millimetres.
inline constexpr double kWidestForNumbers = 1000;

/// The least width, in whole millimetres from options.width_mm to `most_mm`, at which every map has
/// room for the numbers in its cells; nothing when there is none. A figure without maps has room.
std::optional<double> width_for_numbers(const Document& document, const attention::Trace& trace,
                                        FigureOptions options, double most_mm,
                                        const Snapshot* kept = nullptr);

}  // namespace lab::figure
