#include <array>
#include <cmath>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// OPT and BioGPT, whose positions begin at 2.

namespace lab::files {

namespace {

constexpr ModelNames kOptNames = {
    .prefixes = {"model.decoder.", "decoder."},
    .stack = {.tokens = "embed_tokens",
              .positions = "embed_positions",
              .embedding_projection = "project_in",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.out_proj",
                            .norms = {.before = "self_attn_layer_norm",
                                      .after = "self_attn_layer_norm"}},
              .up = "fc1",
              .down = "fc2",
              .mlp_norms = {.before = "final_layer_norm", .after = "final_layer_norm"},
              .final_norm = "final_layer_norm"},
    .read_out = {.projection = "project_out", .tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*embed_tokens.weight"}}},
};

constexpr ModelNames kBioGptNames = {
    .prefixes = {"biogpt.", ""},
    .stack = {.tokens = "embed_tokens",
              .positions = "embed_positions",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.out_proj",
                            .norms = {.before = "self_attn_layer_norm"}},
              .up = "fc1",
              .down = "fc2",
              .mlp_norms = {.before = "final_layer_norm"},
              .final_norm = "layer_norm"},
    .read_out = {.tokens = "output_projection"},
    .ties = {{{"output_projection.weight", "*embed_tokens.weight"}}},
};

// ReLU, positions that begin at 2, norms before or after, embeddings that may be narrower.
void describe_opt(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 50272);
  d.d_model = config.size_or("hidden_size", 768);
  d.d_embedding = config.optional_size("word_embed_proj_dim").value_or(d.d_model);
  d.n_layers = config.size_or("num_hidden_layers", 12, kMostLayers);
  set_heads(config, "num_attention_heads", 12, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("ffn_dim", 3072);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.position_offset = 2;
  d.activation = read_activation(config, "activation_function", "relu");
  const bool before = config.flag_or("do_layer_norm_before", true);
  d.norm_position = before ? NormPosition::kBefore : NormPosition::kAfter;
  const bool without_final = config.flag_or("_remove_final_layer_norm", false);
  d.final_norm = before && !without_final;
  const bool biases = config.flag_or("enable_bias", true);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  d.norm_weights = config.flag_or("layer_norm_elementwise_affine", true);
  set_layers(d);
}

// GPT-2 with a scaled embedding, whose positions begin at 2.
void describe_biogpt(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 42384);
  d.d_model = config.size_or("hidden_size", 1024);
  d.n_layers = config.size_or("num_hidden_layers", 24, kMostLayers);
  set_heads(config, "num_attention_heads", 16, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", 4096);
  d.max_positions = config.size_or("max_position_embeddings", 1024);
  d.position_offset = 2;
  d.activation = read_activation(config, "hidden_act", "gelu");
  if (config.flag_or("scale_embedding", true))
    d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  set_layers(d);
}

constexpr std::array kOptFamilies = {
    Family{"biogpt", "BioGPT", describe_biogpt, kBioGptNames},
    Family{"opt", "OPT", describe_opt, kOptNames},
};

}  // namespace

std::span<const Family> opt_families() { return kOptFamilies; }

}  // namespace lab::files
