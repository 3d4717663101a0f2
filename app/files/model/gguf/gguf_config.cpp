#include "app/files/model/gguf/gguf_config.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/bad_input.h"
#include "app/files/model/config_reader.h"
#include "app/files/model/describe.h"
#include "app/files/model/gguf/gguf_gemma4.h"

namespace lab::files {
namespace {

using nlohmann::json;

// What the value of a key is.
enum class ValueKind {
  kSize,   // a whole number from 1 on
  kCount,  // a whole number from 0 on
  kNumber,
  kFlag,
  kText,
};

// A key after the name of the architecture, and the member of config.json that says the same.
struct MemberOfKey {
  std::string_view key;
  const char* member;
  ValueKind kind;
};
constexpr std::array kMembers = std::to_array<MemberOfKey>({
    {"context_length", "max_position_embeddings", ValueKind::kSize},
    {"embedding_length", "hidden_size", ValueKind::kSize},
    {"block_count", "num_hidden_layers", ValueKind::kSize},
    {"feed_forward_length", "intermediate_size", ValueKind::kSize},
    {"feed_forward_length", "n_inner", ValueKind::kSize},
    {"feed_forward_length", "ffn_hidden_size", ValueKind::kSize},
    {"attention.head_count", "num_attention_heads", ValueKind::kSize},
    {"attention.head_count_kv", "num_key_value_heads", ValueKind::kSize},
    {"attention.head_count_kv", "num_kv_heads", ValueKind::kSize},
    {"attention.key_length", "head_dim", ValueKind::kSize},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps", ValueKind::kNumber},
    {"attention.layer_norm_epsilon", "layer_norm_epsilon", ValueKind::kNumber},
    {"attention.layer_norm_epsilon", "layer_norm_eps", ValueKind::kNumber},
    {"attention.layer_norm_epsilon", "norm_epsilon", ValueKind::kNumber},
    {"attention.layer_norm_epsilon", "norm_eps", ValueKind::kNumber},
    {"attention.causal", "is_causal", ValueKind::kFlag},
    {"attention.causal", "is_decoder", ValueKind::kFlag},
    {"attention.clamp_kqv", "clip_qkv", ValueKind::kNumber},
    {"attention.scale", "attention_multiplier", ValueKind::kNumber},
    {"attention.sliding_window", "sliding_window", ValueKind::kCount},
    {"attention.sliding_window", "local_attention", ValueKind::kCount},
    {"hidden_activation", "hidden_activation", ValueKind::kText},
    {"embedding_scale", "embedding_multiplier", ValueKind::kNumber},
    {"residual_scale", "residual_multiplier", ValueKind::kNumber},
    {"logit_scale", "logits_scaling", ValueKind::kNumber},
    {"logit_scale", "logit_scale", ValueKind::kNumber},
    {"use_parallel_residual", "use_parallel_residual", ValueKind::kFlag},
    {"attn_logit_softcapping", "attn_logit_softcapping", ValueKind::kNumber},
    {"final_logit_softcapping", "final_logit_softcapping", ValueKind::kNumber},
    {"rope.freq_base", "rope_theta", ValueKind::kNumber},
    {"rope.freq_base", "rotary_emb_base", ValueKind::kNumber},
    {"rope.freq_base", "global_rope_theta", ValueKind::kNumber},
    {"rope.freq_base_swa", "rope_local_base_freq", ValueKind::kNumber},
    {"rope.freq_base_swa", "local_rope_theta", ValueKind::kNumber},
});
constexpr std::array kMembersOfExperts = std::to_array<MemberOfKey>({
    {"expert_count", "num_local_experts", ValueKind::kSize},
    {"expert_count", "num_experts", ValueKind::kSize},
    {"expert_count", "n_routed_experts", ValueKind::kSize},
    {"expert_used_count", "num_experts_per_tok", ValueKind::kSize},
    {"expert_feed_forward_length", "moe_intermediate_size", ValueKind::kSize},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size", ValueKind::kSize},
    {"expert_shared_count", "n_shared_experts", ValueKind::kCount},
    {"expert_group_count", "n_group", ValueKind::kSize},
    {"expert_group_used_count", "topk_group", ValueKind::kSize},
    {"expert_weights_norm", "norm_topk_prob", ValueKind::kFlag},
    {"expert_weights_scale", "routed_scaling_factor", ValueKind::kNumber},
    {"leading_dense_block_count", "first_k_dense_replace", ValueKind::kCount},
});
// Keys that every file has.
constexpr std::array kNeeded = {"context_length", "embedding_length", "block_count",
                                "attention.head_count"};
constexpr std::array kNeededOfLatent = {"attention.kv_lora_rank", "rope.dimension_count"};
constexpr std::array kNeededOfExperts = {"expert_count", "expert_used_count"};

constexpr std::string_view kKeyHeads = "attention.head_count_kv";

constexpr double kUsualBase = 10000;  // of rotary frequencies

[[noreturn]] void refuse(const std::string& key, const std::string& problem) {
  throw BadInput("key " + in_quotes(key) + ": " + problem);
}

std::string key_of(const GgufArchitecture& architecture, std::string_view key) {
  return std::string(architecture.name) + "." + std::string(key);
}

// A whole number, whatever its type in the file.
json whole_number(const std::string& key, const json& value, ValueKind kind) {
  const bool whole =
      value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!whole) refuse(key, "should be a whole number");
  if (kind == ValueKind::kSize && value == 0) refuse(key, "0, should be 1 or more");
  return value.get<std::uint64_t>();
}

// The value of a key, also of one that gives it for each layer.
json checked_value(const std::string& key, const json& value, ValueKind kind) {
  if (value.is_array()) {
    if (value.empty()) refuse(key, "is empty");
    if (!std::ranges::all_of(value, [&](const json& item) { return item == value.front(); }))
      refuse(key, "differs between layers, which is not supported");
    return checked_value(key, value.front(), kind);
  }
  if (kind == ValueKind::kFlag && !value.is_boolean()) refuse(key, "should be true or false");
  if (kind == ValueKind::kNumber && !value.is_number()) refuse(key, "should be a number");
  if (kind == ValueKind::kText && !value.is_string()) refuse(key, "should be a text");
  if (kind != ValueKind::kSize && kind != ValueKind::kCount) return value;
  return whole_number(key, value, kind);
}

void copy_members(const GgufArchitecture& architecture, const json& metadata,
                  std::span<const MemberOfKey> members, json& config) {
  for (const MemberOfKey& pair : members) {
    if (architecture.convolutions && pair.key == kKeyHeads) continue;  // see set_convolutions()
    const std::string key = key_of(architecture, pair.key);
    if (const auto at = metadata.find(key); at != metadata.end())
      config[pair.member] = checked_value(key, *at, pair.kind);
  }
}

void require(const GgufArchitecture& architecture, const json& metadata,
             std::span<const char* const> keys) {
  for (const char* const name : keys)
    if (const std::string key = key_of(architecture, name); !metadata.contains(key))
      throw BadInput("key " + in_quotes(key) + " is missing");
}

std::uint64_t count_of(const GgufArchitecture& architecture, const json& metadata,
                       std::string_view name, std::uint64_t otherwise) {
  const std::string key = key_of(architecture, name);
  const auto at = metadata.find(key);
  return at == metadata.end() ? otherwise
                              : whole_number(key, *at, ValueKind::kCount).get<std::uint64_t>();
}

// Copies a key; nothing when it is missing.
void copy_member(const json& metadata, const std::string& key, const char* member, json& config) {
  if (const auto at = metadata.find(key); at != metadata.end()) config[member] = *at;
}

// The scaling of rotary positions, in the older spelling of config.json; null for none.
json rope_scaling(const json& metadata, const std::string& prefix, const Checkpoint& rotary) {
  const std::vector<float> factors = numbers_of(rotary, kShortFactors);
  const auto type = metadata.find(prefix + "type");
  const bool scaled = type != metadata.end() && *type != "none";
  if (!scaled && factors.empty()) return nullptr;
  json scaling = {{"rope_type", factors.empty() ? *type : json("longrope")}};
  if (!factors.empty()) scaling["short_factor"] = factors;
  if (!factors.empty()) scaling["long_factor"] = numbers_of(rotary, kLongFactors);
  copy_member(metadata, prefix + "factor", "factor", scaling);
  copy_member(metadata, prefix + "original_context_length", "original_max_position_embeddings",
              scaling);
  copy_member(metadata, prefix + "attn_factor", "attention_factor", scaling);
  copy_member(metadata, prefix + "yarn_beta_fast", "beta_fast", scaling);
  copy_member(metadata, prefix + "yarn_beta_slow", "beta_slow", scaling);
  return scaling;
}

void set_rope_scaling(const GgufArchitecture& architecture, const json& metadata,
                      const Checkpoint& rotary, json& config) {
  const std::string prefix = key_of(architecture, "rope.scaling.");
  const json scaling = rope_scaling(metadata, prefix, rotary);
  // Said as well where there is none: families may have another default.
  if (scaling.is_null()) return void(config["rope_parameters"] = {{"rope_type", "default"}});
  config["rope_scaling"] = scaling;
  // There is no key for it; the family's own files say so.
  if (architecture.name == "gpt-oss") config["rope_scaling"]["truncate"] = false;
  copy_member(metadata, prefix + "original_context_length", "original_max_position_embeddings",
              config);
}

// Sets the size of a head and how much of it is rotated.
void set_head_size(const GgufArchitecture& architecture, const json& metadata, json& config) {
  const ConfigReader reader(config);
  if (!config.contains("head_dim"))
    config["head_dim"] =
        static_cast<std::uint64_t>(reader.size("hidden_size") / reader.size("num_attention_heads"));
  const auto head_dim = static_cast<std::uint64_t>(ConfigReader(config).count_or("head_dim", 0));
  const std::uint64_t rotated = count_of(architecture, metadata, "rope.dimension_count", head_dim);
  if (rotated != head_dim && (!architecture.partial || rotated > head_dim || rotated == 0))
    refuse(key_of(architecture, "rope.dimension_count"),
           std::to_string(rotated) + " features of " + std::to_string(head_dim) +
               " are rotated; a whole head is supported");
  if (!architecture.partial) return;
  // Half a feature more, so that the fraction of a head is not rounded to a feature less.
  const double fraction =
      rotated == head_dim ? 1
                          : (static_cast<double>(rotated) + 0.5) / static_cast<double>(head_dim);
  config["partial_rotary_factor"] = config["rotary_pct"] = fraction;
}

// The sizes of latent attention. Newer files say what a head would have if all keys and values
// were the compressed row, and what it has besides.
void set_latent_sizes(const GgufArchitecture& architecture, const json& metadata,
                      const Checkpoint& checkpoint, json& config) {
  require(architecture, metadata, kNeededOfLatent);
  const auto size = [&](std::string_view name) {
    const std::string key = key_of(architecture, name);
    const auto at = metadata.find(key);
    if (at == metadata.end()) throw BadInput("key " + in_quotes(key) + " is missing");
    return whole_number(key, *at, ValueKind::kSize).get<std::uint64_t>();
  };
  const bool newer = metadata.contains(key_of(architecture, "attention.key_length_mla"));
  const std::uint64_t head = size(newer ? "attention.key_length_mla" : "attention.key_length");
  const std::uint64_t rotated = size("rope.dimension_count");
  if (rotated >= head)
    refuse(key_of(architecture, "rope.dimension_count"),
           std::to_string(rotated) + " features of " + std::to_string(head) +
               " are rotated, and nothing is left of a key");
  config["qk_rope_head_dim"] = config["head_dim"] = rotated;
  config["qk_nope_head_dim"] = head - rotated;
  config["v_head_dim"] = size(newer ? "attention.value_length_mla" : "attention.value_length");
  config["kv_lora_rank"] = size("attention.kv_lora_rank");
  config["num_key_value_heads"] = config["num_attention_heads"];
  const bool compressed = checkpoint.contains(family_name(architecture, "blk.0.attn_q_a.weight"));
  config["q_lora_rank"] = compressed ? json(size("attention.q_lora_rank")) : json();
}

// In such files sines and cosines are not multiplied; the scores are by the magnitude of YaRN, of
// which the file has a tenth.
void set_latent_scaling(const GgufArchitecture& architecture, const json& metadata, json& config) {
  if (!config.contains("rope_scaling")) return;
  json& scaling = config["rope_scaling"];
  if (scaling.value("attention_factor", json(1)) != 1)
    refuse(key_of(architecture, "rope.scaling.attn_factor"),
           "sines and cosines are not multiplied in this architecture");
  scaling["attention_factor"] = 1;
  const std::string key = key_of(architecture, "rope.scaling.yarn_log_multiplier");
  const auto at = metadata.find(key);
  if (at == metadata.end()) return;
  if (!at->is_number()) refuse(key, "should be a number");
  scaling["mscale_all_dim"] = 10 * at->get<double>();
}

// Which layers have a window, where the file says it: for each layer, or by every how manyth.
void set_window_pattern(const GgufArchitecture& architecture, const json& metadata, json& config) {
  const std::string key = key_of(architecture, "attention.sliding_window_pattern");
  if (config.value("sliding_window", json()) == 0) config.erase("sliding_window");
  constexpr std::uint64_t kLayersOfExaone4 = 64, kWindowOfExaone4 = 4096;  // its larger model
  if (!config.contains("sliding_window") && architecture.name == "exaone4")
    config["sliding_window"] =
        config["num_hidden_layers"] == kLayersOfExaone4 ? json(kWindowOfExaone4) : json();
  if (!config.contains("sliding_window")) config["global_attn_every_n_layers"] = 1U;
  const auto at = metadata.find(key);
  if (at == metadata.end() || !config.contains("sliding_window")) return;
  if (!at->is_array()) {
    config["sliding_window_pattern"] = whole_number(key, *at, ValueKind::kSize);
    config["global_attn_every_n_layers"] = config["sliding_window_pattern"];
    return;
  }
  const std::uint64_t layers = config["num_hidden_layers"];
  if (at->size() < layers)
    refuse(key, std::to_string(at->size()) + " values for " + std::to_string(layers) + " layers");
  json types = json::array();
  for (std::uint64_t layer = 0; layer < layers; ++layer) {
    const json& sliding = (*at)[layer];
    const bool flag = sliding.is_boolean() || sliding.is_number_integer();
    if (!flag) refuse(key, "should be true or false for each layer");
    types.push_back(sliding == true || (sliding.is_number_integer() && sliding != 0)
                        ? "sliding_attention"
                        : "full_attention");
  }
  config["layer_types"] = types;
}

// OLMo 3 is OLMo 2 with windows. Only its layers without one have scaled rotary positions.
void set_olmo3(const GgufArchitecture& architecture, json& config) {
  if (architecture.name != "olmo2" || !config.contains("sliding_window")) return;
  config["model_type"] = "olmo3";
  const json base = config["rope_theta"], sliding = config.value("rope_local_base_freq", base);
  config["rope_parameters"] = {{"full_attention", {{"rope_theta", base}}},
                               {"sliding_attention", {{"rope_theta", sliding}}}};
  config.erase("rope_theta");
  if (config.contains("layer_types") || !config.contains("sliding_window_pattern")) return;
  const std::uint64_t layers = config["num_hidden_layers"], step = config["sliding_window_pattern"];
  config["layer_types"] = json::array();
  for (std::uint64_t layer = 1; layer <= std::min<std::uint64_t>(layers, kMostLayers); ++layer)
    config["layer_types"].push_back(layer % step == 0 ? "full_attention" : "sliding_attention");
}

// What Gemma divides scores by the root of, for which GGUF has no key: the size of a head, but in
// the models of 27 billion weights, which are recognised by their layers, the features for each
// head.
attention::Index score_scalar(const GgufArchitecture& architecture, const json& config) {
  constexpr attention::Index kLayersOfGemma2 = 46, kLayersOfGemma3 = 62;
  const ConfigReader reader(config);
  const auto layers = reader.size("num_hidden_layers");
  if ((architecture.name == "gemma2" && layers == kLayersOfGemma2) ||
      (architecture.name == "gemma3" && layers == kLayersOfGemma3))
    return reader.size("hidden_size") / reader.size("num_attention_heads");
  return reader.size("head_dim");
}

// The layers without a router.
json layers_without_experts(const GgufArchitecture& architecture, const Checkpoint& checkpoint,
                            std::uint64_t layers) {
  json dense = json::array();
  for (std::uint64_t layer = 0; layer < std::min<std::uint64_t>(layers, kMostLayers); ++layer)
    if (!checkpoint.contains(
            family_name(architecture, "blk." + std::to_string(layer) + ".ffn_gate_inp.weight")))
      dense.push_back(layer);
  return dense;
}

// Refuses what the experts of the architecture do not do.
void check_routing(const GgufArchitecture& architecture, const json& metadata, const json& config) {
  constexpr std::uint64_t kSoftmax = 1, kSigmoid = 2, kOfChosen = 3;  // their numbers in the file
  const bool sigmoid = architecture.routing == GgufRouting::kSigmoid;
  const bool chosen = architecture.routing == GgufRouting::kChosen;
  const std::uint64_t default_value = sigmoid ? kSigmoid : kSoftmax;
  const std::uint64_t function =
      count_of(architecture, metadata, "expert_gating_func", default_value);
  if (function != default_value && function != 0 && !(chosen && function == kOfChosen))
    refuse(key_of(architecture, "expert_gating_func"),
           std::to_string(function) + "; experts are weighted by a " +
               (sigmoid ? "sigmoid, which is 2" : "softmax, which is 1"));
  const std::uint64_t count = config["num_experts"], used = config["num_experts_per_tok"];
  if (used > count)
    refuse(key_of(architecture, "expert_used_count"),
           std::to_string(used) + " of " + std::to_string(count) + " experts cannot be chosen");
  if (architecture.routing == GgufRouting::kGroups && config.value("norm_topk_prob", false))
    refuse(key_of(architecture, "expert_weights_norm"),
           "shares of experts that a softmax gives are not normalised in this architecture");
  if (sigmoid || architecture.routing == GgufRouting::kGroups) return;
  if (config.value("n_group", 1) > 1)
    refuse(key_of(architecture, "expert_group_count"), "experts in groups are not supported here");
  const double factor = config.value("routed_scaling_factor", 1.0);
  if (factor != 0 && factor != 1)
    refuse(key_of(architecture, "expert_weights_scale"),
           "shares of experts are not scaled in this architecture");
}

void set_experts(const GgufArchitecture& architecture, const json& metadata,
                 const Checkpoint& checkpoint, json& config) {
  if (architecture.routing == GgufRouting::kNone) return;
  require(architecture, metadata, kNeededOfExperts);
  const bool by_share = architecture.name == "qwen3moe";  // where the file does not say
  config["norm_topk_prob"] = by_share;
  config["first_k_dense_replace"] = 0U;
  if (architecture.latent) config["n_shared_experts"] = 0U;
  config["n_group"] = config["topk_group"] = 1U;
  config["routed_scaling_factor"] = 1;
  copy_members(architecture, metadata, kMembersOfExperts, config);
  check_routing(architecture, metadata, config);
  if (architecture.routing == GgufRouting::kGroups)
    config["topk_method"] = config["n_group"] == 1 ? "greedy" : "group_limited_greedy";
  if (config.value("routed_scaling_factor", 1.0) == 0) config["routed_scaling_factor"] = 1;
  const bool one_width =
      architecture.routing == GgufRouting::kPlain || architecture.routing == GgufRouting::kChosen;
  if (one_width && config.contains("moe_intermediate_size"))
    config["intermediate_size"] = config["moe_intermediate_size"];
  if (!config.contains("intermediate_size")) return;
  const std::uint64_t width = config["intermediate_size"], used = config["num_experts_per_tok"];
  if (!config.contains("moe_intermediate_size")) config["moe_intermediate_size"] = width / used;
  if (!config.contains("shared_expert_intermediate_size"))
    config["shared_expert_intermediate_size"] = width;
  if (architecture.routing == GgufRouting::kQwen)
    config["mlp_only_layers"] =
        layers_without_experts(architecture, checkpoint, config["num_hidden_layers"]);
}

// Biases and norms, which a file has where it has their tensors.
void set_parts(const GgufArchitecture& architecture, const Checkpoint& checkpoint, json& config) {
  const auto has = [&](const char* name) {
    return checkpoint.contains(family_name(architecture, name));
  };
  const bool fused = has("blk.0.attn_qkv.bias"), query = has("blk.0.attn_q.bias");
  config["tie_word_embeddings"] = !has("output.weight");
  config["use_bias"] = config["use_qkv_bias"] = config["qkv_bias"] = query;
  config["bias"] = fused;
  config["attention_bias"] =
      query || fused || has("blk.0.attn_output.bias") || has("blk.0.attn_kv_a_mqa.bias");
  config["mlp_bias"] = has("blk.0.ffn_up.bias");
  config["use_qk_norm"] = config["qk_layernorm"] = has("blk.0.attn_q_norm.weight");
  if (architecture.name != "falcon") return;
  config["new_decoder_architecture"] = true;  // and its norms may be one or two
  config["num_ln_in_parallel_attn"] = has("blk.0.attn_norm_2.weight") ? 2U : 1U;
}

}  // namespace

std::vector<float> numbers_of(const Checkpoint& checkpoint, const char* name) {
  if (!checkpoint.contains(name)) return {};
  const attention::Matrix values = checkpoint.matrix(name).values();
  return {values.data(), values.data() + values.size()};
}

std::uint64_t gguf_experts(const GgufArchitecture& architecture, const json& metadata) {
  const std::string key = key_of(architecture, "expert_count");
  const std::uint64_t count = count_of(architecture, metadata, "expert_count", 0);
  if (architecture.routing == GgufRouting::kNone) {
    if (count > 0) refuse(key, "this architecture has no experts");
    return 0;
  }
  require(architecture, metadata, kNeededOfExperts);
  if (count == 0) refuse(key, "0, should be 1 or more");
  return count;
}

GgufLayers gguf_layers(const GgufArchitecture& architecture, const json& metadata) {
  const std::uint64_t all = count_of(architecture, metadata, "block_count", 0);
  const std::uint64_t further = count_of(architecture, metadata, "nextn_predict_layers", 0);
  if (further > 0 && further >= all)
    refuse(key_of(architecture, "nextn_predict_layers"),
           std::to_string(further) + ", should be less than the number of layers");
  return {all - further, further};
}

namespace {

// What each layer is, and how many key and value heads those have that attend: the others say 0.
void set_convolutions(const GgufArchitecture& architecture, const json& metadata, json& config) {
  const std::string key = key_of(architecture, kKeyHeads);
  const auto heads = metadata.find(key);
  if (heads == metadata.end()) refuse(key, "is missing");
  const std::uint64_t layers = gguf_layers(architecture, metadata).own;
  if (!heads->is_array() || heads->size() != layers)
    refuse(key, "should have a number for each of the " + std::to_string(layers) + " layers");
  config["layer_types"] = json::array();
  for (const json& of_layer : *heads) {
    const json count = whole_number(key, of_layer, ValueKind::kCount);
    config["layer_types"].push_back(count == 0 ? "conv" : "full_attention");
    if (count == 0) continue;
    if (config.contains("num_key_value_heads") && config["num_key_value_heads"] != count)
      refuse(key, "differs between layers that attend, which is not supported");
    config["num_key_value_heads"] = count;
  }
  const std::string taps = key_of(architecture, "shortconv.l_cache");
  if (!metadata.contains(taps)) refuse(taps, "is missing");
  config["conv_L_cache"] = whole_number(taps, metadata[taps], ValueKind::kSize);
}

// What is spelt in another way than in other families.
void set_parts_of_convolutions(const GgufArchitecture& architecture, const Checkpoint& checkpoint,
                               json& config) {
  config["block_auto_adjust_ff_dim"] = false;
  config["conv_bias"] = false;
  for (const auto& [name, tensor] : checkpoint.tensors())
    if (name.ends_with(".conv.conv.bias")) config["conv_bias"] = true;
  if (!config.contains("rms_norm_eps"))
    refuse(key_of(architecture, "attention.layer_norm_rms_epsilon"), "is missing");
  config["norm_eps"] = config["rms_norm_eps"];
}

}  // namespace

json gguf_config(const GgufArchitecture& architecture, const json& metadata,
                 const Checkpoint& checkpoint, const Checkpoint& rotary) {
  json config = {{"model_type", architecture.type}};
  const auto tokens = checkpoint.tensors().find(family_name(architecture, "token_embd.weight"));
  if (tokens == checkpoint.tensors().end())
    throw BadInput("tensor \"token_embd.weight\" is missing");
  config["vocab_size"] = static_cast<std::uint64_t>(tokens->second.shape.front());
  require(architecture, metadata, kNeeded);
  config["rope_theta"] = config["rotary_emb_base"] = config["global_rope_theta"] = kUsualBase;
  if (architecture.convolutions) set_convolutions(architecture, metadata, config);
  copy_members(architecture, with_one_value(architecture, metadata), kMembers, config);
  if (architecture.convolutions) set_parts_of_convolutions(architecture, checkpoint, config);
  if (!config.contains("rms_norm_eps") && !config.contains("norm_eps"))
    throw BadInput("key " + in_quotes(key_of(architecture, "attention.layer_norm_rms_epsilon")) +
                   " is missing, and so is " +
                   in_quotes(key_of(architecture, "attention.layer_norm_epsilon")));
  config["num_hidden_layers"] = gguf_layers(architecture, metadata).own;
  set_rope_scaling(architecture, metadata, rotary, config);
  if (architecture.latent) {
    set_latent_sizes(architecture, metadata, checkpoint, config);
    set_latent_scaling(architecture, metadata, config);
  } else {
    set_head_size(architecture, metadata, config);
  }
  set_window_pattern(architecture, metadata, config);
  set_olmo3(architecture, config);
  if (architecture.type == std::string_view("llama") && config.contains("sliding_window"))
    config["model_type"] = "mistral";
  copy_member(metadata, "tokenizer.ggml.eos_token_id", "eos_token_id", config);
  set_parts(architecture, checkpoint, config);
  set_experts(architecture, metadata, checkpoint, config);
  if (is_gemma4(architecture)) set_gemma4(architecture, metadata, checkpoint, config);
  if (const auto types = checkpoint.tensors().find(family_name(architecture, "token_types.weight"));
      types != checkpoint.tensors().end())
    config["type_vocab_size"] = static_cast<std::uint64_t>(types->second.shape.front());
  config["query_pre_attn_scalar"] = score_scalar(architecture, config);
  config["use_sliding_window"] = config.contains("sliding_window");
  return config;
}

}  // namespace lab::files
