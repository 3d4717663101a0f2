#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// StableLM and StarCoder2, Llama with LayerNorms.

namespace lab::files {

using attention::network::NormType;

namespace {

constexpr ModelNames kStarcoder2Names = changed_names(
    kLlamaNames, [](StackNames& stack) { set_plain_mlp(stack, "mlp.c_fc", "mlp.c_proj"); });

// Llama with LayerNorms, a quarter of each head rotated, parallel if it says so.
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

// LayerNorms, biases, GELU without a gate, rotary positions, a window if it says so.
void describe_starcoder2(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {49152, 3072, 12288, 30, 24, 2, 0, 4096}, {"norm_epsilon", 1e-5});
  require_key_heads(config);
  d.norm = NormType::kLayer;
  d.biases.norm = true;
  const bool biases = config.flag_or("use_bias", true);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "gelu_pytorch_tanh");
  d.tied = config.flag_or("tie_word_embeddings", true);
  set_layers(d);
  set_window_of_all(config, d);
  set_rotary(config, d);
}

constexpr std::array kStablelmFamilies = {
    Family{"stablelm", "StableLM", describe_stablelm, kLlamaNames},
    Family{"starcoder2", "StarCoder2", describe_starcoder2, kStarcoder2Names},
};

}  // namespace

std::span<const Family> stablelm_families() { return kStablelmFamilies; }

}  // namespace lab::files
