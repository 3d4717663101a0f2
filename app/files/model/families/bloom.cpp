#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// BLOOM and Falcon, whose tensors have the same names.

namespace lab::files {

using attention::Index;

namespace {

// BLOOM and Falcon, by what the norms before attention and before the MLP are called.
constexpr ModelNames bloom_names(const char* attention_norm, const char* mlp_norm) {
  return {
      .prefixes = {"transformer.", ""},
      .stack = {.tokens = "word_embeddings",
                .embedding_norm = "word_embeddings_layernorm",
                .layer = "h.{}.",
                .attention = {.fused = "self_attention.query_key_value",
                              .output = "self_attention.dense",
                              .norms = {.before = attention_norm}},
                .up = "mlp.dense_h_to_4h",
                .down = "mlp.dense_4h_to_h",
                .mlp_norms = {.before = mlp_norm},
                .final_norm = "ln_f"},
      .read_out = {.tokens = "lm_head"},
      .ties = {{{"lm_head.weight", "*word_embeddings.weight"}}},
  };
}

constexpr ModelNames kBloomNames = bloom_names("input_layernorm", "post_attention_layernorm");

constexpr ModelNames kFalconNames = bloom_names("input_layernorm", nullptr);

constexpr ModelNames kFalconTwoNormNames = bloom_names("ln_attn", "ln_mlp");

// ALiBi, and a norm after the embedding.
void describe_bloom(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 250880);
  const char* const width = config.has("n_embed") ? "n_embed" : "hidden_size";
  d.d_model = config.size_or(width, 64);
  d.n_layers = config.size_or("n_layer", 2, kMostLayers);
  set_heads(config, "n_head", 8, d);
  check_whole_heads(config, "n_head", d);
  d.d_mlp = 4 * d.d_model;
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = attention::network::Activation::kGeluTanh;
  if (config.flag_or("apply_residual_connection_post_layernorm", false))
    config.refuse("apply_residual_connection_post_layernorm", "only false is supported");
  d.embedding_norm = true;
  d.fused = FusedLayout::kByHead;
  d.positions = PositionType::kAlibi;
  set_layers(d);
}

// Parallel blocks with rotary positions or ALiBi; one key head for all, for groups, or for each.
void describe_falcon(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 65024);
  const char* const width = config.has("n_embed") ? "n_embed" : "hidden_size";
  d.d_model = config.size_or(width, 4544);
  d.n_layers = config.size_or("num_hidden_layers", 32, kMostLayers);
  set_heads(config, "num_attention_heads", 71, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.optional_size("ffn_hidden_size").value_or(4 * d.d_model);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation", "gelu");
  const bool biases = config.flag_or("bias", false);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  const bool grouped = config.flag_or("new_decoder_architecture", false);
  const bool parallel = config.flag_or("parallel_attn", true);
  if (grouped) {
    d.n_kv_heads = config.optional_size("num_kv_heads").value_or(d.n_heads);
    d.fused = FusedLayout::kByKeyHead;
  } else if (config.flag_or("multi_query", true)) {
    d.n_kv_heads = 1;
  } else {
    d.fused = FusedLayout::kByHead;
  }
  if (grouped && !parallel) config.refuse("parallel_attn", "should be true in this architecture");
  d.parallel = parallel;
  const Index norms = config.optional_size("num_ln_in_parallel_attn").value_or(grouped ? 2 : 1);
  if (!grouped && norms == 2)
    config.refuse("num_ln_in_parallel_attn", "2 needs new_decoder_architecture");
  d.one_norm = parallel && norms != 2;
  d.names = !parallel ? &kBloomNames : norms == 2 ? &kFalconTwoNormNames : nullptr;
  set_layers(d);
  if (!config.flag_or("alibi", false)) return set_rotary(config, d);
  d.positions = PositionType::kAlibi;
  d.alibi_factor = 2 * d.layers.front().score_factor;
  d.alibi_rounded = true;
  d.notes.emplace_back(
      "ALiBi is added twice, as by transformers where it gives attention; elsewhere it adds it "
      "once");
}

constexpr std::array kBloomFamilies = {
    Family{"bloom",
           "BLOOM",
           describe_bloom,
           kBloomNames,
           {{{"num_hidden_layers", "n_layer"}, {"num_attention_heads", "n_head"}}}},
    Family{"falcon", "Falcon", describe_falcon, kFalconNames},
};

}  // namespace

std::span<const Family> bloom_families() { return kBloomFamilies; }

}  // namespace lab::files
