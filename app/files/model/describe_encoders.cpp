#include "app/files/model/describe.h"

#include <algorithm>
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

void describe_xlm_roberta(const ConfigReader& config, Description& d) {
  describe_roberta(config, d);
  d.vocabulary = config.size_or("vocab_size", 30522);
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

// Embeddings that are narrower than the stream, and projected after their norm.
void read_embedding_size(const ConfigReader& config, Index default_value, Description& d) {
  d.d_embedding = config.size_or("embedding_size", default_value);
  d.projected_last = d.biases.embedding_projection = true;
}

}  // namespace

void describe_electra(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.d_model = config.size_or("hidden_size", 256);
  set_heads(config, "num_attention_heads", 4, d);
  d.d_mlp = config.size_or("intermediate_size", 1024);
  d.read_out_activation = Activation::kGelu;  // whatever hidden_act says
  read_embedding_size(config, 128, d);
  set_layers(d);
}

void describe_roformer(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 50000);
  d.max_positions = d.longest_text = config.size_or("max_position_embeddings", 1536);
  if (config.flag_or("rotary_value", false))
    config.refuse("rotary_value", "only false is supported");
  read_embedding_size(config, d.d_model, d);
  if (config.says_null("embedding_size")) d.d_embedding = d.d_model;
  check_rotated_heads(config, d);
  if (d.head_dim % 2 != 0)
    config.refuse("num_attention_heads", "heads of " + std::to_string(d.head_dim) +
                                             " features cannot be rotated in pairs");
  d.positions = PositionType::kRotary;
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  for (LayerDescription& layer : d.layers) layer.frequencies = rotary_frequencies({}, d.head_dim);
}

void describe_albert(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 30000);
  d.d_model = config.size_or("hidden_size", 4096);
  set_heads(config, "num_attention_heads", 64, d);
  d.d_mlp = config.size_or("intermediate_size", 16384);
  d.activation = d.read_out_activation = read_activation(config, "hidden_act", "gelu_new");
  d.causal = false;
  d.always_projected = true;
  read_embedding_size(config, 128, d);
  const Index groups = config.size_or("num_hidden_groups", 1, kMostLayers);
  const Index inner = config.size_or("inner_group_num", 1, kMostLayers);
  if (d.n_layers * inner > kMostLayers) config.refuse("inner_group_num", "too many layers");
  for (Index layer = 0; layer < d.n_layers; ++layer)
    for (Index i = 0; i < inner; ++i)
      d.layer_numbers.push_back(std::to_string(layer * groups / d.n_layers) + ".albert_layers." +
                                std::to_string(i));
  d.n_layers *= inner;
  set_layers(d);
}

void describe_mpnet(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 30527);
  d.token_types = 0;
  d.causal = false;
  d.read_out_activation = Activation::kGelu;  // whatever hidden_act says
  d.padding = 1;
  d.position_offset = 2;
  if (d.max_positions <= d.position_offset)
    config.refuse("max_position_embeddings", "leaves no position after the padding");
  d.max_positions -= d.position_offset;
  d.distance_buckets = 32;  // of those that the file has
  d.largest_distance = 128;
  d.unused_buckets =
      config.size_or("relative_attention_num_buckets", d.distance_buckets) - d.distance_buckets;
  if (d.unused_buckets < 0)
    config.refuse("relative_attention_num_buckets", "should be at least 32");
}

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

void describe_mbart(const ConfigReader& config, Description& d) {
  describe_bart(config, d);
  d.norm_position = NormPosition::kBefore;
  d.final_norm = true;
}

void describe_pegasus(const ConfigReader& config, Description& d) {
  describe_two_stacks(config, d);
  d.vocabulary = config.size_or("vocab_size", 50265);
  d.positions = PositionType::kSinusoidal;
  config.size_or("max_position_embeddings", 1024, kMostSinusoids);
  d.norm_position = NormPosition::kBefore;
  d.final_norm = true;
  if (config.flag_or("scale_embedding", false)) scale_embedding(d);
}

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

}  // namespace

namespace {

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
  d.n_layers = config.has("num_decoder_layers")  // that of num_layers, see kFamilies
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

}  // namespace

void describe_t5(const ConfigReader& config, Description& d) {
  describe_t5_blocks(config, d, {32128, 2048, 6, 8, "relu"});
  scale_output(config, d);
}

void describe_mt5(const ConfigReader& config, Description& d) {
  describe_t5_blocks(config, d, {250112, 1024, 8, 6, "gated-gelu"});
}

void describe_umt5(const ConfigReader& config, Description& d) {
  describe_mt5(config, d);
  d.bias_in_each_layer = true;
  scale_output(config, d);
}

}  // namespace lab::files
