#pragma once

#include <string>

#include "app/files/model/weights/checkpoint.h"

namespace lab::files {

/// What a model of a type that is not known has in common with the families that are, by the names
/// of the tensors of its first layer: "its tensors are named most like those of Llama, but there is
/// "mlp.router" and no "mlp.gate_proj"". Empty when no family has half of its names.
std::string closest_family(const Checkpoint& checkpoint);

}  // namespace lab::files
