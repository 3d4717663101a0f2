#include "app/view/actions/copying.h"

#include "app/view/actions/actions.h"
#include "app/view/editor/edit_block.h"
#include "app/view/maps/zoom.h"

namespace lab::view {
namespace {

void copy_map_block(Ui& ui, const StageBlock& block) {
  const auto& matrix = *stage_matrix(ui.problem(), ui.trace(), block.stage, ui.state.head);
  const CellBlock box = block_between(block.from, block.to);
  copy_numbers(ui, matrix.block(box.row, box.col, box.rows, box.cols));
}

}  // namespace

bool copies_cells(const Ui& ui) {
  return grid_has_keys(ui) || (ui.state.inspection.block && keys_are_free(ui));
}

void copy_cells(Ui& ui) {
  const auto& block = ui.state.inspection.block;
  if (block && !ui.state.edit.focused) return copy_map_block(ui, *block);
  copy_block(ui);
}

bool copies_picture(const Ui& ui) { return keys_are_free(ui) && !copies_cells(ui); }

}  // namespace lab::view
