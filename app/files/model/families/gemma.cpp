#include <array>
#include <cmath>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The Gemma families.

namespace lab::files {

using attention::Index;
using attention::network::Activation;

namespace {

void refuse_both_ways(const ConfigReader& config) {
  if (config.has("use_bidirectional_attention") &&
      config.flag_or("use_bidirectional_attention", false))
    config.refuse("use_bidirectional_attention", "only false is supported");
}

// RMS norms of weight + 1, GELU with a gate, an embedding times √d_model.
void describe_gemma(const ConfigReader& config, Description& d) {
  refuse_both_ways(config);
  describe_llama_like(config, d, {256000, 3072, 24576, 28, 16, 16, 256, 8192});
  require_key_heads(config);
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

// What Gemma 2 and 3 have in common.
void describe_later_gemma(const ConfigReader& config, Description& d, Index vocabulary,
                          Index positions) {
  refuse_both_ways(config);
  describe_llama_like(config, d, {vocabulary, 2304, 9216, 26, 8, 4, 256, positions});
  require_key_heads(config);
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

// Gemma with norms before and after, caps of scores and logits, a window in every other layer.
void describe_gemma2(const ConfigReader& config, Description& d) {
  describe_later_gemma(config, d, 256000, 8192);
  d.score_cap = read_cap(config, "attn_logit_softcapping", 50);
  d.logit_cap = read_cap(config, "final_logit_softcapping", 30);
  set_windows(config, d, read_window(config), [](Index layer) { return layer % 2 == 0; });
  set_rotary(config, d, {.layer_types = true});
}

// Gemma 2 with norms of queries and keys, and another base in sliding layers; caps only if
// it says so.
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

constexpr std::array kGemmaFamilies = {
    Family{"gemma", "Gemma", describe_gemma, kLlamaNames},
    Family{"gemma2", "Gemma 2", describe_gemma2, kGemmaNames},
    Family{"gemma3_text", "Gemma 3", describe_gemma3, kGemmaNames},
};

}  // namespace

std::span<const Family> gemma_families() { return kGemmaFamilies; }

}  // namespace lab::files
