#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The LFM2 families, some of whose layers have a gated short convolution in place of attention.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kLfm2Names =
    changed_names(llama_names_with_experts({.router = "feed_forward.gate",
                                            .correction = "feed_forward.expert_bias",
                                            .gate = "feed_forward.experts.{}.w1",
                                            .up = "feed_forward.experts.{}.w3",
                                            .down = "feed_forward.experts.{}.w2"}),
                  [](StackNames& stack) {
                    stack.attention.output = "self_attn.out_proj";
                    stack.attention.query_norm = "self_attn.q_layernorm";
                    stack.attention.key_norm = "self_attn.k_layernorm";
                    stack.attention.norms.before = "operator_norm";
                    stack.convolution = {"conv.in_proj", "conv.conv", "conv.out_proj"};
                    stack.gate = "feed_forward.w1";
                    stack.up = "feed_forward.w3";
                    stack.down = "feed_forward.w2";
                    stack.mlp_norms.before = "ffn_norm";
                    stack.final_norm = "embedding_norm";
                  });

// What config.json says of each layer: true where it is a convolution.
std::vector<bool> convolutions_of(const ConfigReader& config, const Description& d) {
  const auto layers = static_cast<std::size_t>(d.n_layers);
  std::vector<bool> convolutions;
  const bool all = !config.has("full_attn_idxs");  // where there are no types
  const std::vector<double> attending =
      all ? std::vector<double>() : config.numbers("full_attn_idxs");
  if (config.has("layer_types")) {
    for (const std::string& type : config.texts("layer_types")) {
      if (type != "conv" && type != "full_attention" && type != "attention")
        config.refuse("layer_types", in_quotes(type) + " is neither full_attention nor conv");
      convolutions.push_back(type == "conv");
    }
    if (convolutions.size() != layers)
      config.refuse("layer_types", std::to_string(convolutions.size()) + " types for " +
                                       std::to_string(layers) + " layers");
    return convolutions;
  }
  for (std::size_t layer = 0; layer < layers; ++layer)
    convolutions.push_back(!all && std::ranges::find(attending, static_cast<double>(layer)) ==
                                       attending.end());
  return convolutions;
}

void read_convolutions(const ConfigReader& config, Description& d) {
  const std::vector<bool> convolutions = convolutions_of(config, d);
  if (std::ranges::find(convolutions, false) == convolutions.end())
    config.refuse(config.has("layer_types") ? "layer_types" : "full_attn_idxs",
                  "no layer has attention, so that there is nothing to show");
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    d.layers[layer].convolution = convolutions[layer];
  d.convolution.taps = config.size_or("conv_L_cache", 3, kMostTaps);
  d.convolution.biases = config.flag_or("conv_bias", false);
}

// The width of the MLP, which may be a rounded part of what config.json says.
Index adjusted_width(const ConfigReader& config, Index width) {
  const double factor = config.number_or("block_ffn_dim_multiplier", 1);
  const Index multiple = config.count_or("block_multiple_of", 256);
  if (!config.flag_or("block_auto_adjust_ff_dim", true)) return width;
  if (multiple == 0) config.refuse("block_multiple_of", "should be 1 or more");
  width = 2 * width / 3;
  const double scaled = factor * static_cast<double>(width);
  if (!(scaled >= 1) || scaled > static_cast<double>(ConfigReader::kLargestSize))
    config.refuse("block_ffn_dim_multiplier", "leaves no width of the MLP between 1 and " +
                                                  std::to_string(ConfigReader::kLargestSize));
  return (static_cast<Index>(scaled) + multiple - 1) / multiple * multiple;
}

// What both families have in common.
void describe_lfm2_blocks(const ConfigReader& config, Description& d,
                          const LlamaDefaults& defaults) {
  require_key_heads(config);
  describe_llama_like(config, d, defaults, {"norm_eps", 1e-5});
  d.query_key_norm = true;
  d.tied = config.flag_or("tie_embedding", config.flag_or("tie_word_embeddings", true));
  set_layers(d);
  read_convolutions(config, d);
  set_rotary(config, d, {.default_base = 1e6, .layer_types = true});
}

// Llama with norms of queries and keys, and gated short convolutions in place of attention in some
// layers.
void describe_lfm2(const ConfigReader& config, Description& d) {
  describe_lfm2_blocks(config, d, {65536, 2560, 12288, 32, 32, 8, 0, 128000});
  if (config.find("block_ff_dim") != nullptr) {
    if (config.has("intermediate_size") &&
        config.size("intermediate_size") != config.size("block_ff_dim"))
      d.notes.emplace_back("block_ff_dim and intermediate_size differ: the first counts");
    d.d_mlp = config.size("block_ff_dim");
  }
  d.d_mlp = adjusted_width(config, d.d_mlp);
}

// LFM2 with experts in all layers but the first ones.
void describe_lfm2_moe(const ConfigReader& config, Description& d) {
  constexpr float kAddedToSum = 1e-6f;
  if (!config.has("layer_types")) config.refuse("layer_types", "is missing");
  describe_lfm2_blocks(config, d, {65536, 2048, 7168, 32, 32, 8, 0, 128000});
  read_experts(config, "num_experts", 32, 4, d);
  d.experts.d_mlp = config.size_or("moe_intermediate_size", 1792);
  d.experts.shares = attention::network::ExpertShares::kSigmoid;
  d.experts.correction = config.flag_or("use_expert_bias", true);
  d.experts.normalised = config.flag_or("norm_topk_prob", true);
  d.experts.added_to_sum = kAddedToSum;
  d.experts.factor = static_cast<float>(config.number_or("routed_scaling_factor", 1));
  set_dense_layers(config, "num_dense_layers", 2, d);
}

constexpr std::array kLfm2Families = {
    Family{"lfm2", "LFM2", describe_lfm2, kLfm2Names},
    Family{"lfm2_moe",
           "LFM2 MoE",
           describe_lfm2_moe,
           kLfm2Names,
           {{{"num_local_experts", "num_experts"}}}},
};

}  // namespace

std::span<const Family> lfm2_families() { return kLfm2Families; }

}  // namespace lab::files
