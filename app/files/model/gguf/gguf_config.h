#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/files/model/gguf/gguf_architecture.h"
#include "app/files/model/weights/checkpoint.h"

namespace lab::files {

/// Names of tensors that hold factors of rotary frequencies, not weights.
inline constexpr const char* kFrequencyFactors = "rope_freqs.weight";
inline constexpr const char* kShortFactors = "rope_factors_short.weight";
inline constexpr const char* kLongFactors = "rope_factors_long.weight";

/// The numbers of a tensor; empty when it is missing. Throws BadInput as Checkpoint::matrix() does.
std::vector<float> numbers_of(const Checkpoint& checkpoint, const char* name);

/// How many experts a layer of the file has; 0 where the architecture has none. Throws BadInput,
/// naming the key, when it is missing or wrong.
std::uint64_t gguf_experts(const GgufArchitecture& architecture, const nlohmann::json& metadata);

/// The layers of the network, and those that follow them to predict further tokens
/// (`nextn_predict_layers`), which `block_count` counts too. Throws BadInput, naming the key, when
/// there are not so many.
struct GgufLayers {
  std::uint64_t own = 0, further = 0;
};
GgufLayers gguf_layers(const GgufArchitecture& architecture, const nlohmann::json& metadata);

/// What config.json would say of a file with this `metadata`, these tensors by the names of a
/// model's folder, and the factors of rotary frequencies. What GGUF has no key for is as llama.cpp
/// has it. Throws BadInput, naming the key or tensor, when one is missing or wrong.
nlohmann::json gguf_config(const GgufArchitecture& architecture, const nlohmann::json& metadata,
                           const Checkpoint& checkpoint, const Checkpoint& rotary);

}  // namespace lab::files
