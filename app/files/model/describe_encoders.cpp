#include "app/files/model/describe.h"

#include <cmath>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::Index;
using attention::network::Activation;
using attention::network::NormType;

namespace {

constexpr Index kMostSinusoids = 65536;  // they are computed before a tensor confirms their number

}  // namespace

void describe_bert(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 30522);
  d.d_model = config.size_or("hidden_size", 768);
  d.n_layers = config.size_or("num_hidden_layers", 12, kMostLayers);
  set_heads(config, "num_attention_heads", 12, d);
  if (!config.has("embedding_size")) check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", 3072);
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.token_types = config.size_or("type_vocab_size", 2);
  d.norm_epsilon = read_epsilon(config, "layer_norm_eps", 1e-12);
  d.activation = d.read_out_activation = read_activation(config, "hidden_act", "gelu");
  d.causal = config.flag_or("is_decoder", false);
  d.norm_position = NormPosition::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  set_layers(d);
}

void describe_roberta(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 50265);
  d.read_out_activation = Activation::kGelu;  // whatever hidden_act says
  d.position_offset = config.count_or("pad_token_id", 1) + 1;
  d.padding = static_cast<std::uint32_t>(d.position_offset - 1);
  if (d.max_positions <= d.position_offset)
    config.refuse("max_position_embeddings", "leaves no position after the padding");
  d.max_positions -= d.position_offset;
}

void describe_distilbert(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 30522);
  d.d_model = config.size_or("dim", 768);
  d.n_layers = config.size_or("n_layers", 6, kMostLayers);
  set_heads(config, "n_heads", 12, d);
  check_whole_heads(config, "n_heads", d);
  d.d_mlp = config.size_or("hidden_dim", 3072);
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.norm_epsilon = 1e-12f;
  d.activation = d.read_out_activation = read_activation(config, "activation", "gelu");
  d.causal = false;
  d.norm_position = NormPosition::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  set_layers(d);
}

namespace {

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

}  // namespace

void describe_bart(const ConfigReader& config, Description& d) {
  describe_two_stacks(config, d);
  d.vocabulary = config.size_or("vocab_size", 50265);
  d.position_offset = 2;
  d.embedding_norm = true;
  if (config.has("scale_embedding") && config.flag_or("scale_embedding", false)) scale_embedding(d);
}

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

namespace {

// A flag that the reference derives from other members and stores: null is false there.
bool read_t5_flag(const ConfigReader& config, const char* name, bool otherwise) {
  return !config.says_null(name) && config.flag_or(name, otherwise);
}

// T5's feed_forward_proj, "relu" or "gated-gelu", unless dense_act_fn and is_gated_act, which the
// reference derives from it and stores, say something else.
void set_t5_activation(const ConfigReader& config, Description& d) {
  const std::string spelt = config.text_or("feed_forward_proj", "relu");
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

}  // namespace

void describe_t5(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 32128);
  d.d_model = config.size_or("d_model", 512);
  d.n_encoder_layers = config.size_or("num_layers", 6, kMostLayers);
  d.n_layers = config.has("num_decoder_layers")  // that of num_layers, see kFamilies
                   ? config.size_or("num_decoder_layers", 6, kMostLayers)
                   : 6;
  set_heads(config, "num_heads", 8, d);
  d.head_dim = config.size_or("d_kv", 64);
  d.d_mlp = d.d_encoder_mlp = config.size_or("d_ff", 2048);
  d.positions = PositionType::kBuckets;
  d.distance_buckets = config.size_or("relative_attention_num_buckets", 32);
  d.largest_distance = config.size_or("relative_attention_max_distance", 128);
  d.norm = NormType::kRms;
  d.norm_epsilon = read_epsilon(config, "layer_norm_epsilon", 1e-6);
  d.biases = {false, false, false, false, false};
  set_t5_activation(config, d);
  // The reference ties every T5, and takes the flag for whether the decoder's output is scaled.
  const bool says_untied =
      config.has("tie_word_embeddings") && !config.flag_or("tie_word_embeddings", true);
  d.tied = d.may_untie = true;
  if (read_t5_flag(config, "scale_decoder_outputs", !says_untied))
    d.read_out_scale = 1 / std::sqrt(static_cast<float>(d.d_model));
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {});
}

}  // namespace lab::files
