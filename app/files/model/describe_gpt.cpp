#include "app/files/model/describe.h"

#include <cmath>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::Index;

void describe_gpt2(const ConfigReader& config, Description& d) {
  d.d_model = config.size("n_embd");
  d.n_layers = config.size("n_layer", kMostLayers);
  set_heads(d, config.size("n_head", kMostHeads));
  d.d_mlp = config.size_or("n_inner", 4 * d.d_model);
  d.max_positions = config.size_or("n_positions", config.size_or("n_ctx", 1024));
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation_function", "gelu_new");
  set_layers(d);
  const bool scaled = config.flag_or("scale_attn_weights", true);
  const bool by_layer = config.flag_or("scale_attn_by_inverse_layer_idx", false);
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    float& factor = d.layers[layer].score_factor;
    if (!scaled) factor = 1;
    if (by_layer) factor /= static_cast<float>(layer + 1);
  }
}

namespace {

// The kinds of GPT-Neo's layers: attention_layers, or attention_types as [[kinds], repeats].
std::vector<std::string> neo_kinds(const ConfigReader& config, Index n_layers) {
  std::vector<std::string> kinds = config.texts("attention_layers");
  const nlohmann::json* const types = config.find("attention_types");
  if (!kinds.empty() || types == nullptr) return kinds;
  for (const auto& group : *types) {
    const bool right = group.is_array() && group.size() == 2 && group[0].is_array() &&
                       group[1].is_number_unsigned();
    if (!right) config.refuse("attention_types", "should be a list of [[kinds], repeats]");
    const auto repeats = group[1].get<std::uint64_t>();
    for (std::uint64_t i = 0; i < repeats && static_cast<Index>(kinds.size()) < n_layers; ++i)
      for (const auto& kind : group[0]) kinds.push_back(kind.is_string() ? kind : "");
  }
  return kinds;
}

}  // namespace

void describe_gpt_neo(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_layers", kMostLayers);
  set_heads(d, config.size("num_heads", kMostHeads));
  d.d_mlp = config.size_or("intermediate_size", 4 * d.d_model);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation_function", "gelu_new");
  d.biases.query_key_value = false;
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {});
  const std::vector<std::string> kinds = neo_kinds(config, d.n_layers);
  if (kinds.size() != d.layers.size())
    config.refuse("attention_layers", std::to_string(kinds.size()) + " kinds for " +
                                          std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
    if (kinds[layer] == "local") d.layers[layer].window = config.size_or("window_size", 256);
    if (kinds[layer] != "local" && kinds[layer] != "global")
      config.refuse("attention_layers", in_quotes(kinds[layer]) + " is neither global nor local");
  }
}

void describe_gpt_neox(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.d_mlp = config.size("intermediate_size");
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_eps", 1e-5);
  d.activation = read_activation(config, "hidden_act", "gelu");
  d.parallel = config.flag_or("use_parallel_residual", true);
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", true);
  d.tied = config.flag_or("tie_word_embeddings", false);
  set_layers(d);
  set_rotary(config, d, {.part = 0.25});
}

void describe_opt(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.d_embedding = config.size_or("word_embed_proj_dim", d.d_model);
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.d_mlp = config.size("ffn_dim");
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.position_offset = 2;
  d.activation = read_activation(config, "activation_function", "relu");
  const bool before = config.flag_or("do_layer_norm_before", true);
  d.norm_place = before ? NormPlace::kBefore : NormPlace::kAfter;
  d.final_norm = before && !config.flag_or("_remove_final_layer_norm", false);
  const bool biases = config.flag_or("enable_bias", true);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  if (!config.flag_or("layer_norm_elementwise_affine", true))
    config.refuse("layer_norm_elementwise_affine", "only true is supported");
  set_layers(d);
}

}  // namespace lab::files
