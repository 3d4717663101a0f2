#pragma once

#include <cmath>
#include <vector>

#include "app/figure/figure.h"

namespace lab::figure {

/// True for −∞, the value of a masked score, which is hatched.
inline bool is_minus_infinity(float value) { return std::isinf(value) && value < 0; }

/// How a cell is drawn.
enum class CellLook { kColour, kMinusInfinity, kNotANumber };

/// Adjacent cells of one row that are drawn alike, as one rectangle in points.
struct CellRun {
  double x = 0, y = 0, width = 0, height = 0;
  CellLook look = CellLook::kColour;
  Rgb colour;  ///< of the fill, below hatching and crosses too
};

/// The cells of `map` as rectangles, row by row. Cells with gaps between them, and cells that are
/// not finite, are not merged. There is no gap where it would take more than a quarter of a cell.
std::vector<CellRun> cell_runs(const shape::HeatMap& map);

/// True when there is no gap between the cells of `map`.
bool cells_touch(const shape::HeatMap& map);

/// The strokes of the cross on a NaN cell: two lines, each from its first point to its second.
/// Empty when the cell is too small.
std::vector<shape::Point> cross_of(const CellRun& cell);

/// The line width of crosses, in points.
inline constexpr double kCrossLine = 0.5;

/// The distance between the lines of the hatching along a row, and their width along it, in points.
/// The lines rise from left to right at 45 degrees.
inline constexpr double kHatchDistance = 2.4, kHatchLine = 0.48;

}  // namespace lab::figure
