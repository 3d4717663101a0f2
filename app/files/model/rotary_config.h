#pragma once

#include <vector>

#include "app/files/model/config_reader.h"

namespace lab::files {

/// Rotary positions as a config.json describes them for one type of layer.
struct RotarySettings {
  double base = 10000;           ///< rope_theta
  double fraction = 1;           ///< fraction of a head's features that is rotated
  std::string type = "default";  ///< default, linear, llama3 or yarn
  double factor = 1;
  double low_factor = 1, high_factor = 4;   ///< llama3
  double beta_fast = 32, beta_slow = 1;     ///< yarn
  bool truncate = true;                     ///< yarn: whole pairs bound the ramp
  double attention_factor = 1;              ///< yarn: multiplies sines and cosines
  attention::Index original_positions = 0;  ///< that the network was trained for at first
};

/// How a family spells rotary positions, and what it takes for what is missing.
struct RotarySpelling {
  const char* base = "rope_theta";  ///< outside rope_parameters
  const char* fraction = "partial_rotary_factor";
  double default_fraction = 1;
  bool partial = false;      ///< heads may be rotated in part; else it is refused, or ignored
                             ///< for the default type, as the reference does
  bool layer_types = false;  ///< its layers have types, but all are rotated alike
  bool by_layer_type =
      false;  ///< as in Gemma 3: rope_parameters has settings for each type of layer
  attention::Index positions = 0;  ///< max_position_embeddings
};

/// The settings of rotary positions as transformers 5.24 reads them: from rope_scaling where it is
/// there (version 4), else from rope_parameters (version 5), with the base and the part outside
/// them where they do not say. `layer_type` chooses among settings that differ by type of layer:
/// "full_attention", "sliding_attention". Adds a sentence to `notes` for each contradiction of two
/// spellings. Throws BadInput, with the member's name, for what is missing or not supported.
RotarySettings read_rotary(const ConfigReader& config, const std::string& layer_type,
                           const RotarySpelling& spelling, std::vector<std::string>& notes);

/// Radians per position for each pair of `dims` features, one more where they are odd:
/// base^(−2i / dims), changed as `settings.type` says: divided by the factor (linear; Chen et al.
/// 2023), only where a wave is long (llama3; Llama 3.1), or by a ramp between (yarn; Peng et al.
/// 2023).
std::vector<float> rotary_frequencies(const RotarySettings& settings, attention::Index dims);

}  // namespace lab::files
