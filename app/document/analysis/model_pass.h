#pragma once

#include "app/document/model/model_document.h"

namespace lab {

/// A model that has read its text, as analyses see it.
struct ModelPass {
  const ModelDocument& document;
  const attention::network::NetworkTrace& trace;  ///< the forward pass of `document`
  attention::ThreadPool& pool;                    ///< for products; one analysis at a time

  /// The network as it was edited.
  const attention::network::Network& network() const { return document.network; }
};

}  // namespace lab
