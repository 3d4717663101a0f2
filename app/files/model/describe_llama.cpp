#include "app/files/model/describe_llama.h"

#include <algorithm>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"

namespace lab::files {

using attention::Index;
using attention::network::Activation;
using attention::network::NormType;

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
  d.norm = NormType::kRms;
  d.norm_epsilon = read_epsilon(config, epsilon.name, epsilon.value);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = d.biases.norm = false;
  d.activation = Activation::kSilu;
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

namespace {

// Marks the layers that know no positions (NoPE): those where no_rope_layers has a 0, or every
// no_rope_layer_interval-th.
void set_nope_layers(const ConfigReader& config, Description& d) {
  const Index interval = config.size_or("no_rope_layer_interval", 4);
  const std::vector<double> rotated =
      config.has("no_rope_layers") ? config.numbers("no_rope_layers") : std::vector<double>();
  if (config.has("no_rope_layers") && static_cast<Index>(rotated.size()) < d.n_layers)
    config.refuse("no_rope_layers", std::to_string(rotated.size()) + " numbers for " +
                                        std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    d.layers[layer].rotated =
        rotated.empty() ? (static_cast<Index>(layer) + 1) % interval != 0 : rotated[layer] != 0;
}

}  // namespace

void describe_llama(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 11008, 32, 32, 0, 0, 2048});
  check_whole_heads(config, "num_attention_heads", d);
  read_attention_bias(config, d);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  set_rotary(config, d);
}

void describe_granite(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  const auto positive = [&](const char* name) {
    const double value = config.number_or(name, 1);
    if (!(value > 0) || value > 1e30) config.refuse(name, "should be a positive number");
    return static_cast<float>(value);
  };
  d.embedding_scale = positive("embedding_multiplier");
  d.branch_factor = positive("residual_multiplier");
  d.read_out_scale = 1 / positive("logits_scaling");
  for (LayerDescription& layer : d.layers) layer.score_factor = positive("attention_multiplier");
}

void describe_phi3(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32064, 3072, 8192, 32, 32, 0, 0, 4096}, {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  if (config.has("sliding_window"))
    for (LayerDescription& layer : d.layers) layer.window = read_window(config);
  set_rotary(config, d, {.partial = true, .only_longrope = true, .original_positions = 4096});
}

void describe_ministral(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = read_window(config);
  set_windows(config, d, window, [&](Index) { return window > 0; });
  set_rotary(config, d, {.layer_types = true});
}

void describe_ministral3(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {131072, 4096, 14336, 34, 32, 8, 128, 262144},
                      {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  if (config.has("sliding_window"))
    for (LayerDescription& layer : d.layers) layer.window = read_window(config);
  const auto rope = config.object("rope_parameters");
  if (!rope) config.refuse("rope_parameters", "is missing");
  set_rotary(config, d, {.default_base = 1e6});
  const Index original = rope->size_or("original_max_position_embeddings", 16384);
  if (rope->number_or("llama_4_scaling_beta", 0) == 0 || original >= d.max_positions) return;
  d.max_positions = d.longest_text = original;
  d.notes.push_back("texts are limited to " + std::to_string(original) +
                    " tokens: queries of later positions are scaled, which is not supported");
}

void describe_exaone4(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {102400, 4096, 16384, 32, 32, 32, 0, 2048},
                      {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  d.query_key_norm = true;
  d.norm_position = NormPosition::kBranch;
  set_layers(d);
  const Index window = read_window(config);
  const Index pattern =
      window == 0 || config.has("layer_types") ? 1 : config.size_or("sliding_window_pattern", 4);
  set_windows(config, d, window, [&](Index layer) { return (layer + 1) % pattern != 0; });
  for (LayerDescription& layer : d.layers) layer.rotated = window == 0 || layer.sliding;
  set_rotary(config, d, {.layer_types = true});
}

void describe_nemotron(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {256000, 6144, 24576, 32, 48, 0, 0, 4096}, {"norm_eps", 1e-5});
  read_attention_bias(config, d);
  d.norm = NormType::kLayer;
  d.norm_weight_plus_one = true;
  d.biases.norm = true;
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "relu2");
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.5, .partial = true});
}

namespace {

// NanoChat rotates the other way, and normalises queries and keys after that. A rotation does not
// change what they are divided by, and a factor s of the rotated rows falls out, but for ε / s².
void rotate_before_norm(const ConfigReader& config, Description& d) {
  const auto reverse = [](std::vector<float>& frequencies) {
    for (float& frequency : frequencies) frequency = -frequency;
  };
  for (LayerDescription& layer : d.layers) {
    reverse(layer.frequencies);
    if (layer.long_texts && layer.long_texts->frequencies.empty())
      config.refuse("rope_type", "\"dynamic\" is not supported in this family");
    if (layer.long_texts) reverse(layer.long_texts->frequencies);
    d.query_key_epsilon = d.norm_epsilon / (layer.rotary_scale * layer.rotary_scale);
    layer.rotary_scale = 1;
  }
}

}  // namespace

void describe_nanochat(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {50304, 768, 8192, 12, 6, 0, 0, 2048});
  read_attention_bias(config, d);
  d.norm_weights = false;
  d.embedding_norm = d.query_key_norm = true;
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "relu2");
  d.logit_cap = config.says_null("final_logit_softcapping")
                    ? 0
                    : static_cast<float>(config.number_or("final_logit_softcapping", 15));
  set_layers(d);
  set_rotary(config, d);
  rotate_before_norm(config, d);
}

void describe_mistral(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = read_window(config);
  for (LayerDescription& layer : d.layers) layer.window = window;
  set_rotary(config, d);
}

namespace {

// What Qwen2 and Qwen3 have in common.
void describe_qwen(const ConfigReader& config, Description& d, Index head_dim) {
  describe_llama_like(config, d, {151936, 4096, 22016, 32, 32, 32, head_dim, 32768});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = config.flag_or("use_sliding_window", false) ? read_window(config) : 0;
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

void read_experts(const ConfigReader& config, const char* count_name, Index count, Index chosen,
                  Description& d) {
  d.experts.count = config.size_or(count_name, count, kMostExperts);
  d.experts.chosen = config.size_or("num_experts_per_tok", chosen);
  if (d.experts.chosen > d.experts.count)
    config.refuse("num_experts_per_tok", std::to_string(d.experts.chosen) + " of " +
                                             std::to_string(d.experts.count) +
                                             " experts cannot be chosen");
}

namespace {

// The layers of Qwen's mixtures that have experts: every decoder_sparse_step-th one, but those that
// mlp_only_layers names.
void read_sparse_layers(const ConfigReader& config, Description& d) {
  const Index step = config.size_or("decoder_sparse_step", 1);
  const std::vector<double> dense =
      config.has("mlp_only_layers") ? config.numbers("mlp_only_layers") : std::vector<double>();
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    d.layers[layer].experts = (static_cast<Index>(layer) + 1) % step == 0 &&
                              std::ranges::find(dense, static_cast<double>(layer)) == dense.end();
}

}  // namespace

void describe_mixtral(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072},
                      {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  if (config.has("sliding_window"))
    for (LayerDescription& layer : d.layers) layer.window = read_window(config);
  set_rotary(config, d, {.default_base = 1e6});
  read_experts(config, "num_local_experts", 8, 2, d);
  d.experts.d_mlp = d.d_mlp;
  d.experts.normalised = true;
}

void describe_qwen2_moe(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151936, 2048, 5632, 24, 16, 16, 0, 32768});
  d.activation = read_activation(config, "hidden_act", "silu");
  d.biases.query_key_value = config.flag_or("qkv_bias", true);
  set_layers(d);
  const Index window = config.flag_or("use_sliding_window", false) ? read_window(config) : 0;
  const Index last = config.count_or("max_window_layers", 28);
  set_windows(config, d, window,
              [&](Index layer) { return window > 0 && layer % 2 == 0 && layer < last; });
  set_rotary(config, d, {.layer_types = true});
  read_experts(config, "num_experts", 60, 4, d);
  d.experts.d_mlp = config.size_or("moe_intermediate_size", 1408);
  d.experts.d_shared = config.size_or("shared_expert_intermediate_size", 5632);
  d.experts.shared_gate = true;
  d.experts.normalised = config.flag_or("norm_topk_prob", false);
  read_sparse_layers(config, d);
}

void describe_qwen3_moe(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151936, 2048, 6144, 24, 32, 4, 0, 32768});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  read_attention_bias(config, d);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.query_key_norm = true;
  set_layers(d);
  if (config.flag_or("use_sliding_window", false))
    for (LayerDescription& layer : d.layers) layer.window = read_window(config);
  set_rotary(config, d);
  read_experts(config, "num_experts", 128, 8, d);
  d.experts.d_mlp = config.size_or("moe_intermediate_size", 768);
  d.experts.normalised = config.flag_or("norm_topk_prob", false);
  read_sparse_layers(config, d);
}

void describe_glm4_moe(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151552, 4096, 10944, 46, 96, 8, 0, 131072},
                      {"rms_norm_eps", 1e-5});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  d.biases.query_key_value = config.flag_or("attention_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.query_key_norm = config.flag_or("use_qk_norm", false);
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.5, .partial = true});
  read_experts(config, "n_routed_experts", 128, 8, d);
  d.experts.d_mlp = config.size_or("moe_intermediate_size", 1408);
  d.experts.d_shared = d.experts.d_mlp * config.count_or("n_shared_experts", 1);
  d.experts.correction = true;
  d.experts.shares = attention::network::ExpertShares::kSigmoid;
  d.experts.normalised = config.flag_or("norm_topk_prob", true);
  d.experts.factor = static_cast<float>(config.number_or("routed_scaling_factor", 1));
  d.experts.groups = config.size_or("n_group", 1);
  d.experts.chosen_groups = config.size_or("topk_group", 1);
  const Index dense = config.count_or("first_k_dense_replace", 1);
  for (Index layer = 0; layer < std::min(dense, d.n_layers); ++layer)
    d.layers[static_cast<std::size_t>(layer)].experts = false;
}

namespace {

// What gpt-oss takes for rotary positions where config.json says nothing of them.
nlohmann::json with_usual_yarn(const ConfigReader& config) {
  nlohmann::json members = config.value();
  const auto scaling = config.object("rope_scaling");
  if (config.has("rope_parameters") || (scaling && !scaling->value().empty())) return members;
  members["rope_parameters"] = {{"rope_type", "yarn"}, {"factor", 32.0},
                                {"beta_fast", 32.0},   {"beta_slow", 1.0},
                                {"truncate", false},   {"original_max_position_embeddings", 4096U}};
  return members;
}

float limit_of_gates(const ConfigReader& config) {
  const double limit = config.number_or("swiglu_limit", 7);
  if (!(limit >= 0) || limit > 1e30) config.refuse("swiglu_limit", "should be a number from 0 on");
  return static_cast<float>(limit);
}

}  // namespace

void describe_gpt_oss(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {201088, 2880, 2880, 36, 64, 8, 64, 131072},
                      {"rms_norm_eps", 1e-5});
  const bool biases = config.flag_or("attention_bias", true);
  d.biases.query_key_value = d.biases.attention_output = biases;
  set_layers(d);
  if (config.says_null("sliding_window")) config.refuse("sliding_window", "is null");
  set_windows(config, d, config.size_or("sliding_window", 128),
              [](Index layer) { return layer % 2 == 0; });
  if (const std::string activation = config.text_or("hidden_act", "silu"); activation != "silu")
    d.notes.push_back("hidden_act is " + in_quotes(activation) +
                      ", but this family's experts have a gate of their own");
  const nlohmann::json members = with_usual_yarn(config);
  set_rotary(ConfigReader(members), d, {.default_base = 150000, .layer_types = true});
  read_experts(config, "num_local_experts", 128, 4, d);
  d.experts.d_mlp = d.d_mlp;
  d.experts.normalised = d.experts.biases = true;
  d.experts.clamped = {.limit = limit_of_gates(config),
                       .alpha = static_cast<float>(config.number_or("swiglu_alpha", 1.702))};
}

void describe_smollm3(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {128256, 2048, 11008, 36, 16, 4, 0, 32768});
  read_attention_bias(config, d);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.tied = config.flag_or("tie_word_embeddings", true);
  set_layers(d);
  set_nope_layers(config, d);
  const Index window = config.flag_or("use_sliding_window", false) && config.has("sliding_window")
                           ? read_window(config)
                           : 0;
  set_windows(config, d, window, [&](Index layer) {
    return window > 0 && !d.layers[static_cast<std::size_t>(layer)].rotated;
  });
  set_rotary(config, d, {.default_base = 2e6, .layer_types = true});
}

namespace {

void refuse_head_norms(const ConfigReader& config, const char* name) {
  if (config.has(name) && config.flag_or(name, false))
    config.refuse(name, "only false is supported");
}

// What both families of Cohere have in common: one LayerNorm without a bias for both branches of a
// block, and logits that are multiplied.
void describe_cohere_blocks(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {256000, 8192, 22528, 40, 64, 0, 0, 8192},
                      {"layer_norm_eps", 1e-5});
  read_attention_bias(config, d);
  d.norm = NormType::kLayer;
  d.activation = read_activation(config, "hidden_act", "silu");
  d.parallel = d.one_norm = true;
  d.read_out_scale = static_cast<float>(config.number_or("logit_scale", 0.0625));
  d.tied = config.flag_or("tie_word_embeddings", true);
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  set_layers(d);
}

}  // namespace

void describe_cohere(const ConfigReader& config, Description& d) {
  describe_cohere_blocks(config, d);
  refuse_head_norms(config, "use_qk_norm");
  set_rotary(config, d, {.default_base = 5e5});
}

void describe_cohere2(const ConfigReader& config, Description& d) {
  describe_cohere_blocks(config, d);
  const Index pattern = config.has("layer_types") ? 1 : config.size_or("sliding_window_pattern", 4);
  set_windows(config, d, read_window(config),
              [&](Index layer) { return (layer + 1) % pattern != 0; });
  for (LayerDescription& layer : d.layers) layer.rotated = layer.sliding;
  set_rotary(config, d, {.layer_types = true});
}

void describe_glm4(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151552, 4096, 13696, 40, 32, 2, 128, 131072},
                      {"rms_norm_eps", 1.5625e-7});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  d.biases.query_key_value = config.flag_or("attention_bias", true);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.norm_position = NormPosition::kBoth;
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.5, .partial = true});
}

void describe_helium(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {48000, 2560, 7040, 24, 20, 20, 128, 4096},
                      {"rms_norm_eps", 1e-8});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  d.biases.query_key_value = config.flag_or("attention_bias", false);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  set_layers(d);
  set_rotary(config, d, {.default_base = 1e5});
}

void describe_phi(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {51200, 2048, 8192, 24, 32, 0, 0, 2048}, {"layer_norm_eps", 1e-5});
  d.norm = NormType::kLayer;
  refuse_head_norms(config, "qk_layernorm");
  d.biases = {.read_out = true};
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "gelu_new");
  d.parallel = d.one_norm = true;
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.5, .partial = true});
}

void describe_stablelm(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {50304, 2560, 6912, 32, 32, 32, 0, 4096},
                      {"layer_norm_eps", 1e-5});
  check_whole_heads(config, "num_attention_heads", d);
  d.head_dim = d.d_model / d.n_heads;
  d.norm = NormType::kLayer;
  refuse_head_norms(config, "qk_layernorm");
  d.biases.norm = true;
  d.biases.query_key_value = config.flag_or("use_qkv_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.parallel = d.one_norm = config.flag_or("use_parallel_residual", false);
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.25, .partial = true});
}

void describe_starcoder2(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {49152, 3072, 12288, 30, 24, 2, 0, 4096}, {"norm_epsilon", 1e-5});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  d.norm = NormType::kLayer;
  d.biases.norm = true;
  const bool biases = config.flag_or("use_bias", true);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "gelu_pytorch_tanh");
  d.tied = config.flag_or("tie_word_embeddings", true);
  set_layers(d);
  if (config.has("sliding_window"))
    for (LayerDescription& layer : d.layers) layer.window = read_window(config);
  set_rotary(config, d);
}

namespace {

void refuse_both_ways(const ConfigReader& config) {
  if (config.has("use_bidirectional_attention") &&
      config.flag_or("use_bidirectional_attention", false))
    config.refuse("use_bidirectional_attention", "only false is supported");
}

}  // namespace

void describe_gemma(const ConfigReader& config, Description& d) {
  refuse_both_ways(config);
  describe_llama_like(config, d, {256000, 3072, 24576, 28, 16, 16, 256, 8192});
  if (config.says_null("num_key_value_heads")) config.refuse("num_key_value_heads", "is null");
  check_whole_heads(config, "num_attention_heads", d);
  read_attention_bias(config, d);
  const bool gelu = config.text_or("hidden_act", "") == "gelu";  // the first files say so
  d.activation =
      gelu ? Activation::kGeluTanh : read_activation(config, "hidden_act", "gelu_pytorch_tanh");
  d.norm_weight_plus_one = true;
  d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  d.tied = config.flag_or("tie_word_embeddings", true);
  set_layers(d);
  set_rotary(config, d);
}

namespace {

// What Gemma 2 and 3 have in common.
void describe_later_gemma(const ConfigReader& config, Description& d, Index vocabulary,
                          Index positions) {
  refuse_both_ways(config);
  describe_llama_like(config, d, {vocabulary, 2304, 9216, 26, 8, 4, 256, positions});
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

}  // namespace

float read_cap(const ConfigReader& config, const char* name, double default_value) {
  if (config.says_null(name)) return 0;
  const double value = config.number_or(name, default_value);
  if (value == 0 && config.has(name)) config.refuse(name, "0, should be another number, or null");
  return static_cast<float>(std::abs(value));
}

void describe_gemma2(const ConfigReader& config, Description& d) {
  describe_later_gemma(config, d, 256000, 8192);
  d.score_cap = read_cap(config, "attn_logit_softcapping", 50);
  d.logit_cap = read_cap(config, "final_logit_softcapping", 30);
  set_windows(config, d, read_window(config), [](Index layer) { return layer % 2 == 0; });
  set_rotary(config, d, {.layer_types = true});
}

void describe_gemma3(const ConfigReader& config, Description& d) {
  describe_later_gemma(config, d, 262208, 131072);
  d.score_cap = read_cap(config, "attn_logit_softcapping", 0);
  d.logit_cap = read_cap(config, "final_logit_softcapping", 0);
  d.query_key_norm = true;
  const Index pattern = config.has("layer_types") ? 1 : config.size_or("sliding_window_pattern", 6);
  set_windows(config, d, read_window(config),
              [&](Index layer) { return (layer + 1) % pattern != 0; });
  set_rotary(config, d, {.default_base = 1e6, .by_layer_type = true});
}

}  // namespace lab::files
