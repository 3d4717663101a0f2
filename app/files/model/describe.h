#pragma once

#include <functional>

#include "app/files/model/config_reader.h"
#include "app/files/model/description.h"
#include "app/files/model/rotary_config.h"

// How each family spells its config.json, and what several of them share. What a function does not
// set is the same in all, see description.h. All throw BadInput, with the member's name.

namespace lab::files {

/// Limits of what is computed before a tensor confirms it.
inline constexpr attention::Index kMostLayers = 1024, kMostHeads = 1024, kMostExperts = 4096,
                                  kMostTaps = 1024;
/// The largest head for which rotary positions are computed.
inline constexpr attention::Index kLargestRotatedHead = 8192;

/// The activation called `spelt`, which the member `name` said.
attention::network::Activation activation_called(const ConfigReader& config, const char* name,
                                                 const std::string& spelt);
/// The activation that the member `name` means; `default_value` when it is missing. Names are those
/// of transformers' ACT2FN; laplace, sqrtsoftplus, prelu and xielu are refused.
attention::network::Activation read_activation(const ConfigReader& config, const char* name,
                                               const char* default_value);
/// The epsilon of a norm, from 0 to 1.
float read_epsilon(const ConfigReader& config, const char* name, double default_value);
/// Sets n_heads from the member `name`, which is `default_value` when it is missing, and n_kv_heads
/// and head_dim as they follow from it in most families.
void set_heads(const ConfigReader& config, const char* name, attention::Index default_value,
               Description& description);
/// Refuses heads that do not divide d_model, as the reference does in most families.
void check_whole_heads(const ConfigReader& config, const char* name,
                       const Description& description);
/// Sets every layer to the score factor 1 / √head_dim, without a window.
void set_layers(Description& description);
/// Marks the layers that layer_types says are sliding, or `is_sliding` does where it is missing,
/// and gives them the window, which they need.
void set_windows(const ConfigReader& config, Description& description, attention::Index window,
                 const std::function<bool(attention::Index)>& is_sliding);
/// Refuses heads that are too large for a table of rotary positions.
void check_rotated_heads(const ConfigReader& config, const Description& description);
/// Sets rotary positions in every layer; those of another type may have their own.
void set_rotary(const ConfigReader& config, Description& description,
                const RotarySpelling& spelling = {});

}  // namespace lab::files
