#include <algorithm>
#include <array>
#include <cmath>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// BART and the other families of two stacks with biases.

namespace lab::files {

using attention::Index;

namespace {

// Also of mBART and Pegasus, whose norms stand before sublayers.
constexpr ModelNames kBartNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "decoder.embed_tokens",
              .positions = "decoder.embed_positions",
              .embedding_norm = "decoder.layernorm_embedding",
              .layer = "decoder.layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.out_proj",
                            .norms = {.before = "self_attn_layer_norm",
                                      .after = "self_attn_layer_norm"}},
              .cross_attention = {.query = "encoder_attn.q_proj",
                                  .key = "encoder_attn.k_proj",
                                  .value = "encoder_attn.v_proj",
                                  .output = "encoder_attn.out_proj",
                                  .norms = {.before = "encoder_attn_layer_norm",
                                            .after = "encoder_attn_layer_norm"}},
              .up = "fc1",
              .down = "fc2",
              .mlp_norms = {.before = "final_layer_norm", .after = "final_layer_norm"},
              .final_norm = "decoder.layer_norm"},
    .encoder = {.tokens = "encoder.embed_tokens",
                .positions = "encoder.embed_positions",
                .embedding_norm = "encoder.layernorm_embedding",
                .layer = "encoder.layers.{}.",
                .attention = {.query = "self_attn.q_proj",
                              .key = "self_attn.k_proj",
                              .value = "self_attn.v_proj",
                              .output = "self_attn.out_proj",
                              .norms = {.before = "self_attn_layer_norm",
                                        .after = "self_attn_layer_norm"}},
                .up = "fc1",
                .down = "fc2",
                .mlp_norms = {.before = "final_layer_norm", .after = "final_layer_norm"},
                .final_norm = "encoder.layer_norm"},
    .read_out = {.tokens = "lm_head", .bias = "final_logits_bias", .bias_may_miss = true},
    .ties = {{{"lm_head.weight", "*shared.weight"},
              {"*decoder.embed_tokens.weight", "*shared.weight"},
              {"*encoder.embed_tokens.weight", "*shared.weight"}}},
};

constexpr ModelNames kMarianNames = {
    .prefixes = kBartNames.prefixes,
    .stack = kBartNames.stack,
    .encoder = kBartNames.encoder,
    .read_out = kBartNames.read_out,
    .ties = kBartNames.ties,
    .ties_of_unshared = {{{"lm_head.weight", "*decoder.embed_tokens.weight"}}},
};

constexpr Index kMostSinusoids = 65536;  // they are computed before a tensor confirms their number

// What BART and Marian have in common.
void describe_two_stacks(const ConfigReader& config, Description& d) {
  d.d_model = config.size_or("d_model", 1024);
  d.n_layers = config.size_or("decoder_layers", 12, kMostLayers);
  d.n_encoder_layers = config.size_or("encoder_layers", 12, kMostLayers);
  set_heads(config, "decoder_attention_heads", 16, d);
  d.n_encoder_heads = config.size_or("encoder_attention_heads", 16, kMostHeads);
  check_whole_heads(config, "decoder_attention_heads", d);
  d.d_mlp = config.size_or("decoder_ffn_dim", 4096);
  d.d_encoder_mlp = config.size_or("encoder_ffn_dim", 4096);
  d.max_positions = config.size_or("max_position_embeddings", 1024);
  d.activation = read_activation(config, "activation_function", "gelu");
  d.norm_position = NormPosition::kAfter;
  d.final_norm = false;
  d.biases.read_out = true;
  set_layers(d);
}

void scale_embedding(Description& d) {
  d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
}

// An encoder and a decoder, norms after each sublayer, learned positions.
void describe_bart(const ConfigReader& config, Description& d) {
  describe_two_stacks(config, d);
  d.vocabulary = config.size_or("vocab_size", 50265);
  d.position_offset = 2;
  d.embedding_norm = true;
  if (config.has("scale_embedding") && config.flag_or("scale_embedding", false)) scale_embedding(d);
}

// BART with norms before each sublayer and one at the end.
void describe_mbart(const ConfigReader& config, Description& d) {
  describe_bart(config, d);
  d.norm_position = NormPosition::kBefore;
  d.final_norm = true;
}

// mBART's blocks with sinusoidal positions.
void describe_pegasus(const ConfigReader& config, Description& d) {
  describe_two_stacks(config, d);
  d.vocabulary = config.size_or("vocab_size", 50265);
  d.positions = PositionType::kSinusoidal;
  config.size_or("max_position_embeddings", 1024, kMostSinusoids);
  d.norm_position = NormPosition::kBefore;
  d.final_norm = true;
  if (config.flag_or("scale_embedding", false)) scale_embedding(d);
}

// mBART's blocks with sinusoidal positions, sines and cosines in halves.
void describe_m2m_100(const ConfigReader& config, Description& d) {
  describe_two_stacks(config, d);
  d.vocabulary = config.size_or("vocab_size", 128112);
  d.activation = read_activation(config, "activation_function", "relu");
  d.positions = PositionType::kSinusoidalHalves;
  d.max_positions = config.size_or("max_position_embeddings", 1024, kMostSinusoids);
  if (d.d_model < 4 || d.d_model % 2 != 0)
    config.refuse("d_model", "should be even and at least 4");
  d.position_offset = config.count_or("pad_token_id", 1) + 1;
  if (d.position_offset > std::min(d.vocabulary, kMostSinusoids))
    config.refuse("pad_token_id", "is no token");
  d.padding = static_cast<std::uint32_t>(d.position_offset - 1);
  d.norm_position = NormPosition::kBefore;
  d.final_norm = true;
  d.biases.read_out = false;
  if (config.flag_or("scale_embedding", true)) scale_embedding(d);
}

// BART's blocks with sinusoidal positions; the stacks may have separate embeddings.
void describe_marian(const ConfigReader& config, Description& d) {
  describe_two_stacks(config, d);
  d.shared = config.flag_or("share_encoder_decoder_embeddings", true);
  d.vocabulary = d.encoder_vocabulary = config.size_or("vocab_size", 58101);
  const bool other =
      config.has("decoder_vocab_size") && config.count_or("decoder_vocab_size", 0) > 0;
  if (!d.shared && other) d.vocabulary = config.size_or("decoder_vocab_size", 1);
  d.positions = PositionType::kSinusoidal;
  config.size_or("max_position_embeddings", 1024, kMostSinusoids);
  if (config.flag_or("scale_embedding", false)) scale_embedding(d);
}

constexpr ConfigAliases kTwoStackAliases = {{{"num_attention_heads", "encoder_attention_heads"},
                                             {"hidden_size", "d_model"},
                                             {"num_hidden_layers", "encoder_layers"}}};

constexpr std::array kBartFamilies = {
    Family{"bart", "BART", describe_bart, kBartNames, kTwoStackAliases},
    Family{"mbart", "mBART", describe_mbart, kBartNames, kTwoStackAliases},
    Family{"m2m_100", "M2M-100", describe_m2m_100, kMarianNames, kTwoStackAliases},
    Family{"pegasus", "Pegasus", describe_pegasus, kBartNames, kTwoStackAliases},
    Family{"marian", "Marian", describe_marian, kMarianNames, kTwoStackAliases},
};

}  // namespace

std::span<const Family> bart_families() { return kBartFamilies; }

}  // namespace lab::files
