#pragma once

#include <span>

#include "app/view/maps/heat_map.h"

namespace lab::view {

/// Outlines cells that are lit in a [rows × cols] map drawn in `whole`.
void draw_lit(Ui& ui, const Rect& whole, attention::Shape shape, std::span<const CellBlock> boxes);

/// Draws what is pinned, selected as a block, and lit in a map whose cells would all be in `whole`.
void draw_reading_marks(Ui& ui, const Rect& whole, const HeatMap& map);

/// Draws what the colour bar of `map` cannot show, under it: the note on its range, and the marks
/// for −∞, ∞ and NaN where there are any. Takes its room from the bottom of `plot`.
void draw_legend(Ui& ui, Rect& plot, const HeatMap& map);

/// Draws the corners of the cells that hold a number put there by hand.
void draw_overrides(Ui& ui, const Rect& whole, const HeatMap& map);

}  // namespace lab::view
