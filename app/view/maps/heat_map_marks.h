#pragma once

#include <span>

#include "app/view/maps/heat_map.h"

namespace lab::view {

/// Outlines highlighted cells in a [rows × cols] map drawn in `whole`.
void draw_highlight(Ui& ui, const Rect& whole, attention::Shape shape,
                    std::span<const CellBlock> boxes);

/// Draws the pinned, block-selected and highlighted cells of a map whose cells fill `whole`.
void draw_reading_marks(Ui& ui, const Rect& whole, const HeatMap& map);

/// Draws the corners of overridden cells.
void draw_overrides(Ui& ui, const Rect& whole, const HeatMap& map);

}  // namespace lab::view
