#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The Phi families.

namespace lab::files {

using attention::network::NormType;

namespace {

constexpr ModelNames kPhiNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "embed_tokens",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.dense",
                            .query_norm = "self_attn.q_layernorm",
                            .key_norm = "self_attn.k_layernorm",
                            .norms = {.before = "input_layernorm"}},
              .up = "mlp.fc1",
              .down = "mlp.fc2",
              .final_norm = "final_layernorm"},
    .read_out = {.tokens = "lm_head", .bias = "lm_head.bias"},
    .ties = {{{"lm_head.weight", "*embed_tokens.weight"}}},
};

constexpr ModelNames kPhi3Names = changed_names(kLlamaNames, [](StackNames& stack) {
  stack.attention = {.fused = "self_attn.qkv_proj",
                     .output = "self_attn.o_proj",
                     .norms = {.before = "input_layernorm"}};
  set_gate_up(stack, "mlp.gate_up_proj", "mlp.down_proj");
});

// Parallel blocks with one LayerNorm, GELU without a gate, half of each head rotated.
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

// Llama with a window and heads rotated in part if it says so.
void describe_phi3(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32064, 3072, 8192, 32, 32, 0, 0, 4096}, {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  set_window_of_all(config, d);
  set_rotary(config, d, {.partial = true, .only_longrope = true, .original_positions = 4096});
}

constexpr std::array kPhiFamilies = {
    Family{"phi", "Phi", describe_phi, kPhiNames},
    Family{"phi3", "Phi-3", describe_phi3, kPhi3Names},
};

}  // namespace

std::span<const Family> phi_families() { return kPhiFamilies; }

}  // namespace lab::files
