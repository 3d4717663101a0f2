#pragma once

#include <memory>

#include "app/document/document.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/model_document.h"
#include "core/network/network_evaluator.h"

// One layer of a trained model as a Document that the window shows and edits.

namespace lab {

/// Layer `at` of `model` before the forward pass, see ModelLayer::pending. Shares the weights of
/// `shown`, which may be null, where it is the same layer with the same weights. Throws
/// std::invalid_argument as layer_problem() does.
Document shown_layer(std::shared_ptr<const ModelDocument> model,
                     const attention::network::LayerId& at, const Document* shown = nullptr);

/// The same layer with the X that the forward pass gave. Precondition: `trace` is that of its
/// model.
Document completed_layer(const Document& layer, const attention::network::NetworkTrace& trace,
                         attention::ThreadPool& pool);

/// What `head` writes in the forward pass `trace` of `model`, its stage head_output: [n × d_v].
attention::Matrix head_output(const ModelDocument& model,
                              const attention::network::NetworkTrace& trace, const HeadRef& head);

/// The layer with attention that is nearest to `at`: the same one unless the network has no such,
/// else one before it, else the first.
attention::network::LayerId nearest_layer(const attention::network::Network& network,
                                          const attention::network::LayerId& at);

}  // namespace lab
