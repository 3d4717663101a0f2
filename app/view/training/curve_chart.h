#pragma once

#include <cstddef>
#include <optional>

#include "app/figure/model/model_curves.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// What was done to a chart in this frame.
struct ChartUse {
  std::optional<int> step;          ///< the step that is looked at is dragged there
  bool held = false;                ///< its handle is held
  std::optional<std::size_t> line;  ///< the label of that line was clicked
};

/// Draws curves as their figure does, with a handle at the step that is looked at. The widget of a
/// line's label is "curve/NAME", that of the handle "curves/scrub".
ChartUse curve_chart(Ui& ui, const Rect& rect, const figure::ModelCurves& curves, int at);

}  // namespace lab::view
