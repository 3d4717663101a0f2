#include "app/files/model/describe.h"

#include <cmath>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::Index;
using attention::network::Activation;

namespace {

constexpr Index kLargestHead = 8192;

}  // namespace

Activation read_activation(const ConfigReader& config, const char* name, const char* usual) {
  const std::string spelt = config.text_or(name, usual);
  if (spelt == "gelu") return Activation::kGelu;
  if (spelt == "gelu_new" || spelt == "gelu_pytorch_tanh" || spelt == "gelu_fast")
    return Activation::kGeluTanh;
  if (spelt == "relu") return Activation::kRelu;
  if (spelt == "silu" || spelt == "swish") return Activation::kSilu;
  config.refuse(name, in_quotes(spelt) +
                          " is not supported; supported are gelu, gelu_new, gelu_pytorch_tanh, "
                          "relu, silu and swish");
}

float read_epsilon(const ConfigReader& config, const char* name, double usual) {
  const double value = config.number_or(name, usual);
  if (!(value >= 0) || value > 1) config.refuse(name, "should be from 0 to 1");
  return static_cast<float>(value);
}

// n_kv_heads and head_dim, which follow from the others in most families.
void set_heads(Description& d, Index n_heads) {
  d.n_heads = d.n_kv_heads = d.n_encoder_heads = n_heads;
  d.head_dim = d.d_model / n_heads;
}

// 1 / √head_dim in every layer, and no window.
void set_layers(Description& d) {
  const float factor = 1 / std::sqrt(static_cast<float>(d.head_dim));
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {.score_factor = factor});
}

void set_rotary(const ConfigReader& config, Description& d, const RotarySettings& usual) {
  d.positions = PositionKind::kRotary;
  if (d.head_dim > kLargestHead)
    config.refuse(config.has("head_dim") ? "head_dim" : "num_attention_heads",
                  "heads of " + std::to_string(d.head_dim) + " features; at most " +
                      std::to_string(kLargestHead) + " are supported");
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && static_cast<Index>(types.size()) != d.n_layers)
    config.refuse("layer_types", std::to_string(types.size()) + " types for " +
                                     std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    const bool sliding = d.layers[layer].window > 0;
    const RotarySettings settings =
        read_rotary(config, sliding ? "sliding_attention" : "full_attention", usual);
    const auto dims = static_cast<Index>(static_cast<double>(d.head_dim) * settings.part);
    d.layers[layer].frequencies = rotary_frequencies(settings, dims);
    d.rotary_scale = static_cast<float>(settings.attention_factor);
  }
}

}  // namespace lab::files
