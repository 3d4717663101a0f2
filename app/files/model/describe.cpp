#include "app/files/model/describe.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::Index;
using attention::network::Activation;

Activation activation_called(const ConfigReader& config, const char* name,
                             const std::string& spelt) {
  struct Name {
    const char* spelt;
    Activation activation;
  };
  static constexpr Name kNames[] = {
      {"gelu", Activation::kGelu},
      {"gelu_python", Activation::kGelu},
      {"gelu_new", Activation::kGeluTanh},
      {"gelu_pytorch_tanh", Activation::kGeluTanh},
      {"gelu_python_tanh", Activation::kGeluTanh},
      {"gelu_fast", Activation::kGeluTanh},
      {"gelu_accurate", Activation::kGeluTanh},
      {"quick_gelu", Activation::kGeluSigmoid},
      {"gelu_10", Activation::kGeluClipped},
      {"relu", Activation::kRelu},
      {"relu6", Activation::kRelu6},
      {"relu2", Activation::kReluSquared},
      {"leaky_relu", Activation::kReluLeaky},
      {"silu", Activation::kSilu},
      {"swish", Activation::kSilu},
      {"hardswish", Activation::kSiluHard},
      {"mish", Activation::kMish},
      {"sigmoid", Activation::kSigmoid},
      {"tanh", Activation::kTanh},
      {"linear", Activation::kIdentity},
  };
  std::string known;
  for (const Name& entry : kNames) {
    if (spelt == entry.spelt) return entry.activation;
    known += (known.empty() ? "" : ", ") + std::string(entry.spelt);
  }
  config.refuse(name, in_quotes(spelt) + " is not supported; supported are " + known);
}

Activation read_activation(const ConfigReader& config, const char* name,
                           const char* default_value) {
  return activation_called(config, name, config.text_or(name, default_value));
}

float read_epsilon(const ConfigReader& config, const char* name, double default_value) {
  const double value = config.number_or(name, default_value);
  if (!(value >= 0) || value > 1) config.refuse(name, "should be from 0 to 1");
  return static_cast<float>(value);
}

void set_heads(const ConfigReader& config, const char* name, Index default_value, Description& d) {
  d.n_heads = d.n_kv_heads = d.n_encoder_heads = config.size_or(name, default_value, kMostHeads);
  d.head_dim = d.d_model / d.n_heads;
}

void check_whole_heads(const ConfigReader& config, const char* name, const Description& d) {
  for (const Index heads : {d.n_heads, d.n_encoder_heads})
    if (d.d_model % heads != 0)
      config.refuse(name, std::to_string(heads) + " heads do not divide " +
                              std::to_string(d.d_model) + " features");
}

// 1 / √head_dim in every layer, and no window.
void set_layers(Description& d) {
  const float factor = 1 / std::sqrt(static_cast<float>(d.head_dim));
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {.score_factor = factor});
}

void set_windows(const ConfigReader& config, Description& d, Index window,
                 const std::function<bool(Index)>& is_sliding) {
  const std::vector<std::string> types = config.texts("layer_types");
  if (config.has("layer_types") && static_cast<Index>(types.size()) != d.n_layers)
    config.refuse("layer_types", std::to_string(types.size()) + " types for " +
                                     std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    LayerDescription& settings = d.layers[layer];
    settings.sliding =
        types.empty() ? is_sliding(static_cast<Index>(layer)) : types[layer] == "sliding_attention";
    if (!types.empty() && !settings.sliding && types[layer] != "full_attention")
      config.refuse("layer_types",
                    in_quotes(types[layer]) + " is neither full_attention nor sliding_attention");
    if (settings.sliding && window == 0)
      config.refuse("sliding_window",
                    "is missing or off, and layer " + std::to_string(layer) + " is a sliding one");
    if (settings.sliding) settings.window = window;
  }
}

namespace {

// The member that gives the features of a head which are rotated.
const char* name_of_head_size(const ConfigReader& config, const Description& d) {
  if (d.latent) return "qk_rope_head_dim";
  return config.has("head_dim") ? "head_dim" : "num_attention_heads";
}

}  // namespace

void check_rotated_heads(const ConfigReader& config, const Description& d) {
  if (d.head_dim > kLargestRotatedHead)
    config.refuse(name_of_head_size(config, d),
                  "heads of " + std::to_string(d.head_dim) + " features; at most " +
                      std::to_string(kLargestRotatedHead) + " are supported");
}

void set_rotary(const ConfigReader& config, Description& d, const RotarySpelling& family) {
  d.positions = PositionType::kRotary;
  check_rotated_heads(config, d);
  RotarySpelling spelling = family;
  spelling.positions = d.max_positions;
  std::map<bool, LayerDescription> types;  // by `sliding`
  for (LayerDescription& layer : d.layers) {
    const auto [at, added] = types.try_emplace(layer.sliding);
    if (added) {
      const RotarySettings settings = read_rotary(
          config, layer.sliding ? "sliding_attention" : "full_attention", spelling, d.notes);
      const Index all = d.rotary_dim();
      const auto dims = static_cast<Index>(static_cast<double>(all) * settings.fraction);
      at->second.frequencies = rotary_frequencies(settings, dims);
      at->second.rotary_scale = static_cast<float>(settings.attention_factor);
      at->second.long_texts = rotary_of_long_texts(settings, dims);
      at->second.score_factor = static_cast<float>(settings.score_factor);
      if (2 * static_cast<Index>(at->second.frequencies.size()) > all)
        config.refuse(name_of_head_size(config, d),
                      "heads of " + std::to_string(all) + " features cannot be rotated in pairs");
    }
    layer.frequencies = at->second.frequencies;
    layer.rotary_scale = at->second.rotary_scale;
    layer.score_factor *= at->second.score_factor;
    layer.long_texts = at->second.long_texts;
  }
  std::ranges::sort(d.notes);  // both types of layers may say the same
  d.notes.erase(std::unique(d.notes.begin(), d.notes.end()), d.notes.end());
}

}  // namespace lab::files
