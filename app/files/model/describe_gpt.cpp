#include "app/files/model/describe.h"

#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/tensor_names.h"

namespace lab::files {

using attention::Index;

void describe_gpt2(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50257);
  d.d_model = config.size_or("n_embd", 768);
  d.n_layers = config.size_or("n_layer", 12, kMostLayers);
  set_heads(config, "n_head", 12, d);
  check_whole_heads(config, "n_head", d);
  d.d_mlp = config.optional_size("n_inner").value_or(4 * d.d_model);
  d.max_positions = config.size_or("n_positions", 1024);
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

// The types of GPT-Neo's layers: attention_layers, which the reference stores beside it, or
// attention_types as [[types], repeats].
std::vector<std::string> neo_types(const ConfigReader& config, Index n_layers) {
  const nlohmann::json default_types = {{{"global", "local"}, 12}};
  if (config.has("attention_layers")) return config.texts("attention_layers");
  const nlohmann::json& groups =
      config.has("attention_types") ? *config.find("attention_types") : default_types;
  std::vector<std::string> types;
  for (const auto& group : groups) {
    const bool right = group.is_array() && group.size() == 2 && group[0].is_array() &&
                       group[1].is_number_unsigned();
    if (!right) config.refuse("attention_types", "should be a list of [[kinds], repeats]");
    const auto repeats = group[1].get<std::uint64_t>();
    for (std::uint64_t i = 0; i < repeats && static_cast<Index>(types.size()) <= n_layers; ++i)
      for (const auto& type : group[0]) types.push_back(type.is_string() ? type : "");
  }
  return types;
}

}  // namespace

void describe_gpt_neo(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50257);
  d.d_model = config.size_or("hidden_size", 2048);
  d.n_layers = config.size_or("num_layers", 24, kMostLayers);
  set_heads(config, "num_heads", 16, d);
  check_whole_heads(config, "num_heads", d);
  d.d_mlp = config.optional_size("intermediate_size").value_or(4 * d.d_model);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation_function", "gelu_new");
  d.biases.query_key_value = false;
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {});
  const std::vector<std::string> types = neo_types(config, d.n_layers);
  if (types.size() != d.layers.size())
    config.refuse("attention_layers", std::to_string(types.size()) + " kinds for " +
                                          std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < types.size(); ++layer) {
    if (types[layer] == "local") d.layers[layer].window = config.size_or("window_size", 256);
    if (types[layer] != "local" && types[layer] != "global")
      config.refuse("attention_layers", in_quotes(types[layer]) + " is neither global nor local");
  }
}

void describe_gpt_neox(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50432);
  d.d_model = config.size_or("hidden_size", 6144);
  d.n_layers = config.size_or("num_hidden_layers", 44, kMostLayers);
  set_heads(config, "num_attention_heads", 64, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", 24576);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_eps", 1e-5);
  d.activation = read_activation(config, "hidden_act", "gelu");
  d.parallel = config.flag_or("use_parallel_residual", true);
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", true);
  d.tied = config.flag_or("tie_word_embeddings", false);
  d.fused = FusedLayout::kByHead;
  set_layers(d);
  set_rotary(config, d,
             {.base = "rotary_emb_base",
              .fraction = "rotary_pct",
              .default_fraction = 0.25,
              .partial = true});
}

void describe_gptj(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50400);
  d.d_model = config.size_or("n_embd", 4096);
  d.n_layers = config.size_or("n_layer", 28, kMostLayers);
  set_heads(config, "n_head", 16, d);
  check_whole_heads(config, "n_head", d);
  d.d_mlp = config.optional_size("n_inner").value_or(4 * d.d_model);
  d.max_positions = config.size_or("n_positions", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation_function", "gelu_new");
  d.biases = {.query_key_value = false, .attention_output = false, .read_out = true};
  d.parallel = d.one_norm = true;
  d.tied = config.flag_or("tie_word_embeddings", false);
  const Index rotated = config.size_or("rotary_dim", 64);
  if (rotated > d.head_dim || rotated % 2 != 0)
    config.refuse("rotary_dim", "should be even, and at most the " + std::to_string(d.head_dim) +
                                    " features of a head");
  d.positions = PositionType::kRotary;
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  set_layers(d);
  for (LayerDescription& layer : d.layers) layer.frequencies = rotary_frequencies({}, rotated);
}

void describe_codegen(const ConfigReader& config, Description& d) {
  describe_gptj(config, d);
  if (d.n_heads % 4 != 0) config.refuse("n_head", "should be a multiple of 4");
  d.fused = FusedLayout::kInFour;
}

void describe_bloom(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 250880);
  const char* const width = config.has("n_embed") ? "n_embed" : "hidden_size";
  d.d_model = config.size_or(width, 64);
  d.n_layers = config.size_or("n_layer", 2, kMostLayers);
  set_heads(config, "n_head", 8, d);
  check_whole_heads(config, "n_head", d);
  d.d_mlp = 4 * d.d_model;
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = attention::network::Activation::kGeluTanh;
  if (config.flag_or("apply_residual_connection_post_layernorm", false))
    config.refuse("apply_residual_connection_post_layernorm", "only false is supported");
  d.embedding_norm = true;
  d.fused = FusedLayout::kByHead;
  d.positions = PositionType::kAlibi;
  set_layers(d);
}

void describe_falcon(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 65024);
  const char* const width = config.has("n_embed") ? "n_embed" : "hidden_size";
  d.d_model = config.size_or(width, 4544);
  d.n_layers = config.size_or("num_hidden_layers", 32, kMostLayers);
  set_heads(config, "num_attention_heads", 71, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.optional_size("ffn_hidden_size").value_or(4 * d.d_model);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation", "gelu");
  const bool biases = config.flag_or("bias", false);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  const bool grouped = config.flag_or("new_decoder_architecture", false);
  const bool parallel = config.flag_or("parallel_attn", true);
  if (grouped) {
    d.n_kv_heads = config.optional_size("num_kv_heads").value_or(d.n_heads);
    d.fused = FusedLayout::kByKeyHead;
  } else if (config.flag_or("multi_query", true)) {
    d.n_kv_heads = 1;
  } else {
    d.fused = FusedLayout::kByHead;
  }
  if (grouped && !parallel) config.refuse("parallel_attn", "should be true in this architecture");
  d.parallel = parallel;
  const Index norms = config.optional_size("num_ln_in_parallel_attn").value_or(grouped ? 2 : 1);
  if (!grouped && norms == 2)
    config.refuse("num_ln_in_parallel_attn", "2 needs new_decoder_architecture");
  d.one_norm = parallel && norms != 2;
  d.names = !parallel ? &kBloomNames : norms == 2 ? &kFalconTwoNormNames : nullptr;
  set_layers(d);
  if (!config.flag_or("alibi", false)) return set_rotary(config, d);
  d.positions = PositionType::kAlibi;
  d.alibi_factor = 2 * d.layers.front().score_factor;
  d.alibi_rounded = true;
  d.notes.emplace_back(
      "ALiBi is added twice, as by transformers where it gives attention; elsewhere it adds it "
      "once");
}

void describe_biogpt(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 42384);
  d.d_model = config.size_or("hidden_size", 1024);
  d.n_layers = config.size_or("num_hidden_layers", 24, kMostLayers);
  set_heads(config, "num_attention_heads", 16, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", 4096);
  d.max_positions = config.size_or("max_position_embeddings", 1024);
  d.position_offset = 2;
  d.activation = read_activation(config, "hidden_act", "gelu");
  if (config.flag_or("scale_embedding", true))
    d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  set_layers(d);
}

void describe_opt(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50272);
  d.d_model = config.size_or("hidden_size", 768);
  d.d_embedding = config.optional_size("word_embed_proj_dim").value_or(d.d_model);
  d.n_layers = config.size_or("num_hidden_layers", 12, kMostLayers);
  set_heads(config, "num_attention_heads", 12, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("ffn_dim", 3072);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.position_offset = 2;
  d.activation = read_activation(config, "activation_function", "relu");
  const bool before = config.flag_or("do_layer_norm_before", true);
  d.norm_position = before ? NormPosition::kBefore : NormPosition::kAfter;
  const bool without_final = config.flag_or("_remove_final_layer_norm", false);
  d.final_norm = before && !without_final;
  const bool biases = config.flag_or("enable_bias", true);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  d.norm_weights = config.flag_or("layer_norm_elementwise_affine", true);
  set_layers(d);
}

}  // namespace lab::files
