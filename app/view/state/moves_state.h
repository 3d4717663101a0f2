#pragma once

#include <optional>

#include "core/explain/explain.h"
#include "core/network/interventions.h"

namespace lab::view {

/// "What moves this?": the maps show how much each number moves the one that is asked about.
struct MovesState {
  bool on = false;
  bool held = false;    ///< the question stays, whatever is selected
  bool answer = false;  ///< of a trained model: the answer is asked about, not a cell
  std::optional<attention::CellRef> cell;  ///< that is asked about; nothing: not known yet
  attention::network::LayerPlace at;       ///< the layer of a trained model that it belongs to
};

}  // namespace lab::view
