#pragma once

#include "core/explain/explain.h"
#include "core/network/interventions.h"

namespace lab::view {

/// A pinned cell of a layer of a trained model; of the only layer made by hand, `at` is the first.
struct LayerPin {
  attention::network::LayerPlace at;
  attention::CellRef cell;
  bool operator==(const LayerPin&) const = default;
};

}  // namespace lab::view
