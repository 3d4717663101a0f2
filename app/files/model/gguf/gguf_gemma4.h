#pragma once

#include <nlohmann/json.hpp>

#include "app/files/model/gguf/gguf_architecture.h"
#include "app/files/model/weights/checkpoint.h"

// Gemma 4's keys, of which some have a value for each layer, or another one for sliding layers.

namespace lab::files {

/// True for the architecture of Gemma 4, with experts or without.
bool is_gemma4(const GgufArchitecture& architecture);

/// The metadata with the first of the values that keys have for each layer, where these differ.
nlohmann::json with_one_value(const GgufArchitecture& architecture, const nlohmann::json& metadata);

/// Sets what config.json says of Gemma 4's layers. `config` has what all architectures have, and
/// the types of layers. Throws BadInput, naming the key, when one is missing or wrong.
void set_gemma4(const GgufArchitecture& architecture, const nlohmann::json& metadata,
                const Checkpoint& checkpoint, nlohmann::json& config);

}  // namespace lab::files
