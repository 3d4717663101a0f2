#include "app/files/model/gguf/gguf_model.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/families.h"
#include "app/files/model/gguf/gguf_config.h"
#include "app/files/model/gguf/gguf_gemma4.h"
#include "app/files/model/gguf/gguf_tokenizer.h"
#include "app/files/tensors/gguf_header.h"

namespace lab::files {
namespace {

using nlohmann::json;

bool is_map_in_layer(const std::string& name) { return name.starts_with("blk."); }

// The maps of all heads from a compressed row, one after the other.
bool is_map_of_heads(const GgufEntry& entry) {
  const bool named =
      entry.name.ends_with(".attn_k_b.weight") || entry.name.ends_with(".attn_v_b.weight");
  return named && entry.shape.size() == 3;
}

bool is_rotary_tensor(const std::string& name) {
  return name == kFrequencyFactors || name == kShortFactors || name == kLongFactors;
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

CheckpointTensor tensor_of(const OpenedGguf& opened, const GgufEntry& entry) {
  return {.shape = entry.shape,
          .type = entry.type,
          .format = entry.format,
          .type_name = entry.type_name,
          .data = opened.file->bytes().data() + entry.begin,
          .size = static_cast<std::size_t>(entry.end - entry.begin),
          .order = opened.header.order,
          .file = opened.file};
}

// Adds the map of each expert in a stack, where it lies in the file: experts follow each other, and
// the rows of one too.
void add_experts(const GgufStack& stack, const GgufEntry& entry, const CheckpointTensor& whole,
                 std::uint64_t experts, Checkpoint& checkpoint) {
  constexpr std::size_t kMostTensors = std::size_t{1} << 18;
  const bool bias = entry.name.ends_with(".bias");
  const std::size_t parts = stack.parts.back().empty() ? 1 : 2;
  const bool fits = whole.shape.size() == (bias ? 2U : 3U) &&
                    std::cmp_equal(whole.shape[0], experts) &&
                    whole.shape[1] % static_cast<std::int64_t>(parts) == 0;
  if (!fits)
    throw BadInput("tensor " + in_quotes(entry.name) + " is " + shape_text(whole.shape) +
                   ", should hold " + (parts == 2 ? "two maps" : "a map") + " of each of " +
                   std::to_string(experts) + " experts");
  if (checkpoint.tensors().size() + experts * parts > kMostTensors)
    throw BadInput("tensor " + in_quotes(entry.name) + ": more than " +
                   std::to_string(kMostTensors) + " maps of experts");
  CheckpointTensor map = whole;
  map.shape.erase(map.shape.begin());
  map.shape.front() /= static_cast<std::int64_t>(parts);
  map.size = whole.size / (experts * parts);
  const int layer = layer_of(entry.name);
  for (std::size_t expert = 0; expert < experts; ++expert)
    for (std::size_t part = 0; part < parts; ++part) {
      map.data = whole.data + (expert * parts + part) * map.size;
      checkpoint.add(numbered(stack.parts[part], layer, static_cast<int>(expert)) +
                         (bias ? ".bias" : ".weight"),
                     map);
    }
}

// Adds the tensors of all files under their names in a model's folder, but those of layers that
// predict further tokens.
void add_tensors(const std::vector<OpenedGguf>& files, GgufModel& model, Checkpoint& rotary) {
  const GgufArchitecture& architecture = *model.architecture;
  const json& metadata = files.front().header.metadata;
  const std::uint64_t experts = gguf_experts(architecture, metadata);
  const GgufLayers layers = gguf_layers(architecture, metadata);
  if (layers.further > 0)
    model.notes.push_back("layers that predict further tokens are not used: " +
                          std::to_string(layers.further));
  for (const OpenedGguf& opened : files)
    for (const GgufEntry& entry : opened.header.entries) {
      const int layer = layer_of(entry.name);
      if (layers.further > 0 && layer >= 0 && std::cmp_greater_equal(layer, layers.own)) continue;
      CheckpointTensor tensor = tensor_of(opened, entry);
      if (const GgufStack* const stack = gguf_stack(architecture, entry.name)) {
        add_experts(*stack, entry, tensor, experts, model.checkpoint);
        continue;
      }
      if (architecture.latent && is_map_of_heads(entry))
        tensor.shape = {entry.shape[0] * entry.shape[1], entry.shape[2]};
      tensor.transposed =
          architecture.in_out && is_map_in_layer(entry.name) && entry.shape.size() == 2;
      (is_rotary_tensor(entry.name) ? rotary : model.checkpoint)
          .add(family_name(architecture, entry.name), std::move(tensor));
    }
}

// The bytes after the first `key` in the beginning of a file; empty when it is not there.
std::string_view after(std::string_view start, std::string_view key) {
  const std::size_t at = start.find(key);
  return at == start.npos ? std::string_view{} : start.substr(at + key.size());
}

// The number of 32 bits that `key` has; 0 when it has none.
std::int64_t number_after(std::string_view start, std::string_view key) {
  constexpr std::string_view kUnsigned("\4\0\0\0", 4);
  std::string_view value = after(start, key);
  std::uint32_t number = 0;
  if (!value.starts_with(kUnsigned) || value.size() < kUnsigned.size() + sizeof number) return 0;
  value.copy(reinterpret_cast<char*>(&number), sizeof number, kUnsigned.size());
  return number;
}

// The family whose architecture `start` names.
std::string family_in(std::string_view start) {
  constexpr std::size_t kTypeAndLength = 12;
  const std::string_view value = after(start, "general.architecture");
  for (const GgufArchitecture& known : gguf_architectures()) {
    if (!known.only_with.empty() || !known.counted.empty())
      continue;  // its beginning looks like that of the others
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
  const GgufArchitecture& architecture = *model.architecture;
  if (architecture.adjacent_pairs) description.rotary_pairs = attention::RotaryPairs::kAdjacent;
  if (architecture.one_added) description.norm_weight_plus_one = false;
  if (architecture.by_part) description.fused = FusedLayout::kByPart;
  if (!model.config.contains("type_vocab_size")) description.token_types = 0;
  const std::vector<float>& factors = model.frequency_factors;
  if (factors.empty()) return;
  for (LayerDescription& layer : description.layers) {
    if (is_gemma4(architecture) && layer.sliding) continue;  // they are of the other layers
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

GgufBeginning gguf_beginning(const std::string& path) {
  constexpr std::size_t kStart = std::size_t{16} << 10;
  const auto start = read_beginning(path, kStart);
  if (!start) return {};
  return {family_in(*start), number_after(*start, ".block_count"),
          number_after(*start, ".attention.head_count")};
}

Expected<GgufModel> read_gguf_model(const std::string& path) {
  return checked([&] {
    std::vector<OpenedGguf> files;
    std::set<std::string> names;
    for (const std::string& part : gguf_parts(path)) {
      files.push_back(opened_gguf(part));
      for (const GgufEntry& entry : files.back().header.entries) names.insert(entry.name);
    }
    const json& metadata = files.front().header.metadata;
    GgufModel model;
    model.architecture = &gguf_architecture(metadata, names);
    Checkpoint rotary;
    add_tensors(files, model, rotary);
    model.config = gguf_config(*model.architecture, metadata, model.checkpoint, rotary);
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
