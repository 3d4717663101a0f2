#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kGemma4Names = [] {
  ModelNames names = kGemmaNames;
  names.prefixes = {"model.", "model.language_model.", ""};
  names.stack.layer_inputs = {.tokens = "embed_tokens_per_layer",
                              .projection = "per_layer_model_projection",
                              .norm = "per_layer_projection_norm",
                              .gate = "per_layer_input_gate",
                              .gate_projection = "per_layer_projection",
                              .gate_norm = "post_per_layer_input_norm"};
  names.stack.layer_factor = "layer_scalar";
  names.stack.experts = {.router = "router.proj",
                         .router_scale = "router.scale",
                         .scales = "router.per_expert_scale",
                         .gate_up = "experts.gate_up_proj.{}",
                         .gate = "experts.{}.gate_proj",
                         .up = "experts.{}.up_proj",
                         .down = "experts.down_proj.{}",
                         .before = "pre_feedforward_layernorm_2",
                         .after = "post_feedforward_layernorm_2",
                         .beside = "post_feedforward_layernorm_1"};
  return names;
}();

constexpr const char* kFull = "full_attention";
constexpr const char* kSliding = "sliding_attention";

const char* type_of(const LayerDescription& layer) { return layer.sliding ? kSliding : kFull; }

// Every sixth layer sees all keys where layer_types is missing, and the last one always does.
void set_types(const ConfigReader& config, Description& d) {
  set_windows(config, d, config.size_or("sliding_window", 512),
              [](Index layer) { return (layer + 1) % 6 != 0; });
  LayerDescription& last = d.layers.back();
  if (!last.sliding) return;
  last.sliding = false;
  last.window = 0;
  d.notes.emplace_back(
      "layer_types: the last layer is taken for one of full_attention, as in the reference");
}

struct HeadSizes {
  Index head_dim, n_kv_heads;
  bool operator==(const HeadSizes&) const = default;
};

// What per_layer_config says of one layer.
void read_layer_sizes(const ConfigReader& config, const ConfigReader& all,
                      const std::string& number, std::map<std::size_t, HeadSizes>& sizes) {
  const char* const name = number.c_str();
  const bool is_number = !number.empty() && number.size() < 5 &&
                         number.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stoul(number) >= sizes.size()) all.refuse(name, "there is no such layer");
  const auto members = all.object(name);
  if (!members) all.refuse(name, "should be an object");
  HeadSizes& of_layer = sizes.at(std::stoul(number));
  for (const auto& [key, value] : members->value().items()) {
    if (key == "head_dim" || key == "num_key_value_heads") continue;
    const nlohmann::json* const of_model = config.find(key.c_str());
    if (of_model == nullptr || *of_model != value)
      members->refuse(key.c_str(), "cannot differ between layers");
  }
  of_layer.head_dim = members->size_or("head_dim", of_layer.head_dim);
  of_layer.n_kv_heads = members->size_or("num_key_value_heads", of_layer.n_kv_heads);
}

// The sizes of heads of each layer: by per_layer_config where it is there, else those of layers
// that see all keys by members of their own.
std::map<std::size_t, HeadSizes> read_sizes(const ConfigReader& config, const Description& d) {
  std::map<std::size_t, HeadSizes> sizes;
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    sizes[layer] = {d.head_dim, d.n_kv_heads};
  if (config.find("per_layer_config") != nullptr) {
    const auto all = config.object("per_layer_config");
    if (!all) return sizes;
    for (const auto& [number, value] : all->value().items())
      read_layer_sizes(config, *all, number, sizes);
    return sizes;
  }
  const Index head_dim = config.size_or("global_head_dim", 512);
  const auto n_kv_heads = config.optional_size("num_global_key_value_heads");
  const bool counts = config.flag_or("attention_k_eq_v", false);
  for (auto& [layer, one] : sizes)
    if (!d.layers[layer].sliding)
      one = {head_dim, counts ? n_kv_heads.value_or(d.n_kv_heads) : d.n_kv_heads};
  return sizes;
}

void set_sizes(const ConfigReader& config, Description& d) {
  std::map<bool, HeadSizes> of_type;  // by `sliding`
  for (const auto& [layer, one] : read_sizes(config, d)) {
    LayerDescription& settings = d.layers[layer];
    const auto [at, added] = of_type.try_emplace(settings.sliding, one);
    if (!(at->second == one))
      config.refuse("per_layer_config", "layers of the type " + in_quotes(type_of(settings)) +
                                            " differ in their heads");
    if (d.n_heads % one.n_kv_heads != 0)
      config.refuse("num_key_value_heads", std::to_string(one.n_kv_heads) + " does not divide " +
                                               std::to_string(d.n_heads) + " heads");
    settings.head_dim = one.head_dim;
    settings.n_kv_heads = one.n_kv_heads;
    settings.value_is_key = !settings.sliding && config.flag_or("attention_k_eq_v", false);
  }
}

// The last num_kv_shared_layers layers use the keys and values of the last layer of their type
// before them.
void set_key_layers(const ConfigReader& config, Description& d) {
  const Index shared = config.count_or("num_kv_shared_layers", 0);
  const bool wide = config.flag_or("use_double_wide_mlp", false);
  if (shared >= d.n_layers)
    config.refuse("num_kv_shared_layers", std::to_string(shared) + " of " +
                                              std::to_string(d.n_layers) +
                                              " layers: none has keys and values");
  std::map<bool, Index> last;  // by `sliding`
  for (Index layer = 0; layer < d.n_layers; ++layer) {
    LayerDescription& settings = d.layers[static_cast<std::size_t>(layer)];
    if (layer < d.n_layers - shared) {
      last[settings.sliding] = layer;
      continue;
    }
    if (!last.contains(settings.sliding))
      config.refuse("num_kv_shared_layers", "no layer of the type " + in_quotes(type_of(settings)) +
                                                " has keys and values");
    settings.key_layer = last.at(settings.sliding);
    if (wide) settings.d_mlp = 2 * d.d_mlp;
  }
}

// The rotary settings of a type of layers, with what the reference takes where rope_parameters are
// missing.
RotarySettings read_type(const ConfigReader& config, const char* type, Description& d) {
  if (config.find("rope_scaling") != nullptr)
    config.refuse(
        "rope_scaling",
        "is not for this family, whose rope_parameters has settings for each type of layer");
  nlohmann::json members = nlohmann::json::object();
  members["rope_parameters"] = {
      {kSliding, {{"rope_type", "default"}, {"rope_theta", 10000.0}}},
      {kFull,
       {{"rope_type", "proportional"}, {"partial_rotary_factor", 0.25}, {"rope_theta", 1e6}}}};
  if (config.has("rope_parameters")) {
    members["rope_parameters"] = *config.find("rope_parameters");
    const auto settings = config.object("rope_parameters")->object(type);
    if (!settings) config.object("rope_parameters")->refuse(type, "is missing");
    if (!settings->has("rope_theta")) settings->refuse("rope_theta", "is missing");
  }
  const RotarySpelling spelling{.base = nullptr,
                                .sliding_base = nullptr,
                                .by_layer_type = true,
                                .proportional = true,
                                .positions = d.max_positions};
  return read_rotary(ConfigReader(members), type, spelling, d.notes);
}

void set_rotary_types(const ConfigReader& config, Description& d) {
  d.positions = PositionType::kRotary;
  std::map<bool, RotarySettings> types;  // by `sliding`
  for (LayerDescription& layer : d.layers) {
    const auto [at, added] = types.try_emplace(layer.sliding);
    if (added) at->second = read_type(config, type_of(layer), d);
    const RotarySettings& settings = at->second;
    if (layer.head_dim % 2 != 0 || layer.head_dim > kLargestRotatedHead)
      config.refuse(
          layer.sliding ? "head_dim" : "global_head_dim",
          "heads of " + std::to_string(layer.head_dim) + " features cannot be rotated in pairs");
    layer.frequencies = rotary_frequencies(settings, layer.head_dim);
    layer.long_texts = rotary_of_long_texts(settings, layer.head_dim);
    layer.rotary_scale = static_cast<float>(settings.attention_factor);
  }
}

void read_experts_beside(const ConfigReader& config, Description& d) {
  if (!config.flag_or("enable_moe_block", false)) return;
  const auto needed = [&](const char* name, Index most) {
    if (!config.has(name)) config.refuse(name, "is missing, and enable_moe_block needs it");
    return config.size_or(name, 1, most);
  };
  ExpertsDescription& experts = d.experts;
  experts.count = needed("num_experts", kMostExperts);
  experts.chosen = needed("top_k_experts", kMostExperts);
  experts.d_mlp = needed("moe_intermediate_size", ConfigReader::kLargestSize);
  if (experts.chosen > experts.count)
    config.refuse("top_k_experts", std::to_string(experts.chosen) + " of " +
                                       std::to_string(experts.count) + " experts cannot be chosen");
  experts.normalised = experts.apart = experts.halves = true;
}

// Texts are read alike where images are seen both ways; everything both ways is another network.
void refuse_all_ways(const ConfigReader& config) {
  constexpr const char* kName = "use_bidirectional_attention";
  if (config.has(kName) && config.text_or(kName, "") != "vision")
    config.refuse(kName, "only null and \"vision\" are supported");
}

// Gemma 4: values are normalised too, layers of two sizes, late layers without keys and values of
// their own, inputs of each layer from the embedding, experts beside the MLP.
void describe_gemma4(const ConfigReader& config, Description& d) {
  refuse_all_ways(config);
  require_key_heads(config);
  describe_llama_like(config, d, {262144, 2304, 9216, 30, 8, 4, 256, 131072});
  read_attention_bias(config, d);
  d.activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh");
  d.norm_position = NormPosition::kBoth;
  d.query_key_norm = d.value_norm = d.layer_factors = true;
  d.embedding_scale = std::sqrt(static_cast<float>(d.d_model));
  d.tied = config.flag_or("tie_word_embeddings", true);
  d.logit_cap = read_cap(config, "final_logit_softcapping", 0);
  d.layer_inputs.width = config.count_or("hidden_size_per_layer_input", 256);
  d.layer_inputs.vocabulary = config.size_or("vocab_size_per_layer_input", 262144);
  if (d.layer_inputs.width > 0 && d.layer_inputs.vocabulary < d.vocabulary)
    config.refuse("vocab_size_per_layer_input", std::to_string(d.layer_inputs.vocabulary) +
                                                    ", and vocab_size is " +
                                                    std::to_string(d.vocabulary));
  set_layers(d);
  for (LayerDescription& layer : d.layers) layer.score_factor = 1;
  set_types(config, d);
  set_sizes(config, d);
  set_key_layers(config, d);
  set_rotary_types(config, d);
  read_experts_beside(config, d);
}

constexpr std::array kGemma4Families = {
    Family{"gemma4_text", "Gemma 4", describe_gemma4, kGemma4Names},
    Family{"gemma4", "Gemma 4", describe_gemma4, kGemma4Names, {}, true},
};

}  // namespace

std::span<const Family> gemma4_families() { return kGemma4Families; }

}  // namespace lab::files
