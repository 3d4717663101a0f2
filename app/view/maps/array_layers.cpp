#include "app/view/maps/array_layers.h"

namespace lab::view {

bool has_array_layers(const Ui& ui) {
  const auto& arrays = ui.workspace.arrays();
  return arrays && arrays->layers > 1;
}

int chosen_array_layer(const Ui& ui) {
  return ui.state.arrays.waiting_for.value_or(ui.workspace.arrays()->layer);
}

void look_at_array_layer(Ui& ui, int by) {
  if (!has_array_layers(ui)) return;
  const int layer = chosen_array_layer(ui) + by;
  if (layer >= 0 && layer < ui.workspace.arrays()->layers) ui.state.arrays.wanted_layer = layer;
}

}  // namespace lab::view
