#pragma once

#include "app/document/background_evaluator.h"
#include "core/network/interventions.h"
#include "core/shared_matrix.h"

namespace lab::view {

/// The weights of every head of a sublayer in one matrix, so that one texture shows them all.
class TileMaps {
 public:
  /// [layers · rows × heads · columns]: the map of head h of layer l begins at row l · rows and
  /// column h · columns, where a map of many tokens is reduced to the largest weight of neighbours.
  /// Computed once for a trace. Precondition: `trace` is of a model with such layers.
  const attention::SharedMatrix& weights(const SharedNetworkTrace& trace,
                                         attention::network::Sublayer sublayer);
  /// Rows and columns of one map in it.
  attention::Shape tile() const { return tile_; }
  /// Number of layers and heads.
  attention::Shape count() const { return count_; }

 private:
  SharedNetworkTrace trace_;
  attention::network::Sublayer sublayer_{};
  attention::SharedMatrix weights_;
  attention::Shape tile_, count_;
};

}  // namespace lab::view
