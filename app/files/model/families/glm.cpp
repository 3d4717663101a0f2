#include <algorithm>
#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The GLM families.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kGlm4Names = changed_names(kLlamaNames, [](StackNames& stack) {
  stack.attention.norms.branch = "post_self_attn_layernorm";
  set_gate_up(stack, "mlp.gate_up_proj", "mlp.down_proj");
  stack.mlp_norms.branch = "post_mlp_layernorm";
});

// Llama with norms before and after, half of each head rotated in adjacent pairs.
void describe_glm4(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151552, 4096, 13696, 40, 32, 2, 128, 131072},
                      {"rms_norm_eps", 1.5625e-7});
  require_key_heads(config);
  d.biases.query_key_value = config.flag_or("attention_bias", true);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.norm_position = NormPosition::kBoth;
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.5, .partial = true});
}

// Experts chosen by sigmoids and a correction, in groups, with an MLP for every row; half of each
// head rotated.
void describe_glm4_moe(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151552, 4096, 10944, 46, 96, 8, 0, 131072},
                      {"rms_norm_eps", 1e-5});
  require_key_heads(config);
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
  set_dense_layers(config, "first_k_dense_replace", 1, d);
}

constexpr std::array kGlmFamilies = {
    Family{"glm4", "GLM-4", describe_glm4, kGlm4Names},
    Family{"glm4_moe",
           "GLM-4 MoE",
           describe_glm4_moe,
           kGlm4MoeNames,
           {{{"num_local_experts", "n_routed_experts"}}}},
};

}  // namespace

std::span<const Family> glm_families() { return kGlmFamilies; }

}  // namespace lab::files
