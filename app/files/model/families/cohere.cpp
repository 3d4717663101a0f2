#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// Command R and R7B.

namespace lab::files {

using attention::Index;
using attention::network::NormType;

namespace {

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

// Parallel blocks with one LayerNorm without a bias, scaled logits, rotary positions of adjacent
// pairs.
void describe_cohere(const ConfigReader& config, Description& d) {
  describe_cohere_blocks(config, d);
  refuse_head_norms(config, "use_qk_norm");
  set_rotary(config, d, {.default_base = 5e5});
}

// The same with windows; layers without one have no positions.
void describe_cohere2(const ConfigReader& config, Description& d) {
  describe_cohere_blocks(config, d);
  const Index pattern = config.has("layer_types") ? 1 : config.size_or("sliding_window_pattern", 4);
  set_windows(config, d, read_window(config),
              [&](Index layer) { return (layer + 1) % pattern != 0; });
  for (LayerDescription& layer : d.layers) layer.rotated = layer.sliding;
  set_rotary(config, d, {.layer_types = true});
}

constexpr std::array kCohereFamilies = {
    Family{"cohere", "Command R", describe_cohere, kLlamaNames},
    Family{"cohere2", "Command R7B", describe_cohere2, kLlamaNames},
};

}  // namespace

std::span<const Family> cohere_families() { return kCohereFamilies; }

}  // namespace lab::files
