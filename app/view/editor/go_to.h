#pragma once

#include "app/view/state/ui.h"

// Moving from cell to cell: by links, and back and forward along the trail.

namespace lab::view {

/// Selects a cell of a stage, or puts the Edit card's cursor on a cell of an embedding or a
/// parameter.
void go_to(Ui& ui, const attention::CellRef& cell);
/// True when go_to can show it: numbers that belong to no matrix cannot be shown.
bool can_go_to(const Ui& ui, const attention::CellRef& cell);

/// True when there is a cell before or after the current one on the trail.
bool can_go_back(const Ui& ui);
/// True when there is one after it.
bool can_go_forward(const Ui& ui);
/// Goes one step along the trail; does nothing at its end.
void go_back(Ui& ui);
/// Goes one step forward on the trail; does nothing at its end.
void go_forward(Ui& ui);

}  // namespace lab::view
