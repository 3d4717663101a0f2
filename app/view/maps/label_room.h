#pragma once

#include "app/view/maps/heat_map.h"

namespace lab::view {

/// The pixels that the labels of a map take.
struct LabelRoom {
  float left = 0, below = 0;
};

/// Those of `map` drawn into a rectangle of the size of `rect`, so that maps side by side, of which
/// only some have labels, can be given cells of the same size.
LabelRoom label_room(Ui& ui, const Rect& rect, const HeatMap& map);

}  // namespace lab::view
