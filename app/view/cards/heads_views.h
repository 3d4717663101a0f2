#pragma once

#include <string>

#include "app/view/maps/heat_map.h"

// The card of a stage when it shows several heads.

namespace lab::view {

/// True when the view of the heads shows several in the card of `stage`: side by side and as
/// differences every stage that heads have, otherwise the weights alone.
bool shows_heads_together(const Ui& ui, attention::Stage stage);
/// The text in place of the formula: "mean of 3 heads".
std::string heads_view_text(const Ui& ui);
/// The same in fewer letters: "mean: 1, 3".
std::string short_heads_view_text(const Ui& ui);
/// Draws the heads into `rect`, zoomed alike, and handles the pointer in them; `map` is the focused
/// head's map. Returns the pointer's input on that one, if it is among them, and the colour bar.
HeatMapInput heads_together(Ui& ui, const Rect& rect, const HeatMap& map);
/// The value of a cell of `stage` as text: "mean of 3 heads 0.3100", "head 1 0.7000 · head 2 0.1000
/// · difference 0.6000".
std::string heads_view_value(Ui& ui, attention::Stage stage, Cell cell);

}  // namespace lab::view
