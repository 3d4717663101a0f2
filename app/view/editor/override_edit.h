#pragma once

#include <optional>
#include <vector>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// Numbers that are typed over the selected cell of a stage: they are put in place of what it
// computes, or, where it computes nothing, into the embeddings it shows.

namespace lab::view {

/// True when a number can be typed over the selected cell: what is shown is what is edited.
bool can_override(const Ui& ui);
/// The embeddings that `stage` shows as they are, so that typing edits them; nothing where it
/// computes something, which typing overrides.
std::optional<MatrixId> input_of(const attention::Problem& problem, attention::Stage stage);
/// What a number that is typed over `cell` asks for.
Command type_over(const Ui& ui, const StageCell& cell, float value);
/// True when the selected cell is overridden.
bool is_overridden(const Ui& ui);
/// The overridden cells of `stage` as the focused head has them.
std::vector<Cell> overridden_cells(const Ui& ui, attention::Stage stage);

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

}  // namespace lab::view
