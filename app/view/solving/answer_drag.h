#pragma once

#include "app/view/maps/heat_map.h"

namespace lab::view {

/// Handles dragging the answer in the map of a stage: with Alt any computed cell, without it the
/// one that the panel is open for; up is more, Shift fine, Ctrl coarse. Call it right after
/// heat_map(), and leave_field() first where a press begins. True when the pointer is taken.
bool drag_answer(Ui& ui, const HeatMap& map, const HeatMapInput& input);

/// True when a press at the pointer begins to drag the answer.
bool begins_answer(const Ui& ui, const HeatMap& map, const HeatMapInput& input);

/// The same on the line of a token in the list of the next ones, for its logit: right or up is
/// more. Call it right after click_area().
bool drag_logit(Ui& ui, const attention::network::Answer& answer);

}  // namespace lab::view
