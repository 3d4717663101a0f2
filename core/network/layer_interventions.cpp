#include "core/network/layer_interventions.h"

#include <algorithm>

namespace attention::network {

bool LayerInterventions::any_override() const {
  return all != nullptr &&
         std::ranges::any_of(all->overrides, [this](const CellOverride& o) { return o.at == at; });
}

bool LayerInterventions::any_override(Stage stage, Index head) const {
  return all != nullptr && std::ranges::any_of(all->overrides, [&](const CellOverride& o) {
           return o.at == at && o.cell.stage == stage && o.cell.head == head;
         });
}

void replace(const LayerInterventions& interventions, Stage stage, Index head, Index first_row,
             MatrixSlot rows, float factor) {
  if (interventions.all == nullptr) return;
  for (const HeadPatch& patch : interventions.all->patches)
    if (patch.at == interventions.at && patch.head == head && patch.stage == stage)
      rows = patch.values->middleRows(first_row, rows.rows());
  for (const auto& [at, cell] : interventions.all->overrides) {
    const Index row = cell.row - first_row;
    if (at == interventions.at && cell.head == head && cell.stage == stage && row >= 0 &&
        row < rows.rows())
      rows(row, cell.col) = cell.value * factor;
  }
}

float gain_of(const LayerInterventions& interventions, Index head) {
  return interventions.all == nullptr ? 1 : head_gain(*interventions.all, interventions.at, head);
}

}  // namespace attention::network
