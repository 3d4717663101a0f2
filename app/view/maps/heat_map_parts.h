#pragma once

#include <span>

#include "app/view/maps/heat_map.h"

// What is drawn over and beside the cells of a heat map.

namespace lab::view {

/// Outlines highlighted cells in a [rows × cols] map drawn in `whole`.
void draw_highlight(Ui& ui, const Rect& whole, attention::Shape shape,
                    std::span<const CellBlock> boxes);

/// Draws the pinned, block-selected and highlighted cells of a map whose cells fill `whole`.
void draw_reading_marks(Ui& ui, const Rect& whole, const HeatMap& map);

/// Draws the corners of overridden cells.
void draw_overrides(Ui& ui, const Rect& whole, const HeatMap& map);

/// The space at the right of a map for its colour bar and the numbers of that, in points.
inline constexpr float kBarSpace = 42;

/// Draws the colour bar of `map` at the right of `plot`, where its cells are: the colours from the
/// lower to the upper end of `range`, numbers beside them, and below them what the bar cannot show
/// (the note on the range, and the marks for −∞, ∞ and NaN that occur).
void draw_colour_bar(Ui& ui, Rect plot, const HeatMap& map, const figure::Range& range);

/// The pixels that the labels of a map take.
struct LabelRoom {
  float left = 0, below = 0;
};

/// Those of `map` drawn into a rectangle of the size of `rect`, so that maps side by side, of which
/// only some have labels, can be given cells of the same size.
LabelRoom label_room(Ui& ui, const Rect& rect, const HeatMap& map);

}  // namespace lab::view
