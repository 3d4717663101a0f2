#pragma once

#include <optional>
#include <vector>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// Numbers typed over the selected cell of a stage: they override what it computes, or edit the
// embeddings if it only shows those. Only Enter, F2 or a double click opens the field.

namespace lab::view {

/// True when a number can be typed over the selected cell: the edited state is shown.
bool can_override(const Ui& ui);
/// The embeddings that `stage` shows unchanged, so that typing edits them; nothing when it computes
/// something, which typing overrides.
std::optional<MatrixId> input_of(const attention::Problem& problem, attention::Stage stage);
/// The command for a number typed over `cell`.
Command type_over(const Ui& ui, const StageCell& cell, float value);
/// True when the selected cell is overridden.
bool is_overridden(const Ui& ui);
/// The overridden cells of `stage` in the focused head.
std::vector<Cell> overridden_cells(const Ui& ui, attention::Stage stage);

/// Handles the keys of the selected cell if it has the focus; once per frame, before the cards.
void handle_override_keys(Ui& ui);

/// Opens the text field over the selected cell, containing its number.
void start_override(Ui& ui);
/// Removes the override of the selected cell.
void remove_override(Ui& ui);
/// The overrides of the shown layer, without the numbers of patched heads of a trained model: a
/// patch is one edit.
std::vector<attention::Override> listed_overrides(const Ui& ui);
/// Removes these, in one undo step.
void clear_overrides(Ui& ui);
/// True when there is any.
bool has_overrides(const Ui& ui);

/// A button with the number of overrides, if there are any, that opens their list; it is cut off
/// the right of `rect`.
void overrides_button(Ui& ui, Rect& rect);

/// Draws the open text field in the map of `stage`, whose cells fill `plot`.
void override_field(Ui& ui, const Rect& plot, attention::Stage stage, attention::Shape shape);

}  // namespace lab::view
