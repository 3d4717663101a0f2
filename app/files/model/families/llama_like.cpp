#include "app/files/model/families/llama_like.h"

#include <algorithm>
#include <cmath>

#include "app/files/model/describe.h"

namespace lab::files {

using attention::Index;

void describe_llama_like(const ConfigReader& config, Description& d, const LlamaDefaults& defaults,
                         const Epsilon& epsilon) {
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
  d.norm = attention::network::NormType::kRms;
  d.norm_epsilon = read_epsilon(config, epsilon.name, epsilon.value);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = d.biases.norm = false;
  d.activation = attention::network::Activation::kSilu;
  d.gated = true;
  d.tied = config.flag_or("tie_word_embeddings", false);
}

void read_attention_bias(const ConfigReader& config, Description& d) {
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", false);
}

Index read_window(const ConfigReader& config) {
  if (config.says_null("sliding_window")) return 0;
  return config.size_or("sliding_window", 4096);
}

float read_cap(const ConfigReader& config, const char* name, double default_value) {
  if (config.says_null(name)) return 0;
  const double value = config.number_or(name, default_value);
  if (value == 0 && config.has(name)) config.refuse(name, "0, should be another number, or null");
  return static_cast<float>(std::abs(value));
}

void require_key_heads(const ConfigReader& config) {
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
}

void set_window_of_all(const ConfigReader& config, Description& d) {
  if (!config.has("sliding_window")) return;
  for (LayerDescription& layer : d.layers) layer.window = read_window(config);
}

void set_dense_layers(const ConfigReader& config, const char* name, Index default_value,
                      Description& d) {
  const Index dense = config.count_or(name, default_value);
  for (Index layer = 0; layer < std::min(dense, d.n_layers); ++layer)
    d.layers[static_cast<std::size_t>(layer)].experts = false;
}

void read_experts(const ConfigReader& config, const char* count_name, Index count, Index chosen,
                  Description& d) {
  d.experts.count = config.size_or(count_name, count, kMostExperts);
  d.experts.chosen = config.size_or("num_experts_per_tok", chosen);
  if (d.experts.chosen > d.experts.count)
    config.refuse("num_experts_per_tok", std::to_string(d.experts.chosen) + " of " +
                                             std::to_string(d.experts.count) +
                                             " experts cannot be chosen");
}

void refuse_head_norms(const ConfigReader& config, const char* name) {
  if (config.has(name) && config.flag_or(name, false))
    config.refuse(name, "only false is supported");
}

}  // namespace lab::files
