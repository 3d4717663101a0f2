#pragma once

#include <vector>

#include "app/files/model/config_reader.h"

namespace lab::files {

/// Rotary positions as a config.json describes them.
struct RotarySettings {
  double base = 10000;           ///< rope_theta
  double part = 1;               ///< fraction of a head's features that is rotated
  std::string type = "default";  ///< default, linear, llama3 or yarn
  double factor = 1;
  double low_factor = 1, high_factor = 4;   ///< llama3
  double beta_fast = 32, beta_slow = 1;     ///< yarn
  double attention_factor = 1;              ///< yarn: multiplies sines and cosines
  attention::Index original_positions = 0;  ///< that the network was trained for at first
};

/// The settings of rotary positions in transformers 5 (rope_parameters) or 4 (rope_theta,
/// rope_scaling, partial_rotary_factor, and the older names in GPT-NeoX). `layer_type` chooses
/// among settings that differ by type of layer: "full_attention", "sliding_attention". What is
/// missing is as in `usual`. Throws
/// BadInput, with the member's name, for a type that is not supported.
RotarySettings read_rotary(const ConfigReader& config, const std::string& layer_type,
                           const RotarySettings& usual = {});

/// Radians per position for each pair of `dims` / 2: base^(−2i / dims), changed as `settings.type`
/// says: divided by the factor (linear; Chen et al. 2023), only where a wave is long (llama3; Llama
/// 3.1), or by a ramp between (yarn; Peng et al. 2023).
std::vector<float> rotary_frequencies(const RotarySettings& settings, attention::Index dims);

}  // namespace lab::files
