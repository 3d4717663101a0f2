#pragma once

#include <string>
#include <vector>

#include "app/view/state/ui.h"

// Drag the answer: a computed cell is given another value by the smallest change of what is free.

namespace lab::view {

/// True when a cell can be given another value: the edited state is shown.
bool can_drag_answer(const Ui& ui);
/// Opens the panel for the selected cell, or says that it is not computed.
void open_answer(Ui& ui);
/// True when the logits of a trained model can be given other values: they are known, and the
/// edited state is shown.
bool can_drag_logit(const Ui& ui);
/// Opens the panel for a logit of the model, by a change of the layer that is shown.
void open_logit(Ui& ui, const attention::network::Answer& answer);
/// The same for the answer that the other numbers are about.
void open_asked_logit(Ui& ui);
/// Closes it; the changes that were made stay.
void close_answer(Ui& ui);
/// True while the panel is open for that cell.
bool is_answer(const Ui& ui, const StageCell& cell);

/// The present value of the target; of a logit, of the last one that is known.
float answer_value(const Ui& ui);

/// Begins to search from the document as it is; says in SolveState::problem why it cannot. True
/// when it can.
bool begin_answer(Ui& ui, float value);
/// The change for `value` is shown without being a step yet, as while the target is dragged.
void preview_answer(Ui& ui, float value);
/// The change for the value asked for last becomes one step as soon as it is found, or what is
/// found after three seconds; until then SolveState::finishing is set.
void commit_answer(Ui& ui);
/// The same for a number that was typed. False, with ui.state.error or SolveState::problem set,
/// when it cannot be tried.
bool set_answer(Ui& ui, const std::string& text);
/// Makes the step of a value that was typed or dragged now. False when it is refused; see
/// commit_pending().
bool commit_pending_answer(Ui& ui);
/// A step of the frame (main_view.cpp), before the panels: shows what a search has found meanwhile.
void follow_answer(Ui& ui);
/// True while a search is going on whose finds are to be shown.
bool awaits_answer(const SolveState& solve);

/// The matrices that the target is computed from and that can be free.
std::vector<MatrixId> possible_free(const Ui& ui);
/// The changed cells of an editable matrix, while the document has those numbers and the panel is
/// open.
std::vector<Cell> answer_changes(const Ui& ui, MatrixRef ref);
/// True when the document still has the numbers that the last search found.
bool has_answer(const Ui& ui);

}  // namespace lab::view
