#pragma once

#include <vector>

#include "app/view/imgui_compat.h"
#include "app/view/ui.h"

// Numbers that are put in place of what a stage computes, typed over the selected cell.

namespace lab {

/// True when the selected cell can be overridden: it is computed, not an input.
bool can_override(const Ui& ui);
/// True when the selected cell is overridden.
bool is_overridden(const Ui& ui);
/// The overridden cells of `stage` as the focused head has them.
std::vector<Cell> overridden_cells(const Ui& ui, attention::Stage stage);

/// Gives the keys to the selected cell: a number that is typed overrides it.
void give_keys_to_stage(Ui& ui);
/// Takes the keys of the selected cell, where it has them; once a frame, before the cards.
void take_override_keys(Ui& ui);

/// True for the keys that a number begins with while the selected cell has the keys.
bool belongs_to_override(const ViewState& state, Key key);

/// Opens the text field over the selected cell with its number.
void start_override(Ui& ui);
/// Lets the selected cell be computed again.
void remove_override(Ui& ui);
/// Lets every cell be computed again.
void clear_overrides(Ui& ui);
/// True when there is any.
bool has_overrides(const Ui& ui);

/// Draws the open text field in the map of `stage`, whose cells stand in `plot`.
void override_field(Ui& ui, const Rect& plot, attention::Stage stage, attention::Shape shape);

}  // namespace lab
