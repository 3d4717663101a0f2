#include "app/view/maps/navigation.h"

#include <algorithm>
#include <utility>

#include "app/view/maps/follow_words.h"
#include "app/view/state/layout.h"

namespace lab::view {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Shape;
using attention::Stage;

int edited_head(const Ui& ui, MatrixId id, Index head) {
  const int query_head = static_cast<int>(head);
  if (is_per_kv_head(id)) return kv_head_of(ui.problem().config, query_head);
  return is_per_head(id) ? query_head : 0;
}

// The stage whose card shows the numbers of `stage`: itself, or the stage that it repeats.
Stage shown_by(const Ui& ui, Stage stage) {
  return has_card(ui.problem(), stage) ? stage : last_step(ui.problem(), stage);
}

void collect(std::vector<CellBlock>& boxes, const Ui& ui, Stage stage) {
  for (const HighlightRegion& region : ui.state.inspection.highlight.regions) {
    const auto highlight = attention::stage_from_name(region.matrix);
    if (!highlight || shown_by(ui, *highlight) != stage) continue;
    if (!is_per_head(*highlight) || region.head == ui.state.head) boxes.push_back(region.box);
  }
}

bool same_view(const Visit& visit, const Ui& ui) {
  return visit.selection == ui.state.selection && visit.head == ui.state.head;
}

void note_visit(Ui& ui) {
  const Trail& trail = ui.state.inspection.trail;
  if (trail.visits.empty() || !same_view(trail.visits[trail.here], ui))
    add_visit(ui, selected_ref(ui));
}

void forget_what_was_removed(Ui& ui) {
  sort_pins(ui);
  Inspection& inspection = ui.state.inspection;
  if (!inspection.block) return;
  const StageBlock block = *inspection.block;
  const auto exists = [&](Cell cell) { return cell_exists(ui, cell_ref(ui, block.stage, cell)); };
  if (!exists(block.from) || !exists(block.to)) inspection.block.reset();
}

}  // namespace

void add_visit(Ui& ui, const CellRef& cell) {
  Trail& trail = ui.state.inspection.trail;
  auto& visits = trail.visits;
  if (!visits.empty() && visits[trail.here].cell == cell && same_view(visits[trail.here], ui))
    return;
  if (!visits.empty()) visits.resize(trail.here + 1);
  if (visits.size() == Trail::kLongest) visits.erase(visits.begin());
  visits.push_back({cell, ui.state.selection, ui.state.head});
  trail.here = visits.size() - 1;
}

void begin_reading(Ui& ui) {
  Inspection& inspection = ui.state.inspection;
  inspection.highlight = std::exchange(inspection.next_highlight, {});
  forget_what_was_removed(ui);
  note_visit(ui);
}

CellRef cell_ref(const Ui& ui, Stage stage, Cell cell) {
  return {stage_name(stage), is_per_head(stage) ? ui.state.head : 0, cell.row, cell.col};
}

CellRef selected_ref(const Ui& ui) {
  return cell_ref(ui, ui.state.selection.stage, selected_cell(ui.state.selection));
}

Shape shape_around(const Ui& ui, const CellRef& cell) {
  if (cell.head < 0 || cell.head >= ui.problem().config.n_heads) return {};
  if (const auto stage = attention::stage_from_name(cell.matrix))
    return stage_shape(ui.problem(), *stage);
  const auto id = matrix_of_operand(cell.matrix);
  return id ? matrix_of(ui.document(), {*id, edited_head(ui, *id, cell.head)}).shape() : Shape{};
}

bool cell_exists(const Ui& ui, const CellRef& cell) {
  const Shape shape = shape_around(ui, cell);
  return cell.row >= 0 && cell.row < shape.rows && cell.col >= 0 && cell.col < shape.cols;
}

void point_at(Ui& ui, const CellRef& cell) {
  Highlight& highlight = ui.state.inspection.next_highlight;
  highlight.regions = source_regions(ui.problem(), cell);
  if (highlight.regions.empty()) highlight.regions = fed_regions(ui.problem(), cell);
  highlight.tokens = tokens_of(cell);
}

void light_cell(Ui& ui, const CellRef& cell) {
  ui.state.inspection.next_highlight = {{{cell.matrix, cell.head, {cell.row, cell.col, 1, 1}}},
                                        tokens_of(cell)};
}

void light_token(Ui& ui, Index token) {
  ui.state.inspection.next_highlight = {token_regions(ui.problem(), token, ui.state.head),
                                        {token, {}}};
}

void light_key(Ui& ui, Index token) {
  ui.state.inspection.next_highlight = {key_regions(ui.problem(), token, ui.state.head),
                                        {{}, token}};
}

std::vector<CellBlock> highlight_boxes(const Ui& ui, Stage stage) {
  std::vector<CellBlock> boxes;
  if (!ui.state.inspection.highlight.regions.empty()) collect(boxes, ui, stage);
  return boxes;
}

std::optional<MatrixId> matrix_of_operand(std::string_view name) {
  if (name == "embedding") return MatrixId::kX;
  if (name == "embedding_kv") return MatrixId::kXKv;
  if (name == "bias") return MatrixId::kScoreBias;
  return attention::stage_from_name(name) ? std::nullopt : matrix_from_name(name);
}

std::string_view operand_name(MatrixId id) {
  if (id == MatrixId::kX) return "embedding";
  if (id == MatrixId::kXKv) return "embedding_kv";
  if (id == MatrixId::kScoreBias) return "bias";
  return id == MatrixId::kMask ? "" : matrix_name(id);
}

std::vector<CellBlock> highlight_boxes(const Ui& ui, MatrixRef ref) {
  std::vector<CellBlock> boxes;
  if (ref.id == MatrixId::kX || ref.id == MatrixId::kXKv) {
    collect(boxes, ui, ref.id == MatrixId::kX ? Stage::kEmbedding : Stage::kEmbeddingKv);
    return boxes;
  }
  for (const HighlightRegion& region : ui.state.inspection.highlight.regions) {
    if (region.matrix == operand_name(ref.id) && edited_head(ui, ref.id, region.head) == ref.head)
      boxes.push_back(region.box);
  }
  return boxes;
}

void toggle_pin(Ui& ui, const CellRef& cell) {
  auto& pins = ui.state.inspection.pins;
  if (std::erase(pins, cell) == 0) pins.push_back(cell);
}

bool has_array_layers(const Ui& ui) {
  const auto& arrays = ui.workspace.arrays();
  return arrays && arrays->layers > 1;
}

int chosen_array_layer(const Ui& ui) {
  return ui.state.arrays.waiting_for.value_or(ui.workspace.arrays()->layer);
}

void go_to_array_layer(Ui& ui, int by) {
  if (!has_array_layers(ui)) return;
  const int layer = chosen_array_layer(ui) + by;
  if (layer >= 0 && layer < ui.workspace.arrays()->layers) ui.state.arrays.requested_layer = layer;
}

}  // namespace lab::view
