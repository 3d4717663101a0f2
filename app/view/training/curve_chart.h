#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/view/state/ui.h"

namespace lab::view {

/// A line of a chart: a number at each of some steps, which ascend.
struct ChartLine {
  std::string id;     ///< its widget is "curve/ID"
  std::string label;  ///< at the right end
  std::span<const int> steps;
  std::span<const float> values;  ///< as many as steps; what is not finite is left out
  figure::Rgb colour;
  bool strong = false;  ///< thicker, above the others
};

/// Lines over the steps of a training.
struct Chart {
  int last = 1;             ///< the step at the right edge; the left edge is 0
  float low = 0, high = 1;  ///< the numbers at the lower and upper edge
  std::vector<ChartLine> lines;
  int at = 0;                      ///< the step that is looked at
  std::optional<int> marked = {};  ///< a step with a mark,
  std::string mark = {};           ///< and what happened there
};

/// What was done to a chart in this frame.
struct ChartUse {
  std::optional<int> step;          ///< the step that is looked at is dragged there
  bool held = false;                ///< its handle is held
  std::optional<std::size_t> line;  ///< the label of that line was clicked
};

/// Draws a chart with its axes; the step that is looked at is a vertical line with a handle, which
/// is dragged, or moved with the arrow keys while it has the keyboard.
ChartUse curve_chart(Ui& ui, const Rect& rect, const Chart& chart);

/// The mean of the finite values of the line in each of `columns` parts of 0 … `last`; NaN where
/// there are none.
std::vector<float> column_means(const ChartLine& line, int last, int columns);

/// A step between two labels of an axis that ends at `last`: 1, 2 or 5 times a power of ten, at
/// least 1, such that there are at most `most` labels.
int tick_distance(int last, int most);

}  // namespace lab::view
