#include "app/files/model/gguf_model.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <regex>
#include <span>
#include <string_view>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/config_reader.h"
#include "app/files/model/families.h"
#include "app/files/model/gguf_tokenizer.h"
#include "app/files/tensors/gguf_header.h"

namespace lab::files {
namespace {

using nlohmann::json;

// Two names of one thing, of which the second may be null.
struct NamePair {
  std::string_view gguf;
  std::string_view other;
};

// Keys after the name of the architecture, and the members of config.json that say the same.
constexpr std::array kMembers = std::to_array<NamePair>({
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"feed_forward_length", "n_inner"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
    {"attention.layer_norm_epsilon", "layer_norm_epsilon"},
    {"attention.layer_norm_epsilon", "layer_norm_eps"},
    {"attention.layer_norm_epsilon", "norm_epsilon"},
    {"attention.scale", "attention_multiplier"},
    {"attention.sliding_window", "sliding_window"},
    {"embedding_scale", "embedding_multiplier"},
    {"residual_scale", "residual_multiplier"},
    {"logit_scale", "logits_scaling"},
    {"logit_scale", "logit_scale"},
    {"use_parallel_residual", "use_parallel_residual"},
    {"attn_logit_softcapping", "attn_logit_softcapping"},
    {"final_logit_softcapping", "final_logit_softcapping"},
    {"rope.freq_base", "rope_theta"},
    {"rope.freq_base_swa", "rope_local_base_freq"},
});

// Names of tensors without ".weight" and ".bias"; {} is the number of a layer.
constexpr std::array kLlamaTensors = std::to_array<NamePair>({
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
    {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"},
    {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"},
    {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm"},
    {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm"},
    {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
});
// Gemma's other names come first.
constexpr std::array kGemmaTensors = std::to_array<NamePair>({
    {"blk.{}.ffn_norm", "model.layers.{}.pre_feedforward_layernorm"},
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"},
});
// What is named otherwise than in Llama.
constexpr std::array kPhi3Tensors = std::to_array<NamePair>({
    {"blk.{}.attn_qkv", "model.layers.{}.self_attn.qkv_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.gate_up_proj"},
});
constexpr std::array kGlm4Tensors = std::to_array<NamePair>({
    {"blk.{}.post_attention_norm", "model.layers.{}.post_self_attn_layernorm"},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_mlp_layernorm"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.gate_up_proj"},
});
constexpr std::array kPhi2Tensors = std::to_array<NamePair>({
    {"output_norm", "model.final_layernorm"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.dense"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.fc1"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.fc2"},
});
constexpr std::array kStarcoder2Tensors = std::to_array<NamePair>({
    {"blk.{}.ffn_up", "model.layers.{}.mlp.c_fc"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.c_proj"},
});
constexpr std::array kGpt2Tensors = std::to_array<NamePair>({
    {"token_embd", "transformer.wte"},
    {"position_embd", "transformer.wpe"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "transformer.h.{}.ln_1"},
    {"blk.{}.attn_qkv", "transformer.h.{}.attn.c_attn"},
    {"blk.{}.attn_output", "transformer.h.{}.attn.c_proj"},
    {"blk.{}.ffn_norm", "transformer.h.{}.ln_2"},
    {"blk.{}.ffn_up", "transformer.h.{}.mlp.c_fc"},
    {"blk.{}.ffn_down", "transformer.h.{}.mlp.c_proj"},
});

// An architecture of GGUF: the family that it is, and what is stored in another way.
struct Architecture {
  std::string_view name;                               ///< general.architecture
  const char* type;                                    ///< model_type in config.json
  std::array<std::span<const NamePair>, 2> tensors{};  ///< the first name that is found counts
  bool adjacent_pairs = false;  ///< the features that are rotated together lie side by side
  bool partial = false;         ///< heads may be rotated in part
  bool one_added = false;       ///< weights of norms have the 1 of the family added
  bool in_out = false;          ///< the family stores maps [in × out], GGUF [out × in] as always
};
constexpr std::array kArchitectures = std::to_array<Architecture>({
    {.name = "llama", .type = "llama", .tensors = {kLlamaTensors}, .adjacent_pairs = true},
    {.name = "qwen2", .type = "qwen2", .tensors = {kLlamaTensors}},
    {.name = "qwen3", .type = "qwen3", .tensors = {kLlamaTensors}},
    {.name = "smollm3", .type = "smollm3", .tensors = {kLlamaTensors}, .adjacent_pairs = true},
    {.name = "granite", .type = "granite", .tensors = {kLlamaTensors}, .adjacent_pairs = true},
    {.name = "glm4", .type = "glm4", .tensors = {kGlm4Tensors, kLlamaTensors}, .partial = true},
    {.name = "command-r", .type = "cohere", .tensors = {kLlamaTensors}},
    {.name = "cohere2", .type = "cohere2", .tensors = {kLlamaTensors}},
    {.name = "phi2", .type = "phi", .tensors = {kPhi2Tensors, kLlamaTensors}, .partial = true},
    {.name = "phi3", .type = "phi3", .tensors = {kPhi3Tensors, kLlamaTensors}, .partial = true},
    {.name = "stablelm", .type = "stablelm", .tensors = {kLlamaTensors}, .partial = true},
    {.name = "starcoder2", .type = "starcoder2", .tensors = {kStarcoder2Tensors, kLlamaTensors}},
    {.name = "gemma", .type = "gemma", .tensors = {kLlamaTensors}, .one_added = true},
    {.name = "gemma2",
     .type = "gemma2",
     .tensors = {kGemmaTensors, kLlamaTensors},
     .one_added = true},
    {.name = "gemma3",
     .type = "gemma3_text",
     .tensors = {kGemmaTensors, kLlamaTensors},
     .one_added = true},
    {.name = "gpt2", .type = "gpt2", .tensors = {kGpt2Tensors}, .in_out = true},
});

const Architecture& architecture_of(const json& metadata) {
  const auto at = metadata.find("general.architecture");
  if (at == metadata.end() || !at->is_string())
    throw BadInput("key \"general.architecture\" " +
                   std::string(at == metadata.end() ? "is missing" : "should be a text"));
  const auto found = std::ranges::find(kArchitectures, at->get<std::string>(), &Architecture::name);
  if (found != kArchitectures.end()) return *found;
  std::string all;
  for (const Architecture& known : kArchitectures)
    all += (all.empty() ? "" : ", ") + std::string(known.name);
  throw BadInput("the architecture " + in_quotes(at->get<std::string>()) +
                 " is not supported; supported are " + all);
}

// `name` with `{}` for the number of its layer, which is returned too.
std::pair<std::string, std::string> without_layer(const std::string& name) {
  constexpr std::string_view kBlock = "blk.";
  if (!name.starts_with(kBlock)) return {name, ""};
  const std::size_t end = name.find('.', kBlock.size());
  if (end == name.npos) return {name, ""};
  return {"blk.{}" + name.substr(end), name.substr(kBlock.size(), end - kBlock.size())};
}

// The name of a tensor in a model's folder; its own when there is none.
std::string family_name(const Architecture& architecture, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string ending = dot == name.npos ? "" : name.substr(dot);
  if (ending != ".weight" && ending != ".bias") return name;
  const auto [plain, layer] = without_layer(name.substr(0, dot));
  for (const std::span<const NamePair> names : architecture.tensors) {
    const auto found = std::ranges::find(names, plain, &NamePair::gguf);
    if (found == names.end()) continue;
    std::string other(found->other);
    if (const std::size_t at = other.find("{}"); at != other.npos) other.replace(at, 2, layer);
    return other + ending;
  }
  return name;
}

bool is_map_in_layer(const std::string& name) { return name.starts_with("blk."); }

// Copies a key of the architecture; nothing when it is missing.
void copy_member(const json& metadata, const std::string& key, const char* member, json& config) {
  if (const auto at = metadata.find(key); at != metadata.end()) config[member] = *at;
}

// Names of tensors that hold factors of rotary frequencies, not weights.
constexpr const char* kFrequencyFactors = "rope_freqs.weight";
constexpr const char* kShortFactors = "rope_factors_short.weight";
constexpr const char* kLongFactors = "rope_factors_long.weight";

bool is_rotary_tensor(const std::string& name) {
  return name == kFrequencyFactors || name == kShortFactors || name == kLongFactors;
}

// The numbers of a tensor; empty when it is missing.
std::vector<float> numbers_of(const Checkpoint& checkpoint, const char* name) {
  if (!checkpoint.contains(name)) return {};
  const attention::Matrix values = checkpoint.matrix(name).values();
  return {values.data(), values.data() + values.size()};
}

// The scaling of rotary positions, in the older spelling of config.json; null for none.
json rope_scaling(const json& metadata, const std::string& prefix, const Checkpoint& rotary) {
  const std::vector<float> factors = numbers_of(rotary, kShortFactors);
  const auto type = metadata.find(prefix + "rope.scaling.type");
  const bool scaled = type != metadata.end() && *type != "none";
  if (!scaled && factors.empty()) return nullptr;
  json scaling = {{"rope_type", factors.empty() ? *type : json("longrope")}};
  if (!factors.empty()) scaling["short_factor"] = factors;
  if (!factors.empty()) scaling["long_factor"] = numbers_of(rotary, kLongFactors);
  copy_member(metadata, prefix + "rope.scaling.factor", "factor", scaling);
  copy_member(metadata, prefix + "rope.scaling.original_context_length",
              "original_max_position_embeddings", scaling);
  copy_member(metadata, prefix + "rope.scaling.attn_factor", "attention_factor", scaling);
  return scaling;
}

// Sets the size of a head and how much of it is rotated.
void set_head_size(const Architecture& architecture, const json& metadata, json& config) {
  const ConfigReader reader(config);
  if (!config.contains("head_dim"))
    config["head_dim"] =
        static_cast<std::uint64_t>(reader.size("hidden_size") / reader.size("num_attention_heads"));
  const auto head_dim = ConfigReader(config).size("head_dim");
  const std::string key = std::string(architecture.name) + ".rope.dimension_count";
  if (!metadata.contains(key)) return;
  const auto rotated = ConfigReader(metadata).size(key.c_str());
  if (rotated == head_dim) return;
  if (!architecture.partial || rotated > head_dim)
    throw BadInput("key " + in_quotes(key) + ": " + std::to_string(rotated) + " features of " +
                   std::to_string(head_dim) + " are rotated; a whole head is supported");
  config["partial_rotary_factor"] = static_cast<double>(rotated) / static_cast<double>(head_dim);
}

// What Gemma divides scores by the root of, for which GGUF has no key: the size of a head, but in
// the models of 27 billion weights, which are told by their layers, the features for each head.
attention::Index score_scalar(const Architecture& architecture, const json& config) {
  constexpr attention::Index kLayersOfGemma2 = 46, kLayersOfGemma3 = 62;
  const ConfigReader reader(config);
  const auto layers = reader.size("num_hidden_layers");
  if ((architecture.name == "gemma2" && layers == kLayersOfGemma2) ||
      (architecture.name == "gemma3" && layers == kLayersOfGemma3))
    return reader.size("hidden_size") / reader.size("num_attention_heads");
  return reader.size("head_dim");
}

json config_of(const Architecture& architecture, const json& metadata, const Checkpoint& checkpoint,
               const Checkpoint& rotary) {
  const std::string prefix = std::string(architecture.name) + ".";
  json config = {{"model_type", architecture.type}};
  for (const NamePair& pair : kMembers)
    copy_member(metadata, prefix + std::string(pair.gguf), std::string(pair.other).c_str(), config);
  const auto has = [&](const char* name) {
    return checkpoint.contains(family_name(architecture, name));
  };
  config["tie_word_embeddings"] = !has("output.weight");
  const auto tokens = checkpoint.tensors().find(family_name(architecture, "token_embd.weight"));
  if (tokens == checkpoint.tensors().end())
    throw BadInput("tensor \"token_embd.weight\" is missing");
  config["vocab_size"] = static_cast<std::uint64_t>(tokens->second.shape.front());
  if (const json scaling = rope_scaling(metadata, prefix, rotary); !scaling.is_null()) {
    config["rope_scaling"] = scaling;
    copy_member(metadata, prefix + "rope.scaling.original_context_length",
                "original_max_position_embeddings", config);
  }
  set_head_size(architecture, metadata, config);
  if (architecture.name == "llama" && config.contains("sliding_window"))
    config["model_type"] = "mistral";
  copy_member(metadata, "tokenizer.ggml.eos_token_id", "eos_token_id", config);
  config["use_bias"] = config["use_qkv_bias"] = has("blk.0.attn_q.bias");
  config["attention_bias"] = has("blk.0.attn_q.bias") || has("blk.0.attn_output.bias");
  config["mlp_bias"] = has("blk.0.ffn_up.bias");
  config["query_pre_attn_scalar"] = score_scalar(architecture, config);
  config["use_sliding_window"] = config.contains("sliding_window");
  return config;
}

struct OpenedGguf {
  GgufHeader header;
  std::shared_ptr<const MappedFile> file;
};

// Throws BadInput, or Error when it cannot be read.
OpenedGguf opened_gguf(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) throw Error(file.error());
  const auto bytes = (*file)->bytes();
  try {
    return {read_gguf_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), *file};
  } catch (const BadInput& error) {
    throw BadInput(file_name_of(path) + ": " + error.what());
  }
}

}  // namespace

bool is_gguf_file(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  const auto start = read_beginning(path, 4);
  return start && is_gguf(*start);
}

std::vector<std::string> gguf_parts(const std::string& path) {
  static const std::regex kPart("(.*-)([0-9]{5})(-of-)([0-9]{5})(\\.gguf)");
  std::smatch match;
  if (!std::regex_match(path, match, kPart)) return {path};
  std::vector<std::string> parts;
  const int count = std::stoi(match[4]);
  for (int part = 1; part <= count; ++part) {
    std::string number = std::to_string(part);
    number.insert(0, 5 - number.size(), '0');
    parts.push_back(match[1].str() + number + match[3].str() + match[4].str() + match[5].str());
  }
  return parts;
}

void adapt_to_gguf(const GgufModel& model, Description& description) {
  const auto architecture = std::ranges::find_if(
      kArchitectures, [&](const Architecture& a) { return a.name == model.architecture; });
  if (architecture->adjacent_pairs) description.rotary_pairs = attention::RotaryPairs::kAdjacent;
  if (architecture->one_added) description.norm_weight_plus_one = false;
  const std::vector<float>& factors = model.frequency_factors;
  if (factors.empty()) return;
  for (LayerDescription& layer : description.layers) {
    if (factors.size() != layer.frequencies.size())
      throw BadInput("tensor " + in_quotes(kFrequencyFactors) + " has " +
                     std::to_string(factors.size()) + " factors for " +
                     std::to_string(layer.frequencies.size()) + " frequencies");
    for (std::size_t i = 0; i < factors.size(); ++i) layer.frequencies[i] /= factors[i];
  }
}

std::vector<std::string> gguf_models_in(const std::string& folder) {
  std::vector<std::string> models;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    if (at->path().extension() == ".gguf" && is_gguf_file(path) && gguf_parts(path).front() == path)
      models.push_back(path);
  }
  std::ranges::sort(models);
  return models;
}

std::string gguf_family(const std::string& path) {
  constexpr std::size_t kStart = 1024;
  constexpr std::string_view kKey = "general.architecture";
  const auto start = read_beginning(path, kStart);
  const std::size_t key = start ? start->find(kKey) : std::string::npos;
  if (key == std::string::npos) return {};
  const std::string_view value = std::string_view(*start).substr(key + kKey.size());
  for (const Architecture& known : kArchitectures) {
    constexpr std::size_t kTypeAndLength = 12;
    const std::size_t length = known.name.size();
    if (value.size() < kTypeAndLength + length ||
        value.substr(kTypeAndLength, length) != known.name ||
        static_cast<std::size_t>(static_cast<unsigned char>(value[4])) != length)
      continue;
    const auto family = std::ranges::find_if(
        families(), [&](const Family& f) { return std::string_view(f.type) == known.type; });
    return family->name;
  }
  return {};
}

Expected<GgufModel> read_gguf_model(const std::string& path) {
  return checked([&] {
    std::vector<OpenedGguf> files;
    for (const std::string& part : gguf_parts(path)) files.push_back(opened_gguf(part));
    const json& metadata = files.front().header.metadata;
    const Architecture& architecture = architecture_of(metadata);
    GgufModel model;
    model.architecture = architecture.name;
    Checkpoint rotary;
    for (const auto& [header, file] : files)
      for (const GgufEntry& entry : header.entries)
        (is_rotary_tensor(entry.name) ? rotary : model.checkpoint)
            .add(family_name(architecture, entry.name),
                 {.shape = entry.shape,
                  .type = entry.type,
                  .format = entry.format,
                  .type_name = entry.type_name,
                  .data = file->bytes().data() + entry.begin,
                  .size = static_cast<std::size_t>(entry.end - entry.begin),
                  .order = header.order,
                  .transposed =
                      architecture.in_out && is_map_in_layer(entry.name) && entry.shape.size() == 2,
                  .file = file});
    model.config = config_of(architecture, metadata, model.checkpoint, rotary);
    model.frequency_factors = numbers_of(rotary, kFrequencyFactors);
    model.tokenizer = gguf_tokenizer(metadata, model.notes);
    return model;
  });
}

Expected<json> read_gguf_tokenizer(const std::string& path, std::vector<std::string>& notes) {
  return checked(
      [&] { return gguf_tokenizer(opened_gguf(gguf_parts(path).front()).header.metadata, notes); });
}

}  // namespace lab::files
