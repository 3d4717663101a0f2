#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The buttons in the heading of the card of all heads, as many as `row` has room for, the others
/// in a menu: whose heads, what the tiles show, and at the right end their order and size.
void tile_choices(Ui& ui, Rect row);

}  // namespace lab::view
