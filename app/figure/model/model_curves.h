#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/figure_options.h"
#include "app/figure/model/model_caption.h"

// Numbers over the steps of a training, as lines.

namespace lab::figure {

/// One line.
struct ModelCurve {
  std::string name;           ///< in the table of numbers
  std::string label;          ///< at its right end; empty: none, and a faint line
  std::vector<int> steps;     ///< ascending
  std::vector<float> values;  ///< as many; what is not finite is left out
  bool accent = false;        ///< the focused head
  bool muted = false;         ///< grey: what is no head
};

/// A figure of lines over steps.
struct ModelCurves {
  ModelCaption caption;
  std::string title;
  float low = 0, high = 1;  ///< the numbers at the lower and upper edge
  int last = 1;             ///< the step at the right edge; the left edge is 0
  std::vector<ModelCurve> curves;
  std::optional<int> marked;  ///< a step with a line across,
  std::string mark;           ///< and what happened there
};

/// The figure of `curves`. Of the options only those about the look count: size, letters, title.
Figure model_curves_figure(const ModelCurves& curves, const FigureOptions& options);

/// The levels that the axis of values marks, from the lower to the upper edge.
inline constexpr int kLevels = 4;
/// The value at such a level, from 0, and the text beside it: with as many decimals as tell the
/// levels apart.
float level_value(const ModelCurves& curves, int level);
/// That value with 1 to 5 decimals.
std::string level_text(const ModelCurves& curves, int level);
/// The last value of a curve that is finite; NaN without any.
float last_finite(const ModelCurve& curve);

/// The values of a curve at at most `count` steps: the mean of those between two of them.
std::vector<shape::Point> thinned(const ModelCurve& curve, int last, int count);

/// A distance between labelled steps such that there are at most `most`: 1, 2 or 5 times a power of
/// ten.
int step_distance(int last, int most);

/// The heights of labels that should be at `preferred`, in any order, pushed apart to at least
/// `distance` between `top` and `bottom`.
std::vector<double> spread_labels(std::vector<double> preferred, double distance, double top,
                                  double bottom);

}  // namespace lab::figure
