#include "app/files/model/describe.h"

#include <cmath>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::Index;
using attention::network::Activation;
using attention::network::NormKind;

namespace {

constexpr Index kMostSinusoids = 65536;  // they are computed before a tensor confirms their number

}  // namespace

void describe_bert(const ConfigReader& config, Description& d) {
  const std::string positions = config.text_or("position_embedding_type", "absolute");
  if (positions != "absolute")
    config.refuse("position_embedding_type",
                  in_quotes(positions) + " is not supported; supported is absolute");
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.d_mlp = config.size("intermediate_size");
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.token_types = config.count_or("type_vocab_size", 2);
  d.norm_epsilon = read_epsilon(config, "layer_norm_eps", 1e-12);
  d.activation = read_activation(config, "hidden_act", "gelu");
  d.causal = config.flag_or("is_decoder", false);
  d.norm_place = NormPlace::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  set_layers(d);
}

void describe_roberta(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.position_offset = config.count_or("pad_token_id", 1) + 1;
  d.padding = static_cast<std::uint32_t>(d.position_offset - 1);
  if (d.max_positions <= d.position_offset)
    config.refuse("max_position_embeddings", "leaves no position after the padding");
  d.max_positions -= d.position_offset;
}

void describe_distilbert(const ConfigReader& config, Description& d) {
  d.d_model = config.size("dim");
  d.n_layers = config.size("n_layers", kMostLayers);
  set_heads(d, config.size("n_heads", kMostHeads));
  d.d_mlp = config.size("hidden_dim");
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.norm_epsilon = 1e-12f;
  d.activation = read_activation(config, "activation", "gelu");
  d.causal = false;
  d.norm_place = NormPlace::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  set_layers(d);
}

void describe_bart(const ConfigReader& config, Description& d) {
  d.d_model = config.size("d_model");
  d.n_layers = config.size("decoder_layers", kMostLayers);
  d.n_encoder_layers = config.size("encoder_layers", kMostLayers);
  set_heads(d, config.size("decoder_attention_heads", kMostHeads));
  d.n_encoder_heads = config.size("encoder_attention_heads", kMostHeads);
  d.d_mlp = config.size("decoder_ffn_dim");
  d.d_encoder_mlp = config.size("encoder_ffn_dim");
  d.max_positions = config.size_or("max_position_embeddings", 1024);
  d.position_offset = 2;
  d.activation = read_activation(config, "activation_function", "gelu");
  d.norm_place = NormPlace::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  if (config.flag_or("scale_embedding", false))
    d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  set_layers(d);
}

void describe_marian(const ConfigReader& config, Description& d) {
  describe_bart(config, d);
  d.positions = PositionKind::kSinusoidal;
  if (config.has("max_position_embeddings")) config.size("max_position_embeddings", kMostSinusoids);
  d.position_offset = 0;
  d.embedding_norm = false;
}

void describe_t5(const ConfigReader& config, Description& d) {
  d.d_model = config.size("d_model");
  d.n_encoder_layers = config.size("num_layers", kMostLayers);
  d.n_layers = config.has("num_decoder_layers") ? config.size("num_decoder_layers", kMostLayers)
                                                : d.n_encoder_layers;
  set_heads(d, config.size("num_heads", kMostHeads));
  d.head_dim = config.size("d_kv");
  d.d_mlp = d.d_encoder_mlp = config.size("d_ff");
  d.positions = PositionKind::kBuckets;
  d.distance_buckets = config.size_or("relative_attention_num_buckets", 32);
  d.largest_distance = config.size_or("relative_attention_max_distance", 128);
  d.norm = NormKind::kRms;
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-6);
  d.biases = {false, false, false, false, false};
  const std::string spelt = config.text_or("feed_forward_proj", "relu");
  d.gated = spelt.starts_with("gated-");
  d.activation =
      spelt == "gated-gelu"
          ? Activation::kGeluTanh
          : read_activation(config, "dense_act_fn",
                            spelt.c_str() + (d.gated ? std::string("gated-").size() : 0));
  d.tied = config.flag_or("tie_word_embeddings", true);
  if (config.flag_or("scale_decoder_outputs", d.tied))
    d.read_out_scale = 1 / std::sqrt(static_cast<float>(d.d_model));
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {});
}

}  // namespace lab::files
