#pragma once

#include <memory>

#include "core/network/interventions.h"

namespace lab {

struct ModelDocument;

/// Where a document stands in a trained model, when it is one layer of it.
struct ModelLayer {
  std::shared_ptr<const ModelDocument> model = {};  ///< null: the document was made by hand
  attention::network::LayerId at = {};
  bool pending = false;  ///< X is zeros until the layers before it are computed
  /// Compares models by identity.
  bool operator==(const ModelLayer&) const = default;
};

}  // namespace lab
