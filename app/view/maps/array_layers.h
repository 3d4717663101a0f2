#pragma once

#include "app/view/state/ui.h"

// Layers of the arrays that another program shows.

namespace lab::view {

/// True when the document is one of several layers of arrays.
bool has_array_layers(const Ui& ui);
/// The layer that is looked at, or was asked for. Precondition: has_array_layers().
int chosen_array_layer(const Ui& ui);
/// Looks at the layer that is `by` layers behind, if there is one.
void look_at_array_layer(Ui& ui, int by);

}  // namespace lab::view
