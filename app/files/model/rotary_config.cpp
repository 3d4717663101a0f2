#include "app/files/model/rotary_config.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/base/bad_input.h"

namespace lab::files {
namespace {

using attention::Index;

double positive(const ConfigReader& config, const char* name, double otherwise) {
  const double value = config.number_or(name, otherwise);
  if (!(value > 0) || value > 1e30) config.refuse(name, "should be a positive number");
  return value;
}

// The length of attention that YaRN keeps: 0.1 m ln(factor) + 1.
double yarn_magnitude(double factor, double m) {
  return factor <= 1 ? 1 : 0.1 * m * std::log(factor) + 1;
}

double yarn_attention_factor(const ConfigReader& scaling, double factor) {
  const double m = scaling.number_or("mscale", 0), m_all = scaling.number_or("mscale_all_dim", 0);
  const double usual = m != 0 && m_all != 0
                           ? yarn_magnitude(factor, m) / yarn_magnitude(factor, m_all)
                           : yarn_magnitude(factor, 1);
  return scaling.number_or("attention_factor", usual);
}

void read_scaling(const ConfigReader& scaling, RotarySettings& settings) {
  settings.type = scaling.text_or("rope_type", scaling.text_or("type", "default"));
  if (settings.type == "default") return;
  const bool supported =
      settings.type == "linear" || settings.type == "llama3" || settings.type == "yarn";
  if (!supported)
    scaling.refuse("rope_type", in_quotes(settings.type) +
                                    " is not supported; supported are default, linear, llama3 "
                                    "and yarn");
  settings.factor = positive(scaling, "factor", 1);
  settings.low_factor = positive(scaling, "low_freq_factor", settings.low_factor);
  settings.high_factor = positive(scaling, "high_freq_factor", settings.high_factor);
  settings.beta_fast = positive(scaling, "beta_fast", settings.beta_fast);
  settings.beta_slow = positive(scaling, "beta_slow", settings.beta_slow);
  settings.original_positions =
      scaling.size_or("original_max_position_embeddings", settings.original_positions);
  if (settings.type == "llama3" && settings.high_factor <= settings.low_factor)
    scaling.refuse("high_freq_factor", "should be larger than low_freq_factor");
  if (settings.type == "yarn")
    settings.attention_factor = yarn_attention_factor(scaling, settings.factor);
}

// rope_parameters, or what it says for this type of layer.
std::optional<ConfigReader> parameters_of(const ConfigReader& config,
                                          const std::string& layer_type) {
  auto parameters = config.object("rope_parameters");
  if (!parameters) return std::nullopt;
  if (auto of_type = parameters->object(layer_type.c_str())) return of_type;
  return parameters;
}

// The fraction of the interpolated frequency for pair `pair`: YaRN's ramp.
double yarn_share(const RotarySettings& settings, Index dims, Index pair) {
  const auto pair_of = [&](double turns) {
    return static_cast<double>(dims) *
           std::log(static_cast<double>(settings.original_positions) /
                    (turns * 2 * std::numbers::pi)) /
           (2 * std::log(settings.base));
  };
  const double low = std::max(0.0, std::floor(pair_of(settings.beta_fast)));
  double high = std::min(static_cast<double>(dims - 1), std::ceil(pair_of(settings.beta_slow)));
  if (high == low) high += 0.001;
  return std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
}

double llama3_frequency(const RotarySettings& settings, double frequency) {
  const double turns =
      static_cast<double>(settings.original_positions) * frequency / (2 * std::numbers::pi);
  if (turns < settings.low_factor) return frequency / settings.factor;
  if (turns > settings.high_factor) return frequency;
  const double smooth =
      (turns - settings.low_factor) / (settings.high_factor - settings.low_factor);
  return (1 - smooth) * frequency / settings.factor + smooth * frequency;
}

double scaled_frequency(const RotarySettings& settings, Index dims, Index pair, double frequency) {
  if (settings.type == "linear") return frequency / settings.factor;
  if (settings.type == "llama3") return llama3_frequency(settings, frequency);
  if (settings.type != "yarn") return frequency;
  const double share = yarn_share(settings, dims, pair);
  return share * frequency / settings.factor + (1 - share) * frequency;
}

}  // namespace

RotarySettings read_rotary(const ConfigReader& config, const std::string& layer_type,
                           const RotarySettings& usual) {
  RotarySettings settings = usual;
  settings.original_positions = config.size_or("max_position_embeddings", 2048);
  settings.base = positive(config, "rope_theta", positive(config, "rotary_emb_base", usual.base));
  settings.part =
      positive(config, "partial_rotary_factor", positive(config, "rotary_pct", usual.part));
  const bool sliding = layer_type == "sliding_attention";
  if (const auto parameters = parameters_of(config, layer_type)) {
    settings.base = positive(*parameters, "rope_theta", settings.base);
    settings.part = positive(*parameters, "partial_rotary_factor", settings.part);
    read_scaling(*parameters, settings);
  } else if (sliding && config.has("rope_local_base_freq")) {  // Gemma 3: never scaled
    settings.base = positive(config, "rope_local_base_freq", settings.base);
  } else if (const auto scaling = config.object("rope_scaling")) {
    read_scaling(*scaling, settings);
  }
  if (settings.part > 1) config.refuse("partial_rotary_factor", "should be at most 1");
  return settings;
}

std::vector<float> rotary_frequencies(const RotarySettings& settings, Index dims) {
  std::vector<float> frequencies;
  for (Index pair = 0; pair < dims / 2; ++pair) {
    const double frequency =
        std::pow(settings.base, -2.0 * static_cast<double>(pair) / static_cast<double>(dims));
    frequencies.push_back(static_cast<float>(scaled_frequency(settings, dims, pair, frequency)));
  }
  return frequencies;
}

}  // namespace lab::files
