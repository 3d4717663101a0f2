#pragma once

#include "app/view/maps/heat_map.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// True when the selected row of the selected stage can be taken from state A: B is edited, and A
/// has the words of that row and of all its columns, or is a trained model with as many tokens.
bool can_take_row(const Ui& ui);

/// Patches that row: overrides its numbers in B with those of A, in one undo step. Where the stage
/// shows embeddings, these are edited. Does nothing unless can_take_row().
void take_row_from_a(Ui& ui);

/// While A is shown, a row of the map that was just drawn can be dragged to the button B of the
/// compare bar: that patches it, as take_row_from_a() does, and shows B.
void drag_row_to_b(Ui& ui, const HeatMap& map, const HeatMapInput& input);

}  // namespace lab::view
