#pragma once

#include "app/files/model/checkpoint.h"
#include "app/files/model/description.h"
#include "core/network/network.h"

namespace lab::files {

/// The network that `description` describes, whose matrices are views of the mapped tensors of
/// `checkpoint`. Throws BadInput naming the tensor when one is missing, or when its shape is not
/// what config.json says, with both shapes.
attention::network::Network build_network(const Description& description,
                                          const Checkpoint& checkpoint);

}  // namespace lab::files
