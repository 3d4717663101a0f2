#include "app/view/editor/row_from_a.h"

#include <optional>

#include "app/translation/words.h"
#include "app/view/editor/override_edit.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/model_patches.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Matrix;

// The numbers of A for `row` of B; nothing when A lacks some of its words. Heads of trained models
// are patched position by position, whatever the words are.
std::optional<Matrix> row_of_a(const Ui& ui, Index row) {
  const ComparedStage stage = compared_stage(ui, ui.state.selection.stage, ui.state.head);
  const bool by_position = model_of_a(ui).document != nullptr;
  const bool possible = by_position ? stage.exist() : stage.fits();
  if (!possible || row >= (*stage.b)->rows()) return std::nullopt;
  Matrix numbers(1, (*stage.b)->cols());
  for (Index col = 0; col < numbers.cols(); ++col) {
    const Cell there = by_position ? Cell{row, col} : cell_of_a(ui, stage.stage, {row, col});
    if (!is_in_both(there)) return std::nullopt;
    numbers(0, col) = (**stage.a)(there.row, there.col);
  }
  return numbers;
}

Index selected_row(const Ui& ui) { return selected_cell(ui.state.selection).row; }

}  // namespace

bool can_take_row(const Ui& ui) {
  return ui.state.compare.a && can_override(ui) && row_of_a(ui, selected_row(ui)).has_value();
}

void take_row_from_a(Ui& ui) {
  if (!can_take_row(ui)) return;
  const attention::Stage stage = ui.state.selection.stage;
  const Index row = selected_row(ui);
  const Matrix numbers = *row_of_a(ui, row);
  const std::string word = row_label(ui.document(), stage, row);
  const StepLabel label = [word] { return tr("Take row “{}” from A", {word}); };
  if (const auto input = input_of(ui.problem(), stage))
    return ui.queue(
        intent::Apply{SetBlock{{*input, 0}, static_cast<int>(row), 0, numbers}, {}, {}, label});
  const int head = is_per_head(stage) ? ui.state.head : 0;
  ui.queue(
      intent::Apply{SetOverrides{{stage, head, static_cast<int>(row), 0}, numbers}, {}, {}, label});
}

}  // namespace lab::view
