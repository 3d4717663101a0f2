#include "app/files/model/describe.h"

#include <cmath>

namespace lab::files {

using attention::Index;
using attention::network::NormKind;

// Llama, and what Mistral, Qwen and Gemma have in common with it.
void describe_llama(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.n_kv_heads = config.size_or("num_key_value_heads", d.n_heads);
  d.head_dim = config.size_or("head_dim", d.head_dim);
  d.d_mlp = config.size("intermediate_size");
  d.max_positions = config.count_or("max_position_embeddings", 0);
  d.norm = NormKind::kRms;
  d.norm_epsilon = read_epsilon(config, "rms_norm_eps", 1e-6);
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", false);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.biases.norm = false;
  d.activation = read_activation(config, "hidden_act", "silu");
  d.gated = true;
  d.tied = config.flag_or("tie_word_embeddings", false);
  set_layers(d);
  set_rotary(config, d);
}

void describe_mistral(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  for (LayerDescription& layer : d.layers) layer.window = config.count_or("sliding_window", 0);
}

namespace {

// Windows in the layers whose layer_types say so; without them, where `is_sliding` does.
template <typename IsSliding>
void set_windows(const ConfigReader& config, Description& d, IsSliding is_sliding) {
  const std::vector<std::string> types = config.texts("layer_types");
  const Index window = config.count_or("sliding_window", 0);
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    const bool sliding = types.empty()
                             ? is_sliding(static_cast<Index>(layer))
                             : layer < types.size() && types[layer] == "sliding_attention";
    if (sliding) d.layers[layer].window = window;
  }
}

}  // namespace

void describe_qwen2(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  d.biases.query_key_value = true;
  const bool windows = config.flag_or("use_sliding_window", false);
  const Index first = config.count_or("max_window_layers", 28);
  set_windows(config, d, [&](Index layer) { return windows && layer >= first; });
}

void describe_qwen3(const ConfigReader& config, Description& d) {
  describe_qwen2(config, d);
  d.head_dim = config.size_or("head_dim", 128);
  d.biases.query_key_value = config.flag_or("attention_bias", false);
  d.query_key_norm = true;
  for (LayerDescription& layer : d.layers)
    layer.score_factor = 1 / std::sqrt(static_cast<float>(d.head_dim));
  set_rotary(config, d);
}

namespace {

// What Gemma 2 and 3 have in common.
void describe_gemma(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  d.head_dim = config.size_or("head_dim", 256);
  d.activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh");
  d.norm_weight_plus_one = true;
  d.norm_place = NormPlace::kBoth;
  d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  d.tied = config.flag_or("tie_word_embeddings", true);
  const double scalar = config.number_or("query_pre_attn_scalar", 256);
  if (!(scalar > 0)) config.refuse("query_pre_attn_scalar", "should be a positive number");
  for (LayerDescription& layer : d.layers)
    layer.score_factor = static_cast<float>(1 / std::sqrt(scalar));
}

// A cap that is missing is as `usual`; null is none.
float cap(const ConfigReader& config, const char* name, double usual) {
  return static_cast<float>(config.number_or(name, config.says_null(name) ? 0 : usual));
}

}  // namespace

void describe_gemma2(const ConfigReader& config, Description& d) {
  describe_gemma(config, d);
  d.score_cap = cap(config, "attn_logit_softcapping", 50);
  d.logit_cap = cap(config, "final_logit_softcapping", 30);
  set_windows(config, d, [](Index layer) { return layer % 2 == 0; });
  set_rotary(config, d);
}

void describe_gemma3(const ConfigReader& config, Description& d) {
  if (config.flag_or("use_bidirectional_attention", false))
    config.refuse("use_bidirectional_attention", "only false is supported");
  describe_gemma(config, d);
  d.score_cap = cap(config, "attn_logit_softcapping", 0);
  d.logit_cap = cap(config, "final_logit_softcapping", 0);
  d.query_key_norm = true;
  const Index pattern =
      config.size_or("sliding_window_pattern", config.size_or("_sliding_window_pattern", 6));
  set_windows(config, d, [&](Index layer) { return (layer + 1) % pattern != 0; });
  set_rotary(config, d, {.base = 1e6});
}

}  // namespace lab::files
