#pragma once

#include <vector>

#include "app/figure/figure.h"

namespace lab::figure {

/// What a cell shows.
enum class CellLook { kColour, kMinusInfinity, kNotANumber };

/// Neighbours in one row of a map that look the same, as one rectangle, in points.
struct CellRun {
  double x = 0, y = 0, width = 0, height = 0;
  CellLook look = CellLook::kColour;
  Rgb colour;  ///< of the fill, below hatching and crosses too
};

/// The cells of `map` as rectangles, row by row. Cells with gaps between them, and those that are
/// no number, stand alone. Where a gap would take more than a quarter of a cell, there is none.
std::vector<CellRun> cell_runs(const shape::HeatMap& map);

/// True when there is no gap between the cells of `map`.
bool cells_touch(const shape::HeatMap& map);

/// The strokes of the cross on a cell that is no number: two lines, each from its first point to
/// its second. None where the cell is too small.
std::vector<shape::Point> cross_of(const CellRun& cell);

/// The line width of crosses, in points.
inline constexpr double kCrossLine = 0.5;

/// The distance between the lines of the hatching along a row, and their width along it, in points.
/// They rise from left to right, at 45 degrees.
inline constexpr double kHatchDistance = 2.4, kHatchLine = 0.48;

}  // namespace lab::figure
