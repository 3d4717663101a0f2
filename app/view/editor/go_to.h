#pragma once

#include "app/view/state/ui.h"

// From cell to cell: by a link, and back along the trail.

namespace lab::view {

/// Selects a cell of a stage, or puts the Edit card's cursor on a cell of an embedding or a
/// parameter.
void go_to(Ui& ui, const attention::CellRef& cell);
/// True when go_to has a place for it: numbers that stand in no matrix have none.
bool can_go_to(const Ui& ui, const attention::CellRef& cell);

/// True when there is something before or after the cell that is looked at.
bool can_go_back(const Ui& ui);
bool can_go_forward(const Ui& ui);
/// Goes one step along the trail; nothing at its end.
void go_back(Ui& ui);
void go_forward(Ui& ui);

}  // namespace lab::view
