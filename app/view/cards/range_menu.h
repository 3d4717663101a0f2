#pragma once

#include "app/view/maps/heat_map.h"

namespace lab::view {

/// The name of the popup in which the colour range of `stage` is chosen.
std::string range_menu_of(attention::Stage stage);

/// The menu of the colour range of `stage`, opened by a click on `bar`, its colour bar.
void range_menu(Ui& ui, const Rect& bar, attention::Stage stage);

}  // namespace lab::view
