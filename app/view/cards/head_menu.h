#pragma once

#include "app/view/maps/model_heads.h"

// What the thumbnails of a layer made by hand and the tiles of a trained model have in common.

namespace lab::view {

/// Opens the menu of a head on a right click on its thumbnail or tile.
void take_right_click(Ui& ui, const HeadRef& head, const Rect& bounds);

/// Draws the menu of the head HeadsState::menu below `bounds`, while it is open. It is about all
/// selected heads if that is one of them.
void head_menu(Ui& ui, const Rect& bounds);

/// Draws on the map of a head at `rect` what is known of it: a corner where its numbers are
/// overridden or patched, a dot where the user marked it.
void draw_head_marks(Ui& ui, const Rect& rect, const HeadRef& head);

}  // namespace lab::view
