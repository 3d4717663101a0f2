#include "app/files/model/gguf/gguf_gemma4.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"

namespace lab::files {
namespace {

using nlohmann::json;

constexpr std::string_view kKeyHeadsByLayer = "attention.head_count_kv",
                           kInnerByLayer = "feed_forward_length";

std::string gemma4_key(std::string_view key) { return "gemma4." + std::string(key); }

[[noreturn]] void refuse_key(std::string_view key, const std::string& problem) {
  throw BadInput("key " + in_quotes(gemma4_key(key)) + ": " + problem);
}

std::uint64_t checked_count(std::string_view key, const json& value) {
  const bool whole =
      value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!whole) refuse_key(key, "should be a whole number");
  return value.get<std::uint64_t>();
}

std::uint64_t count_or(const json& metadata, std::string_view key, std::uint64_t otherwise) {
  const auto at = metadata.find(gemma4_key(key));
  return at == metadata.end() ? otherwise : checked_count(key, *at);
}

// The value of a key in each layer, of which it may give one for all.
std::vector<std::uint64_t> in_layers(const json& metadata, std::string_view key,
                                     std::uint64_t layers) {
  const auto at = metadata.find(gemma4_key(key));
  if (at == metadata.end()) throw BadInput("key " + in_quotes(gemma4_key(key)) + " is missing");
  if (!at->is_array()) return std::vector<std::uint64_t>(layers, checked_count(key, *at));
  if (at->size() < layers)
    refuse_key(key,
               std::to_string(at->size()) + " values for " + std::to_string(layers) + " layers");
  std::vector<std::uint64_t> values;
  for (std::uint64_t layer = 0; layer < layers; ++layer)
    values.push_back(checked_count(key, (*at)[layer]));
  return values;
}

// Layers with keys and values of others may have an MLP of twice the width.
void set_widths(const json& metadata, std::uint64_t layers, std::uint64_t own, json& config) {
  const std::vector<std::uint64_t> widths = in_layers(metadata, kInnerByLayer, layers);
  const bool wide = own < layers && widths.back() != widths.front();
  for (std::uint64_t layer = 0; layer < layers; ++layer)
    if (widths[layer] != (wide && layer >= own ? 2 : 1) * widths.front())
      refuse_key(kInnerByLayer, "differs between layers, which is not supported");
  config["intermediate_size"] = widths.front();
  config["use_double_wide_mlp"] = wide;
}

// Heads of layers that see all keys may have another size.
void set_heads_of_layers(const json& metadata, std::uint64_t layers, json& config) {
  const auto size = [&](const char* key, std::uint64_t head, const char* other) {
    if (count_or(metadata, other, head) != head)
      refuse_key(other, "is not " + std::string(key) + ", which is not supported");
  };
  const std::uint64_t full = config["head_dim"];
  const std::uint64_t sliding = count_or(metadata, "attention.key_length_swa", full);
  size("attention.key_length", full, "attention.value_length");
  size("attention.key_length_swa", sliding, "attention.value_length_swa");
  size("attention.key_length_swa", sliding, "rope.dimension_count_swa");
  const std::vector<std::uint64_t> heads = in_layers(metadata, kKeyHeadsByLayer, layers);
  config["head_dim"] = sliding;
  config["num_key_value_heads"] = heads.front();
  json& sizes = config["per_layer_config"] = json::object();
  for (std::uint64_t layer = 0; layer < layers; ++layer)
    sizes[std::to_string(layer)] = {
        {"head_dim", config["layer_types"][layer] == "full_attention" ? full : sliding},
        {"num_key_value_heads", heads[layer]}};
}

}  // namespace

bool is_gemma4(const GgufArchitecture& architecture) { return architecture.name == "gemma4"; }

json with_one_value(const GgufArchitecture& architecture, const json& metadata) {
  if (!is_gemma4(architecture)) return metadata;
  json plain = metadata;
  for (const std::string_view key : {kKeyHeadsByLayer, kInnerByLayer})
    if (const auto at = plain.find(gemma4_key(key));
        at != plain.end() && at->is_array() && !at->empty())
      *at = json(at->front());
  return plain;
}

void set_gemma4(const GgufArchitecture& architecture, const json& metadata,
                const Checkpoint& checkpoint, json& config) {
  const std::uint64_t layers = config["num_hidden_layers"];
  if (layers > kMostLayers) return;  // which is refused afterwards
  const std::uint64_t shared = count_or(metadata, "attention.shared_kv_layers", 0);
  if (shared >= layers) refuse_key("attention.shared_kv_layers", "as many as there are layers");
  if (!config.contains("layer_types"))
    throw BadInput("key " + in_quotes(gemma4_key("attention.sliding_window_pattern")) +
                   " is missing, or the window");
  set_widths(metadata, layers, layers - shared, config);
  set_heads_of_layers(metadata, layers, config);
  config["num_kv_shared_layers"] = shared;
  config["attention_k_eq_v"] = false;
  for (std::uint64_t layer = 0; layer < layers - shared; ++layer)
    if (config["layer_types"][layer] == "full_attention" &&
        !checkpoint.contains(
            family_name(architecture, "blk." + std::to_string(layer) + ".attn_v.weight")))
      config["attention_k_eq_v"] = true;
  config["hidden_size_per_layer_input"] = count_or(metadata, "embedding_length_per_layer_input", 0);
  const auto tokens =
      checkpoint.tensors().find(family_name(architecture, "per_layer_token_embd.weight"));
  if (tokens != checkpoint.tensors().end())
    config["vocab_size_per_layer_input"] = static_cast<std::uint64_t>(tokens->second.shape.front());
  // Which pairs of features the factors of frequencies leave as they are is not said here.
  const json base = config["rope_theta"], local = config.value("rope_local_base_freq", json(1e4));
  config["rope_parameters"] = {
      {"full_attention", {{"rope_type", "default"}, {"rope_theta", base}}},
      {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", local}}}};
  config["enable_moe_block"] = architecture.routing != GgufRouting::kNone;
  if (config.contains("num_experts_per_tok"))
    config["top_k_experts"] = config["num_experts_per_tok"];
}

}  // namespace lab::files
