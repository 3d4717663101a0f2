#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/files/model/description.h"
#include "app/files/model/tensor_finder.h"
#include "app/files/model/weights/checkpoint.h"
#include "core/network/network.h"

namespace lab::files {

/// A network, and what its checkpoint holds besides.
struct BuiltNetwork {
  attention::network::Network network;
  std::vector<std::string> notes;  ///< what a person should know, one sentence each: tensors that
                                   ///< are not used, ties that the file contradicts
};

/// The network that `description` describes, whose matrices are views of the mapped tensors of
/// `checkpoint`. Throws BadInput naming the tensor when one is missing, or when its shape is not
/// what config.json says, with both shapes.
BuiltNetwork build_network(const Description& description, const Checkpoint& checkpoint);

/// The read-out of the network whose tensors `finder` finds. A model that was saved without its
/// head has none; where its architecture has one, a note of the finder says so. Throws BadInput as
/// TensorFinder does.
std::optional<attention::network::ReadOut> build_read_out(TensorFinder& finder);

}  // namespace lab::files
