#pragma once

#include "app/view/maps/model_heads.h"
#include "app/view/model/tile_maps.h"
#include "app/view/model/tile_numbers.h"

namespace lab::view {

/// What a tile shows: its part of the maps of all heads.
struct Tile {
  HeadRef head;
  Rect rect;
};

/// Where the content of tiles comes from.
struct TileContent {
  const HeadMaps& maps;
  std::optional<TileNumbers> numbers;  ///< shown in their place
};

/// Draws what stands in place of the tiles of a layer without heads: that it is a convolution.
void draw_convolution(Ui& ui, const Rect& rect, attention::Index layer);

/// Hatches the tile of a head that is not active.
void hatch_tile(Ui& ui, const Rect& rect);

/// Draws the head's part of the maps alone.
void draw_map_of_tile(Ui& ui, const Tile& tile, const TileContent& content);

/// Draws the tile of a head with its marks, and handles the pointer: a click puts the head under
/// the microscope, with Ctrl or Shift it selects the tile besides.
void draw_tile(Ui& ui, const Tile& tile, const TileContent& content);

}  // namespace lab::view
