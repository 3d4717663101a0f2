#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// ModernBERT.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kModernBertNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "embeddings.tok_embeddings",
              .embedding_norm = "embeddings.norm",
              .layer = "layers.{}.",
              .attention = {.fused = "attn.Wqkv",
                            .output = "attn.Wo",
                            .norms = {.before = "attn_norm"}},
              .gate_up = "mlp.Wi",
              .down = "mlp.Wo",
              .mlp_norms = {.before = "mlp_norm"},
              .final_norm = "final_norm"},
    .read_out = {.transform = "head.dense",
                 .norm = "head.norm",
                 .tokens = "decoder",
                 .bias = "decoder.bias"},
    .ties = {{{"decoder.weight", "*embeddings.tok_embeddings.weight"}}},
};

// An encoder with norms before each sublayer, a gated MLP, rotary positions and windows.
void describe_modernbert(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50368);
  d.d_model = config.size_or("hidden_size", 768);
  d.n_layers = config.size_or("num_hidden_layers", 22, kMostLayers);
  set_heads(config, "num_attention_heads", 12, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", 1152);
  d.max_positions = config.size_or("max_position_embeddings", 8192);
  d.norm_epsilon = read_epsilon(config, "norm_eps", 1e-5);
  d.activation = read_activation(config, "hidden_activation", "gelu");
  d.read_out_activation = read_activation(config, "classifier_activation", "gelu");
  d.gated = true;
  d.causal = false;
  d.embedding_norm = true;
  d.first_norm = false;
  const bool attention = config.flag_or("attention_bias", false);
  d.biases = {.query_key_value = attention,
              .attention_output = attention,
              .mlp = config.flag_or("mlp_bias", false),
              .norm = config.flag_or("norm_bias", false),
              .read_out = config.flag_or("decoder_bias", true),
              .read_out_transform = config.flag_or("classifier_bias", false)};
  set_layers(d);
  const Index period = config.size_or("global_attn_every_n_layers", 3);
  set_windows(config, d, config.count_or("local_attention", 128) / 2 + 1,
              [&](Index layer) { return layer % period != 0; });
  set_rotary(config, d,
             {.base = "global_rope_theta",
              .sliding_base = "local_rope_theta",
              .default_base = 160000,
              .default_sliding_base = 10000,
              .by_layer_type = true,
              .scaling_for_all = true});
}

constexpr std::array kModernbertFamilies = {
    Family{"modernbert", "ModernBERT", describe_modernbert, kModernBertNames},
};

}  // namespace

std::span<const Family> modernbert_families() { return kModernbertFamilies; }

}  // namespace lab::files
