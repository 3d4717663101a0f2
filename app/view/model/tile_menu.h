#pragma once

#include "app/view/maps/model_heads.h"

namespace lab::view {

/// Opens the menu of a head on a right click on its tile.
void take_right_click(Ui& ui, const ModelHead& head, const Rect& tile);

/// Draws the menu of the head ModelState::menu below `tile`, while it is open. It is about all
/// selected heads if that is one of them.
void tile_menu(Ui& ui, const Rect& tile);

}  // namespace lab::view
