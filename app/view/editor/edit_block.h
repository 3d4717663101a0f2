#pragma once

#include <string>

#include "app/view/state/ui.h"

// Operations on the selected block of the matrix in the Edit card. Each is one undo step.

namespace lab::view {

/// The matrix in the Edit card: for per-head matrices that of the focused head, or of its key and
/// value head.
MatrixRef edited_matrix(const Ui& ui);

/// True when the document has such a matrix to edit now: biases, the second sentence's embeddings,
/// gamma and beta, and the table of positions only when they are switched on.
bool is_editable(const attention::Problem& problem, MatrixId id);

/// Shows the left column in place of whatever covers it.
void show_left_column(Ui& ui);
/// Shows the matrix `id` there, in the Edit card; a number being typed is committed if possible.
void show_matrix(Ui& ui, MatrixId id);

/// The matrix as the Edit card shows it, filled with ones or zeros when the document has none.
attention::SharedMatrix shown_matrix(Ui& ui, MatrixRef ref);

/// The selected block, within the matrix that is shown.
CellBlock selected_block(const Ui& ui);

/// The numbers of that block.
attention::Matrix block_numbers(const Ui& ui, const CellBlock& block);

/// The command that puts `values`, which have the block's size, into the edited matrix.
Command set_numbers(const Ui& ui, const CellBlock& block, attention::Matrix values);

/// Queues `command` as one step with that label, or reports why it is refused. True when queued.
bool queue_step(Ui& ui, const Command& command, StepLabel label = {});

/// Copies `numbers` to the clipboard as tab-separated text.
void copy_numbers(Ui& ui, const attention::Matrix& numbers);
/// Copies the selected block to the clipboard as tab-separated text.
void copy_block(Ui& ui);
/// The same, and clears the block.
void cut_block(Ui& ui);
/// Pastes the clipboard's numbers from the selected block's first cell on; repeats them when they
/// fit into the block a whole number of times, so that a single number fills it.
void paste_block(Ui& ui);
/// Sets the whole block to 0; in the mask, allows its pairs again.
void clear_block(Ui& ui);
/// Sets the whole block to `value`.
void fill_block(Ui& ui, float value);
/// Selects the whole matrix and gives it the keys.
void select_all(Ui& ui);

/// True when key presses go to the grid: it has the focus, and there is no text field, menu or
/// drag.
bool grid_has_keys(const Ui& ui);

}  // namespace lab::view
