#pragma once

#include "app/document/commands/edited_places.h"
#include "app/document/document.h"
#include "core/layer/trace.h"
#include "core/matrix.h"

namespace lab::view {

/// The selected cell of a stage, stored as the positions it stands for, so that the same query and
/// key are marked in every card.
struct Selection {
  attention::Stage stage = attention::Stage::kWeights;
  attention::Index query = 0;    ///< row of scores, weights, Q, outputs
  attention::Index key = 0;      ///< column of scores and weights, row of K and V
  attention::Index feature = 0;  ///< column of every stage whose columns are features
  bool operator==(const Selection&) const = default;
};

/// A row and column of a matrix.
struct Cell {
  attention::Index row = 0;
  attention::Index col = 0;
  bool operator==(const Cell&) const = default;
};

/// A rectangle of cells.
using attention::CellBlock;
/// The smallest block that contains both cells.
CellBlock block_between(Cell a, Cell b);

/// The selected cell in the matrix of its stage.
Cell selected_cell(const Selection& selection);
/// The same as a cell of the layer: of a stage that heads have, that of `head`.
StageCell selected_stage_cell(const Selection& selection, int head);
/// Selects `cell` of `stage`; query or key do not change when the stage does not have them.
void select_cell(Selection& selection, attention::Stage stage, Cell cell);
/// Moves query, key and feature into the range of the document.
void clamp_selection(Selection& selection, const Document& document, const attention::Trace& trace,
                     attention::Index head);

}  // namespace lab::view
