#include "app/files/model/describe.h"

#include <cmath>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::Index;
using attention::network::Activation;
using attention::network::NormType;

namespace {

// The defaults in which the families around Llama differ.
struct LlamaDefaults {
  Index vocabulary, d_model, d_mlp, n_layers, n_heads;
  Index n_kv_heads;  // 0: as many as heads
  Index head_dim;    // 0: d_model / n_heads
  Index positions;
};

// What all of them have in common. Windows and rotary positions are set afterwards.
void describe_common(const ConfigReader& config, Description& d, const LlamaDefaults& defaults) {
  d.vocabulary = config.size_or("vocab_size", defaults.vocabulary);
  d.d_model = config.size_or("hidden_size", defaults.d_model);
  d.n_layers = config.size_or("num_hidden_layers", defaults.n_layers, kMostLayers);
  set_heads(config, "num_attention_heads", defaults.n_heads, d);
  d.n_kv_heads = defaults.n_kv_heads == 0 ? d.n_heads : defaults.n_kv_heads;
  if (config.says_null("num_key_value_heads")) d.n_kv_heads = d.n_heads;
  d.n_kv_heads = config.optional_size("num_key_value_heads").value_or(d.n_kv_heads);
  if (defaults.head_dim > 0) {
    d.head_dim = config.size_or("head_dim", defaults.head_dim);
  } else {
    d.head_dim = config.optional_size("head_dim").value_or(d.head_dim);
  }
  d.d_mlp = config.size_or("intermediate_size", defaults.d_mlp);
  d.max_positions = config.size_or("max_position_embeddings", defaults.positions);
  d.norm = NormType::kRms;
  d.norm_epsilon = read_epsilon(config, "rms_norm_eps", 1e-6);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = d.biases.norm = false;
  d.activation = Activation::kSilu;
  d.gated = true;
  d.tied = config.flag_or("tie_word_embeddings", false);
}

// attention_bias, of all four maps.
void read_attention_bias(const ConfigReader& config, Description& d) {
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", false);
}

// The window of sliding layers; 0 where there is none.
Index window_of(const ConfigReader& config) {
  if (config.says_null("sliding_window")) return 0;
  return config.size_or("sliding_window", 4096);
}

// Marks the layers that layer_types says are sliding, or `is_sliding` does where it is missing, and
// gives them the window, which they need.
template <typename IsSliding>
void set_windows(const ConfigReader& config, Description& d, Index window, IsSliding is_sliding) {
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

}  // namespace

void describe_llama(const ConfigReader& config, Description& d) {
  describe_common(config, d, {32000, 4096, 11008, 32, 32, 0, 0, 2048});
  check_whole_heads(config, "num_attention_heads", d);
  read_attention_bias(config, d);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  set_rotary(config, d);
}

void describe_mistral(const ConfigReader& config, Description& d) {
  describe_common(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = window_of(config);
  for (LayerDescription& layer : d.layers) layer.window = window;
  set_rotary(config, d);
}

namespace {

// What Qwen2 and Qwen3 have in common.
void describe_qwen(const ConfigReader& config, Description& d, Index head_dim) {
  describe_common(config, d, {151936, 4096, 22016, 32, 32, 32, head_dim, 32768});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = config.flag_or("use_sliding_window", false) ? window_of(config) : 0;
  const Index first = config.count_or("max_window_layers", 28);
  set_windows(config, d, window, [&](Index layer) { return window > 0 && layer >= first; });
  set_rotary(config, d, {.layer_types = true});
}

}  // namespace

void describe_qwen2(const ConfigReader& config, Description& d) {
  describe_qwen(config, d, 0);
  d.biases.query_key_value = true;
}

void describe_qwen3(const ConfigReader& config, Description& d) {
  describe_qwen(config, d, 128);
  read_attention_bias(config, d);
  d.query_key_norm = true;
}

namespace {

// What Gemma 2 and 3 have in common.
void describe_gemma(const ConfigReader& config, Description& d, Index vocabulary, Index positions) {
  if (config.has("use_bidirectional_attention") &&
      config.flag_or("use_bidirectional_attention", false))
    config.refuse("use_bidirectional_attention", "only false is supported");
  describe_common(config, d, {vocabulary, 2304, 9216, 26, 8, 4, 256, positions});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  check_whole_heads(config, "num_attention_heads", d);
  read_attention_bias(config, d);
  d.activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh");
  d.norm_weight_plus_one = true;
  d.norm_position = NormPosition::kBoth;
  d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  d.tied = config.flag_or("tie_word_embeddings", true);
  set_layers(d);
  const double scalar = config.number_or("query_pre_attn_scalar", 256);
  if (!(scalar > 0)) config.refuse("query_pre_attn_scalar", "should be a positive number");
  for (LayerDescription& layer : d.layers)
    layer.score_factor = static_cast<float>(1 / std::sqrt(scalar));
}

// A cap that is missing is as `usual`; null is none.
float cap(const ConfigReader& config, const char* name, double default_value) {
  if (config.says_null(name)) return 0;
  const double value = config.number_or(name, default_value);
  if (value == 0 && config.has(name)) config.refuse(name, "0, should be another number, or null");
  return static_cast<float>(std::abs(value));
}

}  // namespace

void describe_gemma2(const ConfigReader& config, Description& d) {
  describe_gemma(config, d, 256000, 8192);
  d.score_cap = cap(config, "attn_logit_softcapping", 50);
  d.logit_cap = cap(config, "final_logit_softcapping", 30);
  set_windows(config, d, window_of(config), [](Index layer) { return layer % 2 == 0; });
  set_rotary(config, d, {.layer_types = true});
}

void describe_gemma3(const ConfigReader& config, Description& d) {
  describe_gemma(config, d, 262208, 131072);
  d.score_cap = cap(config, "attn_logit_softcapping", 0);
  d.logit_cap = cap(config, "final_logit_softcapping", 0);
  d.query_key_norm = true;
  const Index pattern = config.has("layer_types") ? 1 : config.size_or("sliding_window_pattern", 6);
  set_windows(config, d, window_of(config),
              [&](Index layer) { return (layer + 1) % pattern != 0; });
  set_rotary(config, d, {.by_layer_type = true});
}

}  // namespace lab::files
