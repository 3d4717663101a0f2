#pragma once

#include "app/view/model/tile_grid.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// The buttons in the heading of the card of all heads, as many as `row` has room for, the others
/// in a menu: whose heads, what the tiles show, and at the right end their order and size.
void tile_choices(Ui& ui, Rect row);

/// The width in pixels that the tiles of state A take of a card that is `width` wide; 0 while there
/// is no A from which heads can be patched (see model_of_a).
float tiles_of_a_width(const Ui& ui, float width);

/// Draws the attention of all heads in A, in `area`, arranged as those of B, whose tiles are in `b`
/// and were scrolled by `scrolled` pixels. A tile that is dragged there, or all of a layer by its
/// name, is patched: the heads write in B what they write in A.
void tiles_of_a(Ui& ui, const Rect& area, const Rect& b, float scrolled);

}  // namespace lab::view
