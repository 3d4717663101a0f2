#include "app/view/editor/row_from_a.h"

#include <optional>

#include "app/translation/words.h"
#include "app/view/editor/override_edit.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/map_reading.h"
#include "app/view/maps/model_patches.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;

// The numbers of A for `row` of B; nothing when A lacks some of its words.
std::optional<Matrix> row_of_a(const Ui& ui, Stage stage, Index row) {
  const ComparedStage both = compared_stage(ui, stage, ui.state.head);
  const bool by_position = has_positions_of_a(ui);
  const bool possible = by_position ? both.exist() : both.fits();
  if (!possible || row < 0 || row >= (*both.b)->rows()) return std::nullopt;
  Matrix numbers(1, (*both.b)->cols());
  for (Index col = 0; col < numbers.cols(); ++col) {
    const Cell there = by_position ? Cell{row, col} : cell_of_a(ui, stage, {row, col});
    if (!is_in_both(there)) return std::nullopt;
    numbers(0, col) = (**both.a)(there.row, there.col);
  }
  return numbers;
}

void take_row(Ui& ui, Stage stage, Index row) {
  const auto numbers = row_of_a(ui, stage, row);
  if (!numbers) return;
  const std::string word = row_label(ui.edited(), stage, row);
  const StepLabel label = [word] { return tr("Take row “{}” from A", {word}); };
  if (const auto input = input_of(ui.edited().problem, stage))
    return ui.queue(
        intent::Apply{SetBlock{{*input, 0}, static_cast<int>(row), 0, *numbers}, {}, {}, label});
  const int head = is_per_head(stage) ? ui.state.head : 0;
  ui.queue(intent::Apply{
      SetOverrides{{stage, head, static_cast<int>(row), 0}, *numbers}, {}, {}, label});
}

Index selected_row(const Ui& ui) { return selected_cell(ui.state.selection).row; }

bool is_over_b(const Ui& ui) {
  const auto& widgets = ui.widgets.widgets();
  const auto b = widgets.find("compare/b");
  return b != widgets.end() && b->second.contains(ImGui::GetIO().MousePos);
}

}  // namespace

bool can_take_row(const Ui& ui) {
  return ui.state.compare.a && can_override(ui) &&
         row_of_a(ui, ui.state.selection.stage, selected_row(ui)).has_value();
}

void take_row_from_a(Ui& ui) {
  if (can_take_row(ui)) take_row(ui, ui.state.selection.stage, selected_row(ui));
}

void drag_row_to_b(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const bool held = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  const bool pans = !map.region.whole() || ui.state.inspection.selecting;
  if (ui.state.compare.view != CompareView::kA || !held || pans || !is_map_dragged(ui)) return;
  const Cell grasped = cell_at(input.whole, map.matrix.shape(), ImGui::GetIO().MouseClickedPos[0]);
  const Index row =
      has_positions_of_a(ui) ? grasped.row : cell_of_b(ui, map.stage, {grasped.row, 0}).row;
  const std::string word = row_label(ui.document(), map.stage, grasped.row);
  if (!row_of_a(ui, map.stage, row)) {
    if (ImGui::IsItemActive()) show_dragged(ui, tr("Row “{}”: B has other words", {word}));
  } else if (ImGui::IsItemActive()) {
    show_dragged(
        ui, is_over_b(ui) ? tr("Row “{}” into B", {word}) : tr("Row “{}”: drag it to B", {word}));
  } else if (is_over_b(ui)) {
    take_row(ui, map.stage, row);
    show_compared(ui, CompareView::kB);
  }
}

}  // namespace lab::view
