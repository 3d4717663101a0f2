#include "app/view/edit_state.h"

#include <algorithm>
#include <cstdlib>

namespace lab {
namespace {

Cell anchor_of(const EditState& edit) {
  const bool holds =
      edit.block && edit.block->matrix == edit.matrix && edit.block->cursor == edit.cursor;
  return holds ? edit.block->anchor : edit.cursor;
}

}  // namespace

Block block_between(Cell a, Cell b) {
  return {std::min(a.row, b.row), std::min(a.col, b.col), std::abs(a.row - b.row) + 1,
          std::abs(a.col - b.col) + 1};
}

Block selected_block(const EditState& edit) { return block_between(anchor_of(edit), edit.cursor); }

void select_block(EditState& edit, Cell anchor, Cell cursor) {
  edit.cursor = cursor;
  edit.block = SelectedBlock{edit.matrix, anchor, cursor};
}

void extend_block(EditState& edit, Cell cursor) { select_block(edit, anchor_of(edit), cursor); }

}  // namespace lab
