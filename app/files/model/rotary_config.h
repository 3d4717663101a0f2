#pragma once

#include <optional>
#include <vector>

#include "app/files/model/config_reader.h"
#include "core/network/network.h"

namespace lab::files {

/// Rotary positions as a config.json describes them for one type of layer.
struct RotarySettings {
  double base = 10000;           ///< rope_theta
  double fraction = 1;           ///< fraction of a head's features that is rotated
  std::string type = "default";  ///< default, linear, dynamic, llama3, yarn, longrope or
                                 ///< proportional
  double factor = 1;
  double low_factor = 1, high_factor = 4;   ///< llama3
  double beta_fast = 32, beta_slow = 1;     ///< yarn
  bool truncate = true;                     ///< yarn: whole pairs bound the ramp
  double attention_factor = 1;              ///< yarn, longrope: multiplies sines and cosines
  double score_factor = 1;                  ///< multiplies the scores, see RotarySpelling
  std::vector<double> short_factors;        ///< longrope: each divides one frequency
  std::vector<double> long_factors;         ///< the same for texts beyond original_positions
  attention::Index original_positions = 0;  ///< that the network was trained for at first
};

/// How a family spells rotary positions, and what it takes for what is missing.
struct RotarySpelling {
  const char* base = "rope_theta";                    ///< outside rope_parameters
  const char* sliding_base = "rope_local_base_freq";  ///< the same of sliding layers; null: none
  double default_base = 10000, default_sliding_base = 10000;
  const char* fraction = "partial_rotary_factor";
  double default_fraction = 1;
  bool partial = false;      ///< heads may be rotated in part; else it is refused, or ignored
                             ///< for the default type, as the reference does
  bool layer_types = false;  ///< its layers have types, but all are rotated alike
  bool by_layer_type =
      false;  ///< as in Gemma 3: rope_parameters has settings for each type of layer
  bool scaling_for_all =
      false;                   ///< rope_scaling is for all types of layers, else for the full ones
  bool scaled_scores = false;  ///< mscale_all_dim also multiplies scores (DeepSeek)
  bool proportional = false;   ///< the type proportional is known (Gemma 4)
  bool only_longrope = false;  ///< su and yarn mean longrope too, all others are refused (Phi-3)
  attention::Index original_positions = 0;  ///< what original_max_position_embeddings is outside
                                            ///< them when it is missing; 0: those inside count
  attention::Index positions = 0;           ///< max_position_embeddings
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
/// 2023), only where a wave is long (llama3; Llama 3.1), by a ramp between (yarn; Peng et al.
/// 2023), each by its own factor (longrope; Ding et al. 2024), of which there must be enough, or
/// only those of the first pairs, a `fraction` of all, where others are 0 (proportional; Gemma 4).
std::vector<float> rotary_frequencies(const RotarySettings& settings, attention::Index dims);
/// How longer texts are rotated, by dynamic and longrope; nothing for other types.
std::optional<attention::network::LongTexts> rotary_of_long_texts(const RotarySettings& settings,
                                                                  attention::Index dims);

}  // namespace lab::files
