#include <algorithm>
#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The Qwen families.

namespace lab::files {

using attention::Index;

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

// Llama with biases of Q, K and V, and a window in the upper layers if it says so.
void describe_qwen2(const ConfigReader& config, Description& d) {
  describe_qwen(config, d, 0);
  d.biases.query_key_value = true;
}

// Qwen2 with norms of queries and keys in place of the biases.
void describe_qwen3(const ConfigReader& config, Description& d) {
  describe_qwen(config, d, 128);
  read_attention_bias(config, d);
  d.query_key_norm = true;
}

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

// Qwen2 with experts, and a gated MLP that every row passes.
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

// Qwen3 with experts.
void describe_qwen3_moe(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {151936, 2048, 6144, 24, 32, 4, 0, 32768});
  require_key_heads(config);
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

constexpr std::array kQwenFamilies = {
    Family{"qwen2", "Qwen2", describe_qwen2, kLlamaNames},
    Family{"qwen3", "Qwen3", describe_qwen3, kLlamaNames},
    Family{"qwen2_moe", "Qwen2 MoE", describe_qwen2_moe, kQwenMoeNames},
    Family{"qwen3_moe",
           "Qwen3 MoE",
           describe_qwen3_moe,
           kQwenMoeNames,
           {{{"num_local_experts", "num_experts"}}}},
};

}  // namespace

std::span<const Family> qwen_families() { return kQwenFamilies; }

}  // namespace lab::files
