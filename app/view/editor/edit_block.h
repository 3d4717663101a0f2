#pragma once

#include <string>

#include "app/view/state/ui.h"

// What can be done with the selected block of the matrix in the Edit card. Each is one undo step.

namespace lab::view {

/// The matrix in the Edit card: that of the focused head, or of the key and value head that serves
/// it, where each has its own.
MatrixRef edited_matrix(const Ui& ui);

/// True when the document has such a matrix to edit now: biases, the second sentence's embeddings,
/// gamma and beta, and the table of positions are there when they are switched on.
bool is_editable(const attention::Problem& problem, MatrixId id);

/// Brings the left column on screen, whatever stands in its place.
void show_left_column(Ui& ui);
/// Shows the matrix `id` there, in the Edit card; what is being typed is kept when it can be.
void show_matrix(Ui& ui, MatrixId id);

/// The matrix as the Edit card shows it, of ones or zeros where the document has none.
attention::SharedMatrix shown_matrix(Ui& ui, MatrixRef ref);

/// The selected block, within the matrix that is shown.
CellBlock selected_block(const Ui& ui);

/// The numbers of that block.
attention::Matrix block_numbers(const Ui& ui, const CellBlock& block);

/// The command that puts `values`, which have the block's size, into the edited matrix.
Command set_numbers(const Ui& ui, const CellBlock& block, attention::Matrix values);

/// Asks for `command` as one step called `label`, or says why it is refused. True when it is not.
bool queue_step(Ui& ui, const Command& command, const std::string& label);

/// `numbers` to the clipboard, as tab-separated text.
void copy_numbers(Ui& ui, const attention::Matrix& numbers);
/// The selected block to the clipboard, as tab-separated text.
void copy_block(Ui& ui);
/// The same, and the block is cleared.
void cut_block(Ui& ui);
/// The clipboard's numbers from the selected block's first cell on; repeated as often as they go
/// into it without rest, so that a single number fills it.
void paste_block(Ui& ui);
/// 0 in the whole block; the mask allows its pairs again.
void clear_block(Ui& ui);
/// `value` in the whole block.
void fill_block(Ui& ui, float value);
/// Selects the whole matrix and gives it the keys.
void select_all(Ui& ui);

/// True when keys that are pressed go to the grid: it has the focus, and no text, menu or drag is
/// in the way.
bool grid_has_keys(const Ui& ui);

}  // namespace lab::view
