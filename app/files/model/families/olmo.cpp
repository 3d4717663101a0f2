#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The OLMo families, whose queries and keys are normalised over all heads together.

namespace lab::files {

namespace {

// OLMo 2 and 3 normalise what each sublayer gives, not what it reads.
void describe_olmo(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {50304, 4096, 11008, 32, 32, 0, 0, 2048}, {"rms_norm_eps", 1e-5});
  read_attention_bias(config, d);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.query_key_norm = d.query_key_norm_joint = true;
  d.norm_position = NormPosition::kBranch;
  set_layers(d);
}

// Norms of what each sublayer gives, and of the queries and the keys of all heads together.
void describe_olmo2(const ConfigReader& config, Description& d) {
  describe_olmo(config, d);
  set_rotary(config, d);
}

// OLMo 2 with a window in three of four layers; only the others have scaled rotary positions.
void describe_olmo3(const ConfigReader& config, Description& d) {
  constexpr double kBase = 5e5;
  describe_olmo(config, d);
  set_windows(config, d, read_window(config),
              [](attention::Index layer) { return layer % 4 != 3; });
  set_rotary(config, d,
             {.sliding_base = nullptr,
              .default_base = kBase,
              .default_sliding_base = kBase,
              .by_layer_type = true});
  const bool outside = !config.has("rope_parameters") && config.has("rope_theta");
  if (outside && config.number_or("rope_theta", kBase) != kBase)
    d.notes.emplace_back(
        "rope_theta is of the layers without a window alone, as transformers reads it");
}

// Llama with experts, and norms of the queries and the keys of all heads together.
void describe_olmoe(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {50304, 2048, 2048, 16, 16, 0, 0, 4096}, {"rms_norm_eps", 1e-5});
  if (d.head_dim * d.n_heads != d.d_model)
    config.refuse("head_dim", "the heads' features should be as many as the model's");
  if (config.has("clip_qkv"))
    config.refuse("clip_qkv", "queries, keys and values that are clipped are not supported");
  read_attention_bias(config, d);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.query_key_norm = d.query_key_norm_joint = true;
  set_layers(d);
  set_rotary(config, d);
  read_experts(config, "num_experts", 64, 8, d);
  d.experts.d_mlp = d.d_mlp;
  d.experts.normalised = config.flag_or("norm_topk_prob", false);
}

constexpr std::array kOlmoFamilies = {
    Family{"olmo2", "OLMo 2", describe_olmo2, kExaone4Names},
    Family{"olmo3", "OLMo 3", describe_olmo3, kExaone4Names},
    Family{
        "olmoe", "OLMoE", describe_olmoe, kQwenMoeNames, {{{"num_local_experts", "num_experts"}}}},
};

}  // namespace

std::span<const Family> olmo_families() { return kOlmoFamilies; }

}  // namespace lab::files
