#pragma once

#include <array>

#include "app/document/background_evaluator.h"
#include "core/network/interventions.h"
#include "core/shared_matrix.h"

namespace lab::view {

/// The weights of every head of a sublayer in one matrix, so that one texture shows them all.
struct HeadMaps {
  /// [layers · rows × heads · columns]: the map of head h of layer l begins at row l · rows and
  /// column h · columns, where a map of many tokens is reduced to the largest weight of neighbours.
  attention::SharedMatrix weights;
  attention::Shape tile;   ///< rows and columns of one map in it
  attention::Shape count;  ///< number of layers and heads
};

/// The maps of the passes that were shown last: of the edited state, and of A beside it.
class TileMaps {
 public:
  /// Those of a pass; computed once for it. The reference is valid until the next call but one.
  /// Precondition: `trace` is of a model with such layers.
  const HeadMaps& maps(const SharedNetworkTrace& trace, attention::network::Sublayer sublayer);

 private:
  struct Kept {
    SharedNetworkTrace trace;
    attention::network::Sublayer sublayer{};
    HeadMaps maps;
  };
  std::array<Kept, 2> kept_;  // the newest first
};

}  // namespace lab::view
