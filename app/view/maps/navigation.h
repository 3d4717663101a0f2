#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/view/state/ui.h"

// What is lit, what is pinned, and the trail of cells that were looked at.

namespace lab::view {

/// A step of the frame (main_view.cpp), before the panels: shows what the pointer lit in the last
/// one, notes where the user is, and forgets pins and blocks that are no longer there.
void begin_reading(Ui& ui);

/// The cell as explanations name it, of the focused head.
attention::CellRef cell_ref(const Ui& ui, attention::Stage stage, Cell cell);
/// The selected cell.
attention::CellRef selected_ref(const Ui& ui);
/// The shape of what `cell` is in; 0 × 0 when there is no such matrix.
attention::Shape shape_around(const Ui& ui, const attention::CellRef& cell);
/// True when its matrix has that cell.
bool is_there(const Ui& ui, const attention::CellRef& cell);

/// The pointer is on `cell`: in the next frame its sources are lit, or what it goes into.
void point_at(Ui& ui, const attention::CellRef& cell);
/// The pointer is on a number that stands for `cell`: that itself is lit.
void light_cell(Ui& ui, const attention::CellRef& cell);
/// The pointer is on the chip of query `token`: its rows are lit.
void light_token(Ui& ui, attention::Index token);
/// The pointer is on the chip of key `token` of the second sentence: its rows and column are lit.
void light_key(Ui& ui, attention::Index token);

/// The cells of the shown map of `stage` that are lit; those of a stage without a card of its own
/// are shown by the card before it.
std::vector<CellBlock> lit_boxes(const Ui& ui, attention::Stage stage);
/// The cells of an editable matrix that are lit.
std::vector<CellBlock> lit_boxes(const Ui& ui, MatrixRef ref);

/// What explain() calls the numbers of an edited matrix; empty for the mask, whose numbers are no
/// operands.
std::string_view operand_name(MatrixId id);
/// The matrix of the Edit card that holds the numbers of that name, as explain() calls them.
std::optional<MatrixId> matrix_of_operand(std::string_view name);
/// Notes that `cell` is looked at now; what lay ahead on the trail is forgotten.
void add_visit(Ui& ui, const attention::CellRef& cell);

/// Pins `cell`, or unpins it when it is pinned.
void toggle_pin(Ui& ui, const attention::CellRef& cell);

}  // namespace lab::view
