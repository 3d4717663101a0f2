#pragma once

#include "app/view/maps/heat_map.h"

// The labels of a map's rows and columns.

namespace lab::view {

/// Where the cells of a map are: the visible part and the whole, which differ when it is zoomed.
struct MapPlot {
  Rect visible, whole;
  attention::Shape shape;

  /// Where a cell is, which a zoomed map may have outside `visible`.
  Rect cell(Cell at) const { return cell_rect(whole, shape, at); }
  /// False for a cell that is cut off at the edge.
  bool shows_whole(Cell at) const;
  /// The cell at the top left of what is visible.
  Cell first() const { return cell_at(whole, shape, visible.min()); }
  /// The cell at the bottom right of what is visible.
  Cell last() const { return cell_at(whole, shape, {visible.right() - 1, visible.bottom() - 1}); }
};

/// The place of `map` whose visible cells are drawn in `visible`.
MapPlot plot_of(const Rect& visible, const HeatMap& map);

/// The size and number of labels that fit around a map.
struct MapLabels {
  float row_points = 11;
  float pitch = 0;  ///< width of a column
  attention::Index row_stride = 1, col_stride = 1;
  float row_width = 0;   ///< at the left of the plot
  float col_height = 0;  ///< below the plot
  bool tilted = false;   ///< those of columns
};

/// The labels of `map` in `rect`. Long ones end in …, so that the cells keep most of the room.
MapLabels arrange_labels(Ui& ui, const Rect& rect, const HeatMap& map);

/// Draws them. A tooltip shows a label whole that is too long, when the pointer is on it.
void draw_map_labels(Ui& ui, const MapPlot& plot, const HeatMap& map, const MapLabels& labels);

/// The height of tilted labels whose widest is `widest` wide, of one line of `line` pixels.
float tilted_height(Ui& ui, float widest, float line);

/// Draws a label that ends below the middle of `cell`, just under `bottom`, and rises towards it;
/// `room` is the height that it has. Returns true when it had to be shortened.
bool draw_tilted_label(Ui& ui, const Rect& cell, float bottom, const std::string& text,
                       float points, float room, figure::Rgb colour);

}  // namespace lab::view
