#include "app/files/model/rotary_config.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/base/bad_input.h"

namespace lab::files {
namespace {

using attention::Index;
using nlohmann::json;

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
  if (const auto given = scaling.optional_number("attention_factor")) return *given;
  const double m = scaling.optional_number("mscale").value_or(0);
  const double m_all = scaling.optional_number("mscale_all_dim").value_or(0);
  return m != 0 && m_all != 0 ? yarn_magnitude(factor, m) / yarn_magnitude(factor, m_all)
                              : yarn_magnitude(factor, 1);
}

// A positive number that must be there.
double needed(const ConfigReader& scaling, const char* name, const std::string& type) {
  if (scaling.find(name) == nullptr)
    scaling.refuse(name, "is missing, and rope_type " + in_quotes(type) + " needs it");
  return positive(scaling, name, 1);
}

// YaRN's bounds of the ramp, in turns; the reference takes null and 0 for the default.
double turns_or(const ConfigReader& scaling, const char* name, double otherwise) {
  const double value = scaling.optional_number(name).value_or(0);
  if (value < 0) scaling.refuse(name, "should be a positive number");
  return value == 0 ? otherwise : value;
}

void read_yarn(const ConfigReader& scaling, Index positions, RotarySettings& settings) {
  if (scaling.says_null("factor")) {
    settings.factor =
        static_cast<double>(positions) / static_cast<double>(settings.original_positions);
  } else {
    settings.factor = needed(scaling, "factor", settings.type);
  }
  settings.beta_fast = turns_or(scaling, "beta_fast", settings.beta_fast);
  settings.beta_slow = turns_or(scaling, "beta_slow", settings.beta_slow);
  settings.truncate = !scaling.says_null("truncate") && scaling.flag_or("truncate", true);
  settings.attention_factor = yarn_attention_factor(scaling, settings.factor);
}

std::vector<double> positive_numbers(const ConfigReader& config, const char* name) {
  std::vector<double> numbers = config.numbers(name);
  for (const double number : numbers)
    if (!(number > 0)) config.refuse(name, "should be positive numbers");
  return numbers;
}

void read_longrope(const ConfigReader& scaling, Index positions, RotarySettings& settings) {
  const auto original = static_cast<double>(settings.original_positions);
  settings.factor =
      scaling.optional_number("factor").value_or(static_cast<double>(positions) / original);
  const double magnitude =
      settings.factor <= 1 ? 1 : std::sqrt(1 + std::log(settings.factor) / std::log(original));
  settings.attention_factor = scaling.optional_number("attention_factor").value_or(magnitude);
  if (!std::isfinite(settings.attention_factor))
    scaling.refuse("original_max_position_embeddings", "1 leaves nothing to scale by");
  settings.short_factors = positive_numbers(scaling, "short_factor");
  settings.long_factors = positive_numbers(scaling, "long_factor");
}

// mscale_all_dim as DeepSeek's attention reads it, whatever the type is.
double factor_of_scores(const ConfigReader& scaling, const std::string& type) {
  const double magnitude = scaling.optional_number("mscale_all_dim").value_or(0);
  if (magnitude == 0) return 1;
  const double factor = yarn_magnitude(needed(scaling, "factor", type), magnitude);
  return factor * factor;
}

// `outside` is what config.json says of the original positions outside the settings, which counts.
void read_scaling(const ConfigReader& scaling, const RotarySpelling& spelling,
                  std::optional<Index> outside, RotarySettings& settings,
                  std::vector<std::string>& notes) {
  const std::string older = scaling.text_or("type", "default");
  settings.type = scaling.text_or("rope_type", older);
  if (scaling.find("type") != nullptr && older != settings.type)
    notes.push_back("rope_type says " + in_quotes(settings.type) + " and type " + in_quotes(older) +
                    ": the first counts");
  if (spelling.only_longrope && (settings.type == "su" || settings.type == "yarn"))
    settings.type = "longrope";
  if (settings.type == "default") return;
  if (spelling.only_longrope && settings.type != "longrope")
    scaling.refuse("rope_type", in_quotes(settings.type) +
                                    " is not supported for this family; supported are default and "
                                    "longrope");
  settings.original_positions = outside ? *outside
                                        : scaling.size_or("original_max_position_embeddings",
                                                          std::max<Index>(1, spelling.positions));
  if (settings.type == "linear") {
    settings.factor = needed(scaling, "factor", settings.type);
  } else if (settings.type == "dynamic") {
    settings.factor = needed(scaling, "factor", settings.type);
    settings.original_positions = std::max<Index>(1, spelling.positions);
  } else if (settings.type == "llama3") {
    settings.factor = needed(scaling, "factor", settings.type);
    settings.low_factor = needed(scaling, "low_freq_factor", settings.type);
    settings.high_factor = needed(scaling, "high_freq_factor", settings.type);
    if (settings.high_factor <= settings.low_factor)
      scaling.refuse("high_freq_factor", "should be larger than low_freq_factor");
  } else if (settings.type == "yarn") {
    read_yarn(scaling, spelling.positions, settings);
  } else if (settings.type == "proportional" && spelling.proportional) {
    settings.factor = positive(scaling, "factor", 1);
  } else if (settings.type == "longrope") {
    read_longrope(scaling, spelling.positions, settings);
  } else {
    scaling.refuse("rope_type", in_quotes(settings.type) +
                                    " is not supported; supported are default, linear, "
                                    "dynamic, llama3, yarn and longrope" +
                                    (spelling.proportional ? ", and proportional" : ""));
  }
}

// A member of config.json that holds settings; an empty object when it is missing, null or empty.
json settings_in(const ConfigReader& config, const char* name) {
  const auto object = config.object(name);
  return object ? object->value() : json::object();
}

// What holds for all layers, and the name of the member that says so.
std::pair<json, const char*> flat_parameters(const ConfigReader& config,
                                             std::vector<std::string>& notes) {
  json scaling = settings_in(config, "rope_scaling");
  json parameters = settings_in(config, "rope_parameters");
  if (scaling.empty()) return {std::move(parameters), "rope_parameters."};
  if (!parameters.empty() && parameters != scaling)
    notes.emplace_back("rope_scaling and rope_parameters differ: the first counts");
  return {std::move(scaling), "rope_scaling."};
}

// What holds for a type of layers, as Gemma 3 spells it.
json parameters_of_type(const ConfigReader& config, const std::string& type, bool scaled) {
  const auto all = config.object("rope_parameters");
  json parameters = all ? settings_in(*all, type.c_str()) : json::object();
  if (scaled) parameters.update(settings_in(config, "rope_scaling"));
  return parameters;
}

// The first that is there: a member of `parameters`, or of config.json under the name `outside`,
// unless that is null.
double base_of(const ConfigReader& parameters, const ConfigReader& config, const char* outside,
               double default_value, std::vector<std::string>& notes) {
  if (outside == nullptr) return positive(parameters, "rope_theta", default_value);
  if (parameters.find("rope_theta") == nullptr) return positive(config, outside, default_value);
  const double base = positive(parameters, "rope_theta", default_value);
  if (config.has(outside) && config.number_or(outside, base) != base)
    notes.push_back(std::string(outside) +
                    " differs from the rope_theta in the settings of rotary "
                    "positions, which counts");
  return base;
}

// The fraction of the interpolated frequency for pair `pair`: YaRN's ramp.
double yarn_share(const RotarySettings& settings, Index dims, Index pair) {
  const auto pair_of = [&](double turns) {
    return static_cast<double>(dims) *
           std::log(static_cast<double>(settings.original_positions) /
                    (turns * 2 * std::numbers::pi)) /
           (2 * std::log(settings.base));
  };
  const auto bound = [&](double at, double whole) { return settings.truncate ? whole : at; };
  const double first = pair_of(settings.beta_fast), last = pair_of(settings.beta_slow);
  const double low = std::max(0.0, bound(first, std::floor(first)));
  double high = std::min(static_cast<double>(dims - 1), bound(last, std::ceil(last)));
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

// Only the first pairs, a part of all, are rotated.
double proportional_frequency(const RotarySettings& settings, Index dims, Index pair,
                              double frequency) {
  const double pairs = std::floor(settings.fraction * static_cast<double>(dims) / 2);
  return static_cast<double>(pair) < pairs ? frequency / settings.factor : 0;
}

double scaled_frequency(const RotarySettings& settings, Index dims, Index pair, double frequency) {
  if (settings.type == "longrope")
    return frequency / settings.short_factors[static_cast<std::size_t>(pair)];
  if (settings.type == "proportional")
    return proportional_frequency(settings, dims, pair, frequency);
  if (settings.type == "linear") return frequency / settings.factor;
  if (settings.type == "llama3") return llama3_frequency(settings, frequency);
  if (settings.type != "yarn") return frequency;
  const double share = yarn_share(settings, dims, pair);
  return share * frequency / settings.factor + (1 - share) * frequency;
}

}  // namespace

RotarySettings read_rotary(const ConfigReader& config, const std::string& layer_type,
                           const RotarySpelling& spelling, std::vector<std::string>& notes) {
  const bool full = layer_type == "full_attention";
  const auto [parameters, place] =
      spelling.by_layer_type
          ? std::pair(parameters_of_type(config, layer_type, full || spelling.scaling_for_all),
                      "rope_parameters.")
          : flat_parameters(config, notes);
  const ConfigReader reader(parameters, place);
  if (spelling.layer_types && reader.find(layer_type.c_str()) != nullptr)
    reader.refuse(layer_type.c_str(), "settings by type of layer are not for this family");
  RotarySettings settings;
  const bool sliding = spelling.by_layer_type && !full;
  settings.base = base_of(reader, config, sliding ? spelling.sliding_base : spelling.base,
                          sliding ? spelling.default_sliding_base : spelling.default_base, notes);
  std::optional<Index> original;
  if (spelling.original_positions > 0 ||
      (!spelling.by_layer_type && config.find("original_max_position_embeddings") != nullptr))
    original = config.size_or("original_max_position_embeddings", spelling.original_positions);
  read_scaling(reader, spelling, original, settings, notes);
  if (spelling.scaled_scores && settings.type != "default")
    settings.score_factor = factor_of_scores(reader, settings.type);
  const double fraction = positive(reader, "partial_rotary_factor",
                                   positive(config, spelling.fraction, spelling.default_fraction));
  if (fraction > 1) config.refuse(spelling.fraction, "should be at most 1");
  if (spelling.partial || settings.type == "proportional") {
    settings.fraction = fraction;
  } else if (fraction != 1 && settings.type != "default") {
    constexpr const char* kInside = "partial_rotary_factor";
    const bool inside = reader.find(kInside) != nullptr;
    (inside ? reader : config)
        .refuse(inside ? kInside : spelling.fraction,
                "heads of this family are rotated as a whole");
  }
  return settings;
}

std::vector<float> rotary_frequencies(const RotarySettings& settings, Index dims) {
  const Index pairs = (dims + 1) / 2, factors = std::ssize(settings.short_factors);
  if (settings.type == "longrope" && factors != pairs)
    throw BadInput("short_factor: " + std::to_string(factors) + " factors for " +
                   std::to_string(pairs) + " pairs of features");
  std::vector<float> frequencies;
  for (Index pair = 0; pair < pairs; ++pair) {
    const double frequency =
        std::pow(settings.base, -2.0 * static_cast<double>(pair) / static_cast<double>(dims));
    frequencies.push_back(static_cast<float>(scaled_frequency(settings, dims, pair, frequency)));
  }
  return frequencies;
}

std::optional<attention::network::LongTexts> rotary_of_long_texts(const RotarySettings& settings,
                                                                  Index dims) {
  attention::network::LongTexts longer{
      settings.original_positions, {}, settings.base, settings.factor, dims};
  if (settings.type == "dynamic") {
    if (dims < 4)
      throw BadInput("heads of " + std::to_string(dims) +
                     " features: dynamic rotary "
                     "positions need 4");
    return longer;
  }
  if (settings.type != "longrope") return std::nullopt;
  RotarySettings of_longer = settings;
  of_longer.short_factors = settings.long_factors;
  if (settings.long_factors.size() != settings.short_factors.size())
    throw BadInput("long_factor: " + std::to_string(settings.long_factors.size()) +
                   " factors, but short_factor has " +
                   std::to_string(settings.short_factors.size()));
  longer.frequencies = rotary_frequencies(of_longer, dims);
  return longer;
}

}  // namespace lab::files
