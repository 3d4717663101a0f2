#include "app/files/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/model/rotary_config.h"

// How each family spells its config.json. What is not set here is the same in all, see
// description.h.

namespace lab::files {
namespace {

using attention::Index;
using attention::network::Activation;
using attention::network::NormKind;

constexpr Index kMostLayers = 1024, kMostHeads = 1024;
// Of tables that are computed before a tensor confirms the size.
constexpr Index kLargestHead = 8192, kMostSinusoids = 65536;

Activation read_activation(const ConfigReader& config, const char* name, const char* usual) {
  const std::string spelt = config.text_or(name, usual);
  if (spelt == "gelu") return Activation::kGelu;
  if (spelt == "gelu_new" || spelt == "gelu_pytorch_tanh" || spelt == "gelu_fast")
    return Activation::kGeluTanh;
  if (spelt == "relu") return Activation::kRelu;
  if (spelt == "silu" || spelt == "swish") return Activation::kSilu;
  config.refuse(name, in_quotes(spelt) +
                          " is not supported; supported are gelu, gelu_new, gelu_pytorch_tanh, "
                          "relu, silu and swish");
}

float epsilon(const ConfigReader& config, const char* name, double usual) {
  const double value = config.number_or(name, usual);
  if (!(value >= 0) || value > 1) config.refuse(name, "should be from 0 to 1");
  return static_cast<float>(value);
}

// n_kv_heads and head_dim, which follow from the others in most families.
void set_heads(Description& d, Index n_heads) {
  d.n_heads = d.n_kv_heads = d.n_encoder_heads = n_heads;
  d.head_dim = d.d_model / n_heads;
}

// 1 / √head_dim in every layer, and no window.
void set_layers(Description& d) {
  const float factor = 1 / std::sqrt(static_cast<float>(d.head_dim));
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {.score_factor = factor});
}

void describe_gpt2(const ConfigReader& config, Description& d) {
  d.d_model = config.size("n_embd");
  d.n_layers = config.size("n_layer", kMostLayers);
  set_heads(d, config.size("n_head", kMostHeads));
  d.d_mlp = config.size_or("n_inner", 4 * d.d_model);
  d.max_positions = config.size_or("n_positions", config.size_or("n_ctx", 1024));
  d.norm_epsilon = epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation_function", "gelu_new");
  set_layers(d);
  const bool scaled = config.flag_or("scale_attn_weights", true);
  const bool by_layer = config.flag_or("scale_attn_by_inverse_layer_idx", false);
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    float& factor = d.layers[layer].score_factor;
    if (!scaled) factor = 1;
    if (by_layer) factor /= static_cast<float>(layer + 1);
  }
}

// The kinds of GPT-Neo's layers: attention_layers, or attention_types as [[kinds], repeats].
std::vector<std::string> neo_kinds(const ConfigReader& config, Index n_layers) {
  std::vector<std::string> kinds = config.texts("attention_layers");
  const nlohmann::json* const types = config.find("attention_types");
  if (!kinds.empty() || types == nullptr) return kinds;
  for (const auto& group : *types) {
    const bool right = group.is_array() && group.size() == 2 && group[0].is_array() &&
                       group[1].is_number_unsigned();
    if (!right) config.refuse("attention_types", "should be a list of [[kinds], repeats]");
    const auto repeats = group[1].get<std::uint64_t>();
    for (std::uint64_t i = 0; i < repeats && static_cast<Index>(kinds.size()) < n_layers; ++i)
      for (const auto& kind : group[0]) kinds.push_back(kind.is_string() ? kind : "");
  }
  return kinds;
}

void describe_gpt_neo(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_layers", kMostLayers);
  set_heads(d, config.size("num_heads", kMostHeads));
  d.d_mlp = config.size_or("intermediate_size", 4 * d.d_model);
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = epsilon(config, "layer_norm_epsilon", 1e-5);
  d.activation = read_activation(config, "activation_function", "gelu_new");
  d.biases.query_key_value = false;
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {});
  const std::vector<std::string> kinds = neo_kinds(config, d.n_layers);
  if (kinds.size() != d.layers.size())
    config.refuse("attention_layers", std::to_string(kinds.size()) + " kinds for " +
                                          std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
    if (kinds[layer] == "local") d.layers[layer].window = config.size_or("window_size", 256);
    if (kinds[layer] != "local" && kinds[layer] != "global")
      config.refuse("attention_layers", in_quotes(kinds[layer]) + " is neither global nor local");
  }
}

void set_rotary(const ConfigReader& config, Description& d, const RotarySettings& usual = {}) {
  d.positions = PositionKind::kRotary;
  if (d.head_dim > kLargestHead)
    config.refuse(config.has("head_dim") ? "head_dim" : "num_attention_heads",
                  "heads of " + std::to_string(d.head_dim) + " features; at most " +
                      std::to_string(kLargestHead) + " are supported");
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && static_cast<Index>(types.size()) != d.n_layers)
    config.refuse("layer_types", std::to_string(types.size()) + " types for " +
                                     std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    const bool sliding = d.layers[layer].window > 0;
    const RotarySettings settings =
        read_rotary(config, sliding ? "sliding_attention" : "full_attention", usual);
    const auto dims = static_cast<Index>(static_cast<double>(d.head_dim) * settings.part);
    d.layers[layer].frequencies = rotary_frequencies(settings, dims);
    d.rotary_scale = static_cast<float>(settings.attention_factor);
  }
}

void describe_gpt_neox(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.d_mlp = config.size("intermediate_size");
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.norm_epsilon = epsilon(config, "layer_norm_eps", 1e-5);
  d.activation = read_activation(config, "hidden_act", "gelu");
  d.parallel = config.flag_or("use_parallel_residual", true);
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", true);
  d.tied = config.flag_or("tie_word_embeddings", false);
  set_layers(d);
  set_rotary(config, d, {.part = 0.25});
}

void describe_opt(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.d_embedding = config.size_or("word_embed_proj_dim", d.d_model);
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.d_mlp = config.size("ffn_dim");
  d.max_positions = config.size_or("max_position_embeddings", 2048);
  d.position_offset = 2;
  d.activation = read_activation(config, "activation_function", "relu");
  const bool before = config.flag_or("do_layer_norm_before", true);
  d.norm_place = before ? NormPlace::kBefore : NormPlace::kAfter;
  d.final_norm = before && !config.flag_or("_remove_final_layer_norm", false);
  const bool biases = config.flag_or("enable_bias", true);
  d.biases.query_key_value = d.biases.attention_output = d.biases.mlp = biases;
  if (!config.flag_or("layer_norm_elementwise_affine", true))
    config.refuse("layer_norm_elementwise_affine", "only true is supported");
  set_layers(d);
}

// Llama, and what Mistral, Qwen and Gemma have in common with it.
void describe_llama(const ConfigReader& config, Description& d) {
  d.d_model = config.size("hidden_size");
  d.n_layers = config.size("num_hidden_layers", kMostLayers);
  set_heads(d, config.size("num_attention_heads", kMostHeads));
  d.n_kv_heads = config.size_or("num_key_value_heads", d.n_heads);
  d.head_dim = config.size_or("head_dim", d.head_dim);
  d.d_mlp = config.size("intermediate_size");
  d.max_positions = config.count_or("max_position_embeddings", 0);
  d.norm = NormKind::kRms;
  d.norm_epsilon = epsilon(config, "rms_norm_eps", 1e-6);
  d.biases.query_key_value = d.biases.attention_output = config.flag_or("attention_bias", false);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.biases.norm = false;
  d.activation = read_activation(config, "hidden_act", "silu");
  d.gated = true;
  d.tied = config.flag_or("tie_word_embeddings", false);
  set_layers(d);
  set_rotary(config, d);
}

void describe_mistral(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  for (LayerDescription& layer : d.layers) layer.window = config.count_or("sliding_window", 0);
}

// Windows in the layers whose layer_types say so; without them, where `is_sliding` does.
template <typename IsSliding>
void set_windows(const ConfigReader& config, Description& d, IsSliding is_sliding) {
  const std::vector<std::string> types = config.texts("layer_types");
  const Index window = config.count_or("sliding_window", 0);
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    const bool sliding = types.empty()
                             ? is_sliding(static_cast<Index>(layer))
                             : layer < types.size() && types[layer] == "sliding_attention";
    if (sliding) d.layers[layer].window = window;
  }
}

void describe_qwen2(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  d.biases.query_key_value = true;
  const bool windows = config.flag_or("use_sliding_window", false);
  const Index first = config.count_or("max_window_layers", 28);
  set_windows(config, d, [&](Index layer) { return windows && layer >= first; });
}

void describe_qwen3(const ConfigReader& config, Description& d) {
  describe_qwen2(config, d);
  d.head_dim = config.size_or("head_dim", 128);
  d.biases.query_key_value = config.flag_or("attention_bias", false);
  d.query_key_norm = true;
  for (LayerDescription& layer : d.layers)
    layer.score_factor = 1 / std::sqrt(static_cast<float>(d.head_dim));
  set_rotary(config, d);
}

// What Gemma 2 and 3 have in common.
void describe_gemma(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  d.head_dim = config.size_or("head_dim", 256);
  d.activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh");
  d.norm_weight_plus_one = true;
  d.norm_place = NormPlace::kBoth;
  d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  d.tied = config.flag_or("tie_word_embeddings", true);
  const double scalar = config.number_or("query_pre_attn_scalar", 256);
  if (!(scalar > 0)) config.refuse("query_pre_attn_scalar", "should be a positive number");
  for (LayerDescription& layer : d.layers)
    layer.score_factor = static_cast<float>(1 / std::sqrt(scalar));
}

// A cap that is missing is as `usual`; null is none.
float cap(const ConfigReader& config, const char* name, double usual) {
  return static_cast<float>(config.number_or(name, config.says_null(name) ? 0 : usual));
}

void describe_gemma2(const ConfigReader& config, Description& d) {
  describe_gemma(config, d);
  d.score_cap = cap(config, "attn_logit_softcapping", 50);
  d.logit_cap = cap(config, "final_logit_softcapping", 30);
  set_windows(config, d, [](Index layer) { return layer % 2 == 0; });
  set_rotary(config, d);
}

void describe_gemma3(const ConfigReader& config, Description& d) {
  if (config.flag_or("use_bidirectional_attention", false))
    config.refuse("use_bidirectional_attention", "only false is supported");
  describe_gemma(config, d);
  d.score_cap = cap(config, "attn_logit_softcapping", 0);
  d.logit_cap = cap(config, "final_logit_softcapping", 0);
  d.query_key_norm = true;
  const Index pattern =
      config.size_or("sliding_window_pattern", config.size_or("_sliding_window_pattern", 6));
  set_windows(config, d, [&](Index layer) { return (layer + 1) % pattern != 0; });
  set_rotary(config, d, {.base = 1e6});
}

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
  d.norm_epsilon = epsilon(config, "layer_norm_eps", 1e-12);
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
  d.norm_epsilon = epsilon(config, "layer_norm_epsilon", 1e-6);
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

constexpr std::array kFamilies = {
    Family{"bert", "BERT", describe_bert, kBertNames},
    Family{"roberta", "RoBERTa", describe_roberta, kRobertaNames},
    Family{"distilbert", "DistilBERT", describe_distilbert, kDistilBertNames},
    Family{"gpt2", "GPT-2", describe_gpt2, kGpt2Names},
    Family{"gpt_neo", "GPT-Neo", describe_gpt_neo, kGptNeoNames},
    Family{"gpt_neox", "GPT-NeoX", describe_gpt_neox, kGptNeoxNames},
    Family{"opt", "OPT", describe_opt, kOptNames},
    Family{"llama", "Llama", describe_llama, kLlamaNames},
    Family{"mistral", "Mistral", describe_mistral, kLlamaNames},
    Family{"qwen2", "Qwen2", describe_qwen2, kLlamaNames},
    Family{"qwen3", "Qwen3", describe_qwen3, kLlamaNames},
    Family{"gemma2", "Gemma 2", describe_gemma2, kGemmaNames},
    Family{"gemma3_text", "Gemma 3", describe_gemma3, kGemmaNames},
    Family{"bart", "BART", describe_bart, kBartNames},
    Family{"marian", "Marian", describe_marian, kBartNames},
    Family{"t5", "T5", describe_t5, kT5Names},
};

const Family* find_family(const std::string& type) {
  const auto at =
      std::ranges::find(kFamilies, type, [](const Family& f) { return std::string(f.type); });
  return at == kFamilies.end() ? nullptr : &*at;
}

std::string supported_types() {
  std::string list;
  for (const Family& family : kFamilies)
    list += (list.empty() ? "" : ", ") + std::string(family.type);
  return list;
}

void check_sizes(const ConfigReader& config, const Description& d) {
  if (d.head_dim < 1) config.refuse("num_attention_heads", "more heads than features");
  if (d.n_heads % d.n_kv_heads != 0)
    config.refuse("num_key_value_heads", std::to_string(d.n_kv_heads) + " does not divide " +
                                             std::to_string(d.n_heads) + " heads");
  if (!(std::abs(d.score_cap) < 1e30f) || !(std::abs(d.logit_cap) < 1e30f))
    config.refuse("final_logit_softcapping", "is no number");
}

}  // namespace

std::span<const Family> families() { return kFamilies; }

Description read_description(const nlohmann::json& file) {
  const ConfigReader config(file);
  Description d;
  d.family = config.text_or("model_type", "");
  if (d.family.empty()) config.refuse("model_type", "is missing");
  const Family* const family = find_family(d.family);
  if (family == nullptr)
    config.refuse("model_type",
                  in_quotes(d.family) + " is not supported; supported are " + supported_types());
  if (config.has("quantization_config"))
    config.refuse("quantization_config", "quantised weights are not supported");
  const std::vector<std::string> architectures = config.texts("architectures");
  if (!architectures.empty()) d.architecture = architectures.front();
  d.vocabulary = config.size("vocab_size");
  d.tied = config.flag_or("tie_word_embeddings", true);
  if (config.has("decoder_start_token_id"))
    d.decoder_start = static_cast<std::uint32_t>(config.count_or("decoder_start_token_id", 0));
  family->describe(config, d);
  if (d.d_embedding == 0) d.d_embedding = d.d_model;
  check_sizes(config, d);
  return d;
}

const Family& family_of(const Description& description) { return *find_family(description.family); }

}  // namespace lab::files
