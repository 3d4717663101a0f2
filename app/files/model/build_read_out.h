#pragma once

#include <optional>

#include "app/files/model/tensor_finder.h"
#include "core/network/network.h"

namespace lab::files {

/// The read-out of the network whose tensors `finder` finds. A model that was saved without its
/// head has none; where its architecture has one, a note of the finder says so. Throws BadInput as
/// TensorFinder does.
std::optional<attention::network::ReadOut> build_read_out(TensorFinder& finder);

}  // namespace lab::files
