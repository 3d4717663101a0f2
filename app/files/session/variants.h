#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/problem.h"

// The variants of the layer as sessions and problem files write them: under the same names in both.

namespace lab::files {

/// Calls visit(name, value, default value) for every variant that `config` has beside its sizes,
/// the scaling, the temperature and the causal mask.
template <typename AnyConfig, typename Visit>
void for_each_variant(AnyConfig& config, Visit&& visit) {
  static const attention::Config kDefault;
  visit("key_count", config.mask.key_count, kDefault.mask.key_count);
  visit("window", config.mask.window, kDefault.mask.window);
  visit("positions", config.positions, kDefault.positions);
  visit("rotary_base", config.rotary_base, kDefault.rotary_base);
  visit("rotary_pairs", config.rotary_pairs, kDefault.rotary_pairs);
  visit("biases", config.biases, kDefault.biases);
  visit("dropout_rate", config.dropout_rate, kDefault.dropout_rate);
  visit("dropout_seed", config.dropout_seed, kDefault.dropout_seed);
  visit("residual", config.residual, kDefault.residual);
  visit("layer_norm", config.layer_norm, kDefault.layer_norm);
  visit("layer_norm_epsilon", config.layer_norm_epsilon, kDefault.layer_norm_epsilon);
}

/// True when the bits are the same: −0 is another number to write down than 0.
template <typename Value>
bool is_default(const Value& value, const Value& by_default) {
  return value == by_default;
}
bool is_default(float value, float by_default);

/// One mix for each head: [{"mute": false, "solo": false, "scale": 1}, …]; a member that is missing
/// has its default. Throws BadInput, "path…: what is wrong".
std::vector<attention::HeadMix> read_head_mix(const nlohmann::json& list, const std::string& path);
/// The same as JSON on one line.
std::string head_mix_json(const std::vector<attention::HeadMix>& mix);

/// [{"stage": "scores", "head": 1, "row": 0, "col": 2, "value": 4}, …]; heads from 1, and 1 when it
/// is missing. Throws BadInput, "path…: what is wrong".
std::vector<attention::Override> read_overrides(const nlohmann::json& list,
                                                const std::string& path);
/// The same as JSON on one line.
std::string overrides_json(const std::vector<attention::Override>& overrides);

}  // namespace lab::files
