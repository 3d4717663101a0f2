#pragma once

#include <memory>

#include "app/document/document.h"
#include "core/layer/trace.h"

namespace attention {
struct LayerGradient;
}
namespace attention::network {
struct NetworkTrace;
}

namespace lab {

/// A document and its trace at one point in time. Copies share their matrices.
struct Snapshot {
  Document document;
  attention::Trace trace;
  /// The forward pass of the model that the document is a layer of; null when it is none.
  std::shared_ptr<const attention::network::NetworkTrace> network = nullptr;
};

/// A snapshot of a trained model at another of its layers; `snapshot` itself when it is no model's
/// or there is no such layer.
std::shared_ptr<const Snapshot> at_layer(std::shared_ptr<const Snapshot> snapshot,
                                         const attention::network::LayerId& at);

/// The document and its trace with d(number) / d(each number) in place of each matrix and each
/// stage, and 0 where nothing moves it. Tokens, names and the mask, which has no derivative, stay.
/// What shows or writes numbers shows and writes the gradient then.
Snapshot gradient_snapshot(Document document, const attention::LayerGradient& gradient);

}  // namespace lab
