#include "app/view/editor/go_to.h"

#include <algorithm>

#include "app/view/editor/uncommitted_edit.h"
#include "app/view/maps/navigation.h"

namespace lab::view {
namespace {

void open_in_edit_card(Ui& ui, MatrixId id, const attention::CellRef& cell) {
  leave_field(ui);
  ui.state.edit.matrix = id;
  ui.state.edit.cursor = {cell.row, cell.col};
  ui.state.side_tab = SideTab::kEdit;
}

void show_visit(Ui& ui, const Visit& visit) {
  ui.state.head = visit.head;
  ui.state.selection = visit.selection;
  if (const auto id = matrix_of_operand(visit.cell.matrix); id && cell_exists(ui, visit.cell))
    open_in_edit_card(ui, *id, visit.cell);
}

// The document may have shrunk since the trail was recorded.
void follow_trail(Ui& ui, int by) {
  Trail& trail = ui.state.inspection.trail;
  trail.here += static_cast<std::size_t>(by);
  Visit& visit = trail.visits[trail.here];
  visit.head = std::min(visit.head, ui.problem().config.n_heads - 1);
  clamp_selection(visit.selection, ui.document(), ui.trace(), visit.head);
  show_visit(ui, visit);
}

}  // namespace

bool can_go_to(const Ui& ui, const attention::CellRef& cell) { return cell_exists(ui, cell); }

void go_to(Ui& ui, const attention::CellRef& cell) {
  if (!can_go_to(ui, cell)) return;
  const auto stage = attention::stage_from_name(cell.matrix);
  if (stage) {
    if (is_per_head(*stage)) ui.state.head = static_cast<int>(cell.head);
    select_cell(ui.state.selection, *stage, {cell.row, cell.col});
  }
  // An input without positions is the embedding itself.
  const auto id =
      matrix_of_operand(stage ? stage_name(last_step(ui.problem(), *stage)) : cell.matrix);
  if (id) open_in_edit_card(ui, *id, cell);
  add_visit(ui, cell);
}

bool can_go_back(const Ui& ui) { return ui.state.inspection.trail.here > 0; }

bool can_go_forward(const Ui& ui) {
  const Trail& trail = ui.state.inspection.trail;
  return trail.here + 1 < trail.visits.size();
}

void go_back(Ui& ui) {
  if (can_go_back(ui)) follow_trail(ui, -1);
}

void go_forward(Ui& ui) {
  if (can_go_forward(ui)) follow_trail(ui, 1);
}

}  // namespace lab::view
