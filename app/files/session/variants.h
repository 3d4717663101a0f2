#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/problem.h"

// The variants of the layer, under the names used in both sessions and problem files.

namespace lab::files {

/// Calls visit(name, value, default value) for every variant in `config` other than its sizes,
/// scaling, temperature and causal mask.
template <typename AnyConfig, typename Visit>
void for_each_variant(AnyConfig& config, Visit&& visit) {
  static const attention::Config kDefault;
  visit("key_count", config.mask.key_count, kDefault.mask.key_count);
  visit("window", config.mask.window, kDefault.mask.window);
  visit("positions", config.positions, kDefault.positions);
  visit("rotary_base", config.rotary_base, kDefault.rotary_base);
  visit("rotary_pairs", config.rotary_pairs, kDefault.rotary_pairs);
  visit("biases", config.biases, kDefault.biases);
  visit("head_norm", config.head_norm, kDefault.head_norm);
  visit("head_norm_epsilon", config.head_norm_epsilon, kDefault.head_norm_epsilon);
  visit("score_cap", config.score_cap, kDefault.score_cap);
  visit("dropout_rate", config.dropout_rate, kDefault.dropout_rate);
  visit("dropout_seed", config.dropout_seed, kDefault.dropout_seed);
  visit("residual", config.residual, kDefault.residual);
  visit("layer_norm", config.layer_norm, kDefault.layer_norm);
  visit("layer_norm_epsilon", config.layer_norm_epsilon, kDefault.layer_norm_epsilon);
}

/// True when the value is the default.
template <typename Value>
bool is_default(const Value& value, const Value& by_default) {
  return value == by_default;
}
/// The same for a float, bit for bit: −0 is written differently from 0.
bool is_default(float value, float by_default);

/// The mix of each head: [{"mute": false, "solo": false, "scale": 1}, …]; missing members have
/// their defaults. Throws BadInput, "path…: what is wrong".
std::vector<attention::HeadMix> read_head_mix(const nlohmann::json& list, const std::string& path);
/// The same as JSON on one line.
std::string head_mix_json(const std::vector<attention::HeadMix>& mix);

/// The overrides: [{"stage": "scores", "head": 1, "row": 0, "col": 2, "value": 4}, …]; heads count
/// from 1, and a missing head is 1. Throws BadInput, "path…: what is wrong".
std::vector<attention::Override> read_overrides(const nlohmann::json& list,
                                                const std::string& path);
/// The same as JSON on one line.
std::string overrides_json(const std::vector<attention::Override>& overrides);

}  // namespace lab::files
