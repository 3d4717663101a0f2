#pragma once

#include "app/view/maps/heat_map.h"

namespace lab::view {

/// The space at the right of a map for its colour bar and the numbers of that, in points.
inline constexpr float kBarSpace = 42;

/// Draws the colour bar of `map` at the right of `plot`, where its cells are: the colours from the
/// lower to the upper end of `range`, numbers beside them, and below them what the bar cannot show
/// (the note on the range, and the marks for −∞, ∞ and NaN that occur).
void draw_colour_bar(Ui& ui, Rect plot, const HeatMap& map, const figure::Range& range);

}  // namespace lab::view
