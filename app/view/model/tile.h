#pragma once

#include "app/view/maps/model_heads.h"
#include "app/view/model/tile_maps.h"

namespace lab::view {

/// What a tile shows: its part of the maps of all heads.
struct Tile {
  ModelHead head;
  Rect rect;
};

/// Draws the tile of a head with its marks, and handles the pointer: a click puts the head under
/// the microscope, with Ctrl or Shift it selects the tile besides.
void draw_tile(Ui& ui, const Tile& tile, const TileMaps& maps,
               const attention::SharedMatrix& weights);

}  // namespace lab::view
