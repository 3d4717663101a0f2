#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/view/state/ui.h"

// Highlighting, pins, and the trail of visited cells.

namespace lab::view {

/// A step of the frame (main_view.cpp), before the panels: shows what the pointer highlighted in
/// the last one, records the current cell, detaches pins whose cell does not exist and discards a
/// block that does not.
void begin_reading(Ui& ui);

/// The cell of the focused head, as named in explanations.
attention::CellRef cell_ref(const Ui& ui, attention::Stage stage, Cell cell);
/// The selected cell.
attention::CellRef selected_ref(const Ui& ui);
/// The shape of the matrix of `cell`; 0 × 0 when there is no such matrix.
attention::Shape shape_around(const Ui& ui, const attention::CellRef& cell);
/// True when the cell exists.
bool cell_exists(const Ui& ui, const attention::CellRef& cell);

/// The pointer is on `cell`: in the next frame its sources are highlighted, or the cells it is used
/// in.
void point_at(Ui& ui, const attention::CellRef& cell);
/// The pointer is on a number that stands for `cell`: the cell itself is highlighted.
void light_cell(Ui& ui, const attention::CellRef& cell);
/// The pointer is on the chip of query `token`: its rows are highlighted.
void light_token(Ui& ui, attention::Index token);
/// The pointer is on the chip of key `token` of the second sentence: its rows and column are
/// highlighted.
void light_key(Ui& ui, attention::Index token);

/// The highlighted cells in the map of `stage`; those of a stage without its own card are shown by
/// the card before it.
std::vector<CellBlock> highlight_boxes(const Ui& ui, attention::Stage stage);
/// The highlighted cells of an editable matrix.
std::vector<CellBlock> highlight_boxes(const Ui& ui, MatrixRef ref);

/// The name of an edited matrix in explain(); empty for the mask, whose numbers are not operands.
std::string_view operand_name(MatrixId id);
/// The editable matrix with that name in explain().
std::optional<MatrixId> matrix_of_operand(std::string_view name);
/// Appends `cell` to the trail as the current one; the forward part is discarded.
void add_visit(Ui& ui, const attention::CellRef& cell);

/// Pins `cell`, or unpins it when it is pinned.
void toggle_pin(Ui& ui, const attention::CellRef& cell);

/// True when the document is one of several layers of arrays.
bool has_array_layers(const Ui& ui);
/// The layer that is shown, or was asked for. Precondition: has_array_layers().
int chosen_array_layer(const Ui& ui);
/// Shows the layer that is `by` layers further on, if there is one.
void go_to_array_layer(Ui& ui, int by);

}  // namespace lab::view
