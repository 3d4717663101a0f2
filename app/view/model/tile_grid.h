#pragma once

#include <optional>
#include <vector>

#include "app/view/model/tile_numbers.h"

namespace lab::view {

/// The arrangement of the tiles in pixels: a row per layer, a column per head.
struct TileGrid {
  attention::Index layers = 1, heads = 1;
  float width = 0, height = 0;  ///< of one tile
  float gap = 0;

  /// The width of all columns, in pixels, with a gap after the last.
  float whole_width() const { return static_cast<float>(heads) * (width + gap); }
  /// The height of all rows, with a gap below the last.
  float whole_height() const { return static_cast<float>(layers) * (height + gap); }
  /// All tiles of `layer`, likewise.
  Rect row_bounds(const Rect& area, attention::Index layer) const {
    return {area.x, area.y + static_cast<float>(layer) * (height + gap), whole_width() - gap,
            height};
  }
  /// The tile in that column of `layer`, in tiles whose top left corner is that of `area`.
  Rect tile_bounds(const Rect& area, attention::Index layer, attention::Index column) const {
    return {area.x + static_cast<float>(column) * (width + gap),
            area.y + static_cast<float>(layer) * (height + gap), width, height};
  }
};

/// The tiles of the shown sublayer where there are `width` pixels for a row of them.
/// They are as large as there is room, but not too small to see; the user's zoom enlarges them.
/// Precondition: a trained model is shown.
TileGrid arrange_tiles(const Ui& ui, float width);

/// The heads of `layer` in the order of their columns: by their numbers, the largest first and
/// unknown ones last, when the user sorts them and there are numbers; otherwise as they are
/// counted.
std::vector<attention::Index> columns_of(const Ui& ui, attention::Index layer,
                                         attention::Index heads,
                                         const std::optional<TileNumbers>& numbers);

}  // namespace lab::view
