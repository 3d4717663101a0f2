#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// T5 and its kin.

namespace lab::files {

using attention::Index;
using attention::network::NormType;

namespace {

constexpr ModelNames kT5Names = {
    .prefixes = {""},
    .stack = {.tokens = "decoder.embed_tokens",
              .layer = "decoder.block.{}.",
              .attention = {.query = "layer.0.SelfAttention.q",
                            .key = "layer.0.SelfAttention.k",
                            .value = "layer.0.SelfAttention.v",
                            .output = "layer.0.SelfAttention.o",
                            .distance_bias = "layer.0.SelfAttention.relative_attention_bias",
                            .norms = {.before = "layer.0.layer_norm"}},
              .cross_attention = {.query = "layer.1.EncDecAttention.q",
                                  .key = "layer.1.EncDecAttention.k",
                                  .value = "layer.1.EncDecAttention.v",
                                  .output = "layer.1.EncDecAttention.o",
                                  .norms = {.before = "layer.1.layer_norm"}},
              .gate = "layer.2.DenseReluDense.wi_0",
              .up = "layer.2.DenseReluDense.wi",
              .gated_up = "layer.2.DenseReluDense.wi_1",
              .down = "layer.2.DenseReluDense.wo",
              .mlp_norms = {.before = "layer.2.layer_norm"},
              .final_norm = "decoder.final_layer_norm"},
    .encoder = {.tokens = "encoder.embed_tokens",
                .layer = "encoder.block.{}.",
                .attention = {.query = "layer.0.SelfAttention.q",
                              .key = "layer.0.SelfAttention.k",
                              .value = "layer.0.SelfAttention.v",
                              .output = "layer.0.SelfAttention.o",
                              .distance_bias = "layer.0.SelfAttention.relative_attention_bias",
                              .norms = {.before = "layer.0.layer_norm"}},
                .gate = "layer.1.DenseReluDense.wi_0",
                .up = "layer.1.DenseReluDense.wi",
                .gated_up = "layer.1.DenseReluDense.wi_1",
                .down = "layer.1.DenseReluDense.wo",
                .mlp_norms = {.before = "layer.1.layer_norm"},
                .final_norm = "encoder.final_layer_norm"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"*encoder.embed_tokens.weight", "*shared.weight"},
              {"*decoder.embed_tokens.weight", "*shared.weight"},
              {"lm_head.weight", "*shared.weight"}}},
};

// A flag that the reference derives from other members and stores: null is false there.
bool read_t5_flag(const ConfigReader& config, const char* name, bool otherwise) {
  return !config.says_null(name) && config.flag_or(name, otherwise);
}

// T5's feed_forward_proj, "relu" or "gated-gelu", unless dense_act_fn and is_gated_act, which the
// reference derives from it and stores, say something else.
void set_t5_activation(const ConfigReader& config, Description& d, const char* default_value) {
  const std::string spelt = config.text_or("feed_forward_proj", default_value);
  const std::size_t dash = spelt.find('-');
  const bool gated = spelt.starts_with("gated-");
  if (dash != spelt.npos && (!gated || spelt.find('-', dash + 1) != spelt.npos))
    config.refuse("feed_forward_proj", in_quotes(spelt) + ", should be such as relu or gated-gelu");
  d.gated = read_t5_flag(config, "is_gated_act", gated || spelt == "gated");
  const std::string name = spelt == "gated-gelu" ? "gelu_new"
                           : gated               ? spelt.substr(dash + 1)
                                                 : spelt;
  const char* const member =
      config.find("dense_act_fn") != nullptr ? "dense_act_fn" : "feed_forward_proj";
  const std::string used =
      member == std::string("dense_act_fn") ? config.text_or(member, "") : name;
  d.activation = activation_called(config, member, used);
  if (used != name && config.find("feed_forward_proj") != nullptr)
    d.notes.emplace_back("dense_act_fn and feed_forward_proj differ: the first counts");
}

// The defaults in which T5 and its kin differ.
struct T5Defaults {
  Index vocabulary, d_mlp, n_layers, n_heads;
  const char* feed_forward;
};

// What they have in common.
void describe_t5_blocks(const ConfigReader& config, Description& d, const T5Defaults& defaults) {
  d.vocabulary = config.size_or("vocab_size", defaults.vocabulary);
  d.d_model = config.size_or("d_model", 512);
  d.n_encoder_layers = config.size_or("num_layers", defaults.n_layers, kMostLayers);
  d.n_layers = config.has("num_decoder_layers")  // that of num_layers, see kT5Aliases
                   ? config.size_or("num_decoder_layers", defaults.n_layers, kMostLayers)
                   : defaults.n_layers;
  set_heads(config, "num_heads", defaults.n_heads, d);
  d.head_dim = d.encoder_head_dim = config.size_or("d_kv", 64);
  d.d_mlp = d.d_encoder_mlp = config.size_or("d_ff", defaults.d_mlp);
  d.positions = PositionType::kBuckets;
  d.distance_buckets = config.size_or("relative_attention_num_buckets", 32);
  d.largest_distance = config.size_or("relative_attention_max_distance", 128);
  d.norm = NormType::kRms;
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-6);
  d.biases = {false, false, false, false, false};
  set_t5_activation(config, d, defaults.feed_forward);
  d.tied = d.may_untie = true;  // the reference ties them whatever the file says
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {});
}

// The reference takes tie_word_embeddings for whether the decoder's output is scaled.
void scale_output(const ConfigReader& config, Description& d) {
  const bool says_untied =
      config.has("tie_word_embeddings") && !config.flag_or("tie_word_embeddings", true);
  if (read_t5_flag(config, "scale_decoder_outputs", !says_untied))
    d.read_out_scale = 1 / std::sqrt(static_cast<float>(d.d_model));
}

// An encoder and a decoder: RMS norms, buckets of distances, no biases, ReLU unless it says so.
void describe_t5(const ConfigReader& config, Description& d) {
  describe_t5_blocks(config, d, {32128, 2048, 6, 8, "relu"});
  scale_output(config, d);
}

// T5 with gated GELU, and without a scale of the output.
void describe_mt5(const ConfigReader& config, Description& d) {
  describe_t5_blocks(config, d, {250112, 1024, 8, 6, "gated-gelu"});
}

// mT5 with a table of distances in each layer, and T5's scale of the output.
void describe_umt5(const ConfigReader& config, Description& d) {
  describe_mt5(config, d);
  d.bias_in_each_layer = true;
  scale_output(config, d);
}

constexpr ConfigAliases kT5Aliases = {{{"num_layers", "num_decoder_layers", true},
                                       {"hidden_size", "d_model"},
                                       {"num_attention_heads", "num_heads"},
                                       {"num_hidden_layers", "num_layers"},
                                       {"head_dim", "d_kv"}}};

constexpr std::array kT5Families = {
    Family{"t5", "T5", describe_t5, kT5Names, kT5Aliases},
    Family{"mt5", "mT5", describe_mt5, kT5Names, kT5Aliases},
    Family{"umt5", "UMT5", describe_umt5, kT5Names, kT5Aliases},
};

}  // namespace

std::span<const Family> t5_families() { return kT5Families; }

}  // namespace lab::files
