#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view/solving/answer_run.h"
#include "app/view/state/ui.h"

// Drag the answer: a computed cell is given another value by the smallest change of what is free.

namespace lab::view {

/// True when the selected cell can be given another value: it is computed, and the edited state is
/// shown.
bool can_drag_answer(const Ui& ui);
/// Opens the panel for the selected cell.
void open_answer(Ui& ui);
/// Closes it; the changes that were made stay.
void close_answer(Ui& ui);
/// True while the panel is open for that cell.
bool is_answer(const Ui& ui, const StageCell& cell);

/// The present value of the cell.
float answer_value(const Ui& ui);

/// Begins to search from the document as it is; says in SolveState::problem why it cannot. True
/// when it can.
bool begin_answer(Ui& ui, float value);
/// The change for `value` is shown without being a step yet, as while the cell is dragged.
void preview_answer(Ui& ui, float value);
/// The change for the value asked for last becomes one step.
void commit_answer(Ui& ui);
/// The same at once, for a number that was typed. False, with ui.state.error or
/// SolveState::problem set, when it cannot be tried.
bool set_answer(Ui& ui, const std::string& text);
/// False when there is no answer being typed or it is refused; see commit_pending().
bool commit_typed_answer(Ui& ui);

/// The matrices that the cell is computed from and that can be free.
std::vector<MatrixId> possible_free(const Ui& ui);
/// The changed cells of an editable matrix, while the document has those numbers and the panel is
/// open.
std::vector<Cell> answer_changes(const Ui& ui, MatrixRef ref);
/// True when the document still has the numbers that the last search found.
bool has_answer(const Ui& ui);

}  // namespace lab::view
