#include "app/view/state/edit_state.h"

namespace lab::view {
namespace {

bool holds_block(const EditState& edit) {
  return edit.block && edit.block->matrix == edit.matrix && edit.block->cursor == edit.cursor;
}

Cell anchor_of(const EditState& edit) {
  return holds_block(edit) ? edit.block->anchor : edit.cursor;
}

}  // namespace

CellBlock selected_block(const EditState& edit) {
  return block_between(anchor_of(edit), block_corner(edit));
}

void select_block(EditState& edit, Cell anchor, Cell cursor) {
  edit.cursor = cursor;
  edit.block = SelectedBlock{edit.matrix, anchor, cursor, cursor};
}

Cell block_corner(const EditState& edit) {
  return holds_block(edit) ? edit.block->corner : edit.cursor;
}

void extend_block(EditState& edit, Cell corner) { select_block(edit, anchor_of(edit), corner); }

void move_in_block(EditState& edit, Cell cursor) {
  if (holds_block(edit)) edit.block->cursor = cursor;
  edit.cursor = cursor;
}

}  // namespace lab::view
