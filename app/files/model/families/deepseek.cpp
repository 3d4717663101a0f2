#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The DeepSeek families, with multi-head latent attention.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kDeepseekNames = changed_names(kGlm4MoeNames, [](StackNames& stack) {
  stack.attention = {.query = "self_attn.q_proj",
                     .output = "self_attn.o_proj",
                     .latent = {.query_down = "self_attn.q_a_proj",
                                .query_norm = "self_attn.q_a_layernorm",
                                .query_up = "self_attn.q_b_proj",
                                .key_value_down = "self_attn.kv_a_proj_with_mqa",
                                .key_value_norm = "self_attn.kv_a_layernorm",
                                .key_value_up = "self_attn.kv_b_proj",
                                .key_up = "self_attn.k_b_proj",
                                .value_up = "self_attn.v_b_proj"},
                     .norms = {.before = "input_layernorm"}};
});

// The defaults in which DeepSeek-V2 and DeepSeek-V3 differ.
struct DeepseekDefaults {
  Index vocabulary, d_model, d_mlp, n_layers, n_heads, positions;
  Index n_kv_heads;  // 0: as many as heads
  Index experts, d_expert, shared_experts, dense_layers;
  double expert_factor;
};

// The reference repeats keys and values that are there for each head already, which it can do once.
void check_kv_heads(const ConfigReader& config, const DeepseekDefaults& defaults,
                    const Description& d) {
  const Index otherwise = defaults.n_kv_heads == 0 ? d.n_heads : defaults.n_kv_heads;
  const Index kv_heads = config.says_null("num_key_value_heads")
                             ? d.n_heads
                             : config.size_or("num_key_value_heads", otherwise);
  if (d.n_heads / kv_heads != 1)
    config.refuse("num_key_value_heads",
                  std::to_string(kv_heads) + " for " + std::to_string(d.n_heads) +
                      " heads: in latent attention each head has keys and values of its own");
}

void read_latent_attention(const ConfigReader& config, const DeepseekDefaults& defaults,
                           Description& d) {
  LatentDescription latent;
  latent.query_rank = config.says_null("q_lora_rank") ? 0 : config.size_or("q_lora_rank", 1536);
  latent.key_value_rank = config.size_or("kv_lora_rank", 512);
  latent.rotary = config.size_or("qk_rope_head_dim", 64);
  d.latent = latent;
  check_kv_heads(config, defaults, d);
  d.n_kv_heads = d.n_heads;
  d.head_dim = config.size_or("qk_nope_head_dim", 128) + latent.rotary;
  d.value_dim = config.size_or("v_head_dim", 128);
}

void read_routed_experts(const ConfigReader& config, const DeepseekDefaults& defaults,
                         Description& d) {
  ExpertsDescription& experts = d.experts;
  experts.count = config.size_or("n_routed_experts", defaults.experts, kMostExperts);
  experts.d_mlp = config.size_or("moe_intermediate_size", defaults.d_expert);
  experts.d_shared = experts.d_mlp * config.count_or("n_shared_experts", defaults.shared_experts);
  experts.factor =
      static_cast<float>(config.number_or("routed_scaling_factor", defaults.expert_factor));
  set_dense_layers(config, "first_k_dense_replace", defaults.dense_layers, d);
}

// Groups of experts, of which `least` are in each at least, and what is chosen of them.
void read_groups(const ConfigReader& config, Index groups, Index chosen_groups, Index least,
                 Description& d) {
  ExpertsDescription& experts = d.experts;
  experts.groups = config.size_or("n_group", groups);
  experts.chosen_groups = config.size_or("topk_group", chosen_groups);
  if (experts.count % experts.groups != 0 || experts.count / experts.groups < least)
    config.refuse("n_group", std::to_string(experts.groups) + " groups of " +
                                 std::to_string(experts.count) + " experts");
  if (experts.chosen_groups > experts.groups)
    config.refuse("topk_group", std::to_string(experts.chosen_groups) + " of " +
                                    std::to_string(experts.groups) + " groups");
}

void check_chosen(const ConfigReader& config, const Description& d) {
  const ExpertsDescription& experts = d.experts;
  const Index there = experts.chosen_groups * (experts.count / experts.groups);
  if (experts.chosen > there)
    config.refuse("num_experts_per_tok", std::to_string(experts.chosen) + " of " +
                                             std::to_string(there) + " experts cannot be chosen");
}

// What the model's first programs read, and transformers does not.
void note_unread(const ConfigReader& config, const char* name, const std::string& computed,
                 Description& d) {
  if (config.has(name) && config.text_or(name, computed) != computed)
    d.notes.push_back(std::string(name) + " says " + in_quotes(config.text_or(name, "")) +
                      ", and " + in_quotes(computed) + " is computed, as in transformers");
}

// What both families have in common.
void describe_deepseek(const ConfigReader& config, Description& d,
                       const DeepseekDefaults& defaults) {
  d.vocabulary = config.size_or("vocab_size", defaults.vocabulary);
  d.d_model = config.size_or("hidden_size", defaults.d_model);
  d.n_layers = config.size_or("num_hidden_layers", defaults.n_layers, kMostLayers);
  set_heads(config, "num_attention_heads", defaults.n_heads, d);
  d.d_mlp = config.size_or("intermediate_size", defaults.d_mlp);
  d.max_positions = config.size_or("max_position_embeddings", defaults.positions);
  d.norm = attention::network::NormType::kRms;
  d.norm_epsilon = read_epsilon(config, "rms_norm_eps", 1e-6);
  d.biases.mlp = d.biases.norm = false;
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.gated = true;
  d.tied = config.flag_or("tie_word_embeddings", false);
  read_latent_attention(config, defaults, d);
  set_layers(d);
  set_rotary(config, d, {.scaled_scores = true});
  read_routed_experts(config, defaults, d);
  if (config.has("moe_layer_freq") && config.count_or("moe_layer_freq", 1) != 1)
    d.notes.emplace_back(
        "moe_layer_freq is not read: all layers but the first ones have experts, as in "
        "transformers");
}

// Multi-head latent attention, experts chosen by a softmax, in groups or not, beside an MLP for
// every row; the first layers have MLPs.
void describe_deepseek_v2(const ConfigReader& config, Description& d) {
  describe_deepseek(config, d, {102400, 4096, 11008, 32, 32, 2048, 0, 64, 1407, 2, 0, 1});
  check_whole_heads(config, "num_attention_heads", d);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  config.optional_size("head_dim");  // any size, which the reference replaces by the rotary part
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  const std::string method = config.text_or("topk_method", "greedy");
  if (method != "greedy" && method != "group_limited_greedy")
    config.refuse("topk_method", in_quotes(method) +
                                     " is not supported; supported are greedy and "
                                     "group_limited_greedy");
  d.experts.group_rank = attention::network::GroupRank::kLargest;
  if (!config.has("num_experts_per_tok")) config.refuse("num_experts_per_tok", "is missing");
  d.experts.chosen = config.size("num_experts_per_tok");
  if (method == "group_limited_greedy") {
    for (const char* name : {"n_group", "topk_group"})
      if (!config.has(name)) config.refuse(name, "is missing");
    read_groups(config, 1, 1, 1, d);
  }
  check_chosen(config, d);
  if (!config.says_null("norm_topk_prob") && config.flag_or("norm_topk_prob", false))
    d.notes.emplace_back(
        "norm_topk_prob is not read: the shares of experts are not normalised, as in transformers");
  note_unread(config, "scoring_func", "softmax", d);
}

// The same with experts chosen by sigmoids and a correction, in groups.
void describe_deepseek_v3(const ConfigReader& config, Description& d) {
  describe_deepseek(config, d, {129280, 7168, 18432, 61, 128, 4096, 128, 256, 2048, 1, 3, 2.5});
  const Index default_value = d.d_model / d.n_heads;
  const Index rotated =
      config.says_null("head_dim") ? default_value : config.size_or("head_dim", d.latent->rotary);
  if (rotated != d.latent->rotary)
    config.refuse("head_dim", std::to_string(rotated) + ", should be that of qk_rope_head_dim: " +
                                  std::to_string(d.latent->rotary));
  d.rotary_pairs = !config.says_null("rope_interleave") && config.flag_or("rope_interleave", true)
                       ? attention::RotaryPairs::kAdjacent
                       : attention::RotaryPairs::kHalves;
  d.experts.shares = attention::network::ExpertShares::kSigmoid;
  d.experts.correction = true;
  d.experts.normalised =
      !config.says_null("norm_topk_prob") && config.flag_or("norm_topk_prob", true);
  d.experts.chosen = config.size_or("num_experts_per_tok", 8);
  read_groups(config, 8, 4, 2, d);
  check_chosen(config, d);
  note_unread(config, "scoring_func", "sigmoid", d);
  note_unread(config, "topk_method", "noaux_tc", d);
}

constexpr std::array kDeepseekFamilies = {
    Family{"deepseek_v2",
           "DeepSeek-V2",
           describe_deepseek_v2,
           kDeepseekNames,
           {{{"num_experts", "n_routed_experts"}}}},
    Family{"deepseek_v3",
           "DeepSeek-V3",
           describe_deepseek_v3,
           kDeepseekNames,
           {{{"num_local_experts", "n_routed_experts"}}}},
};

}  // namespace

std::span<const Family> deepseek_families() { return kDeepseekFamilies; }

}  // namespace lab::files
