#pragma once

#include <vector>

#include "app/document/model/model_document.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// A model that has read its text, as analyses see it.
struct ModelPass {
  const ModelDocument& document;
  const attention::network::NetworkTrace& trace;  ///< the forward pass of `document`
  attention::ThreadPool& pool;                    ///< for products; one analysis at a time

  /// The network as it was edited.
  const attention::network::Network& network() const { return document.network; }
};

/// A number for each head of one attention sublayer.
struct HeadMap {
  attention::network::Sublayer sublayer{};
  attention::Matrix values;  ///< [its layers × its heads]
};

/// The mean entropy of each head's weights over the rows of the text, in nats (see
/// attention::mean_entropy()), of each sublayer that the model has.
std::vector<HeadMap> mean_entropies(const attention::network::Network& network,
                                    const attention::network::NetworkTrace& trace);

}  // namespace lab
