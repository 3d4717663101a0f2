#pragma once

#include <string>

#include "app/view/maps/heat_map.h"

// The card of the weights when it shows several heads.

namespace lab::view {

/// True when the view of the heads shows several.
bool shows_heads_together(const Ui& ui);
/// The text in place of the formula: "mean of 3 heads".
std::string weights_view_text(const Ui& ui);
/// The same in fewer letters: "mean: 1, 3".
std::string short_weights_view_text(const Ui& ui);
/// Draws the heads into `rect`; `map` is the focused head's map. Returns the pointer's input.
HeatMapInput heads_together(Ui& ui, const Rect& rect, HeatMap map);
/// The value of a cell as text: "mean of 3 heads 0.3100", "head 1 0.7000 · head 2 0.1000 ·
/// difference 0.6000".
std::string weights_view_value(Ui& ui, Cell cell);

}  // namespace lab::view
