#include "core/tests/golden_file.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace attention::test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<float> numbers(const std::string& bytes, const std::string& type) {
  if (type == "U8") return {bytes.begin(), bytes.end()};
  if (type != "F32") throw std::runtime_error("no golden file holds " + type);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

SharedMatrix optional_matrix(const GoldenFile& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  return found == file.tensors.end() ? SharedMatrix() : SharedMatrix(found->second.matrix(0));
}

// The biases of all heads are in one tensor [heads × d].
SharedMatrix optional_row(const GoldenFile& file, const std::string& name, Index row) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) return {};
  return SharedMatrix(found->second.matrix(0).row(row));
}

// A switch from the metadata, or `otherwise` when it is missing.
template <typename Value>
Value metadata_or(const GoldenFile& file, const char* name, Value otherwise) {
  const auto found = file.metadata.find(name);
  if (found == file.metadata.end()) return otherwise;
  return nlohmann::json::parse(found->second).get<Value>();
}

std::string word_or(const GoldenFile& file, const char* name, const char* otherwise) {
  const auto found = file.metadata.find(name);
  return found == file.metadata.end() ? otherwise : found->second;
}

Positions positions_of(const GoldenFile& file) {
  const std::map<std::string, Positions> names = {{"none", Positions::kNone},
                                                  {"sinusoidal", Positions::kSinusoidal},
                                                  {"learned", Positions::kLearned},
                                                  {"rotary", Positions::kRotary},
                                                  {"alibi", Positions::kAlibi}};
  return names.at(word_or(file, "positions", "none"));
}

RotaryPairs rotary_pairs_of(const GoldenFile& file) {
  const std::map<std::string, RotaryPairs> names = {{"adjacent", RotaryPairs::kAdjacent},
                                                    {"halves", RotaryPairs::kHalves}};
  return names.at(word_or(file, "rotary_pairs", "adjacent"));
}

void read_sizes(const GoldenFile& file, Config& config) {
  const auto size = [&](const char* name, size_t axis) {
    return static_cast<int>(file.tensors.at(name).shape.at(axis));
  };
  config.n_heads = size("W_Q", 0);
  config.n_kv_heads = size("W_K", 0) == config.n_heads ? 0 : size("W_K", 0);
  config.d_model = size("W_Q", 1);
  config.d_k = size("W_Q", 2);
  config.d_v = size("W_V", 2);
  config.d_out = size("W_O", 1);
}

void read_switches(const GoldenFile& file, Config& config) {
  const auto read = [&](const char* name, auto& value) { value = metadata_or(file, name, value); };
  read("scale", config.scale);
  read("temperature", config.temperature);
  read("biases", config.biases);
  read("causal", config.mask.causal);
  read("key_count", config.mask.key_count);
  read("window", config.mask.window);
  config.positions = positions_of(file);
  read("rotary_base", config.rotary_base);
  config.rotary_pairs = rotary_pairs_of(file);
  read("head_norm", config.head_norm);
  read("head_norm_epsilon", config.head_norm_epsilon);
  read("head_norm_joint", config.head_norm_joint);
  read("value_norm", config.value_norm);
  read("score_cap", config.score_cap);
  read("sink", config.sink);
  read("dropout_rate", config.dropout_rate);
  read("dropout_seed", config.dropout_seed);
  read("residual", config.residual);
  read("layer_norm", config.layer_norm);
  read("layer_norm_epsilon", config.layer_norm_epsilon);
}

void read_inputs(const GoldenFile& file, Problem& problem) {
  problem.embedding = optional_matrix(file, "X");
  problem.embedding_kv = optional_matrix(file, "X_kv");
  problem.position_table = optional_matrix(file, "position_table");
  problem.position_table_kv = optional_matrix(file, "position_table_kv");
  problem.allowed = optional_matrix(file, "mask");
  problem.bias = optional_matrix(file, "bias");
}

void read_parameters(const GoldenFile& file, const Config& config, Parameters& parameters) {
  const auto weight = [&](const char* name, Index head) {
    return SharedMatrix(file.tensors.at(name).matrix(head));
  };
  for (Index h = 0; h < config.n_heads; ++h) {
    parameters.heads.push_back(
        {weight("W_Q", h), optional_row(file, "b_Q", h), optional_row(file, "sink", h)});
  }
  for (Index g = 0; g < kv_head_count(config); ++g) {
    parameters.kv_heads.push_back({weight("W_K", g), weight("W_V", g), optional_row(file, "b_K", g),
                                   optional_row(file, "b_V", g)});
  }
  parameters.W_O = optional_matrix(file, "W_O");
  parameters.b_O = optional_matrix(file, "b_O");
  parameters.gamma = optional_matrix(file, "gamma");
  parameters.beta = optional_matrix(file, "beta");
  parameters.norm_Q = optional_matrix(file, "norm_Q");
  parameters.norm_K = optional_matrix(file, "norm_K");
}

std::vector<HeadMix> head_mix_of(const GoldenFile& file) {
  std::vector<HeadMix> mixes;
  for (const auto& mix : metadata_or(file, "head_mix", nlohmann::json::array())) {
    mixes.push_back({mix.at("mute"), mix.at("solo"), mix.at("scale")});
  }
  return mixes;
}

// Heads count from 1 in files.
std::vector<Override> overrides_of(const GoldenFile& file) {
  std::vector<Override> overrides;
  for (const auto& o : metadata_or(file, "overrides", nlohmann::json::array())) {
    const Stage stage = stage_from_name(o.at("stage").get<std::string>()).value();
    const Index head = o.at("head").get<Index>() - 1;
    overrides.push_back({stage, head, o.at("row"), o.at("col"), o.at("value")});
  }
  return overrides;
}

}  // namespace

Index Tensor::count() const { return shape.size() < 3 ? 1 : shape[0]; }

Matrix Tensor::matrix(Index i) const {
  const Index cols = shape.back();
  const Index rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  return Eigen::Map<const Matrix>(values.data() + i * rows * cols, rows, cols);
}

GoldenFile read_golden(const std::string& name) {
  const std::string bytes = bytes_of(std::string(GOLDEN_DIR) + "/" + name + ".safetensors");
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  const size_t data = sizeof header_size + header_size;
  GoldenFile file;
  const auto header = nlohmann::json::parse(bytes.substr(sizeof header_size, header_size));
  for (const auto& [key, entry] : header.items()) {
    if (key == "__metadata__") {
      file.metadata = entry.get<std::map<std::string, std::string>>();
      continue;
    }
    const auto range = entry.at("data_offsets").get<std::vector<size_t>>();
    file.tensors[key] = {entry.at("shape").get<std::vector<Index>>(),
                         numbers(bytes.substr(data + range.at(0), range.at(1) - range.at(0)),
                                 entry.at("dtype").get<std::string>())};
  }
  return file;
}

Problem problem_of(const GoldenFile& file) {
  Problem problem;
  read_sizes(file, problem.config);
  read_switches(file, problem.config);
  read_inputs(file, problem);
  read_parameters(file, problem.config, problem.parameters);
  problem.head_mix = head_mix_of(file);
  problem.overrides = overrides_of(file);
  return problem;
}

}  // namespace attention::test
