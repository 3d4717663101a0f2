#include <array>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The GPT families.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kGpt2Names = {
    .prefixes = {"transformer.", ""},
    .stack = {.tokens = "wte",
              .positions = "wpe",
              .layer = "h.{}.",
              .attention = {.fused = "attn.c_attn",
                            .output = "attn.c_proj",
                            .norms = {.before = "ln_1"}},
              .up = "mlp.c_fc",
              .down = "mlp.c_proj",
              .mlp_norms = {.before = "ln_2"},
              .final_norm = "ln_f"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*wte.weight"}}},
    .stored_in_out = true,
};

constexpr ModelNames kGptNeoNames = {
    .prefixes = {"transformer.", ""},
    .stack = {.tokens = "wte",
              .positions = "wpe",
              .layer = "h.{}.",
              .attention = {.query = "attn.attention.q_proj",
                            .key = "attn.attention.k_proj",
                            .value = "attn.attention.v_proj",
                            .output = "attn.attention.out_proj",
                            .norms = {.before = "ln_1"}},
              .up = "mlp.c_fc",
              .down = "mlp.c_proj",
              .mlp_norms = {.before = "ln_2"},
              .final_norm = "ln_f"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*wte.weight"}}},
};

constexpr ModelNames kGptNeoxNames = {
    .prefixes = {"gpt_neox.", ""},
    .stack = {.tokens = "embed_in",
              .layer = "layers.{}.",
              .attention = {.fused = "attention.query_key_value",
                            .output = "attention.dense",
                            .norms = {.before = "input_layernorm"}},
              .up = "mlp.dense_h_to_4h",
              .down = "mlp.dense_4h_to_h",
              .mlp_norms = {.before = "post_attention_layernorm"},
              .final_norm = "final_layer_norm"},
    .read_out = {.tokens = "embed_out"},
    .ties = {{{"embed_out.weight", "*embed_in.weight"}}},
};

constexpr ModelNames kGptjNames = {
    .prefixes = {"transformer.", ""},
    .stack = {.tokens = "wte",
              .layer = "h.{}.",
              .attention = {.query = "attn.q_proj",
                            .key = "attn.k_proj",
                            .value = "attn.v_proj",
                            .output = "attn.out_proj",
                            .norms = {.before = "ln_1"}},
              .up = "mlp.fc_in",
              .down = "mlp.fc_out",
              .final_norm = "ln_f"},
    .read_out = {.tokens = "lm_head", .bias = "lm_head.bias"},
    .ties = {{{"lm_head.weight", "*wte.weight"}}},
};

constexpr ModelNames kCodegenNames = changed_names(kGptjNames, [](StackNames& stack) {
  stack.attention = {
      .fused = "attn.qkv_proj", .output = "attn.out_proj", .norms = {.before = "ln_1"}};
});

// Norms before each sublayer, learned positions, GELU.
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

// GPT-2 without biases of Q, K and V or a score factor; local layers have a window.
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

// Parallel blocks with two norms, the first quarter of each head rotated.
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

// Parallel blocks with one norm, rotary positions of adjacent pairs, a biased read-out.
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

// GPT-J with Q, V and K side by side in four parts.
void describe_codegen(const ConfigReader& config, Description& d) {
  describe_gptj(config, d);
  if (d.n_heads % 4 != 0) config.refuse("n_head", "should be a multiple of 4");
  d.fused = FusedLayout::kInFour;
}

constexpr ConfigAliases kGptAliases = {{{"hidden_size", "n_embd"},
                                        {"max_position_embeddings", "n_positions"},
                                        {"num_attention_heads", "n_head"},
                                        {"num_hidden_layers", "n_layer"}}};

constexpr std::array kGptFamilies = {
    Family{"gpt2", "GPT-2", describe_gpt2, kGpt2Names, kGptAliases},
    Family{"gpt_neo",
           "GPT-Neo",
           describe_gpt_neo,
           kGptNeoNames,
           {{{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}}}},
    Family{"gpt_neox", "GPT-NeoX", describe_gpt_neox, kGptNeoxNames},
    Family{"gptj", "GPT-J", describe_gptj, kGptjNames, kGptAliases},
    Family{"codegen", "CodeGen", describe_codegen, kCodegenNames, kGptAliases},
};

}  // namespace

std::span<const Family> gpt_families() { return kGptFamilies; }

}  // namespace lab::files
