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

// Biases of all heads stand in one tensor [n_heads × d].
SharedMatrix optional_row(const GoldenFile& file, const std::string& name, Index row) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) return {};
  return SharedMatrix(found->second.matrix(0).row(row));
}

Config config_of(const GoldenFile& file) {
  const auto size = [&](const char* name, size_t axis) {
    return static_cast<int>(file.tensors.at(name).shape.at(axis));
  };
  Config config;
  config.n_heads = size("W_Q", 0);
  config.d_model = size("W_Q", 1);
  config.d_k = size("W_Q", 2);
  config.d_v = size("W_V", 2);
  config.d_out = size("W_O", 1);
  const auto& metadata = file.metadata;
  config.scale = !metadata.contains("scale") || metadata.at("scale") == "true";
  if (metadata.contains("temperature")) config.temperature = std::stof(metadata.at("temperature"));
  return config;
}

HeadParameters head_of(const GoldenFile& file, Index h) {
  return {SharedMatrix(file.tensors.at("W_Q").matrix(h)),
          SharedMatrix(file.tensors.at("W_K").matrix(h)),
          SharedMatrix(file.tensors.at("W_V").matrix(h)),
          optional_row(file, "b_Q", h),
          optional_row(file, "b_K", h),
          optional_row(file, "b_V", h)};
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
  problem.config = config_of(file);
  problem.X = optional_matrix(file, "X");
  problem.X_kv = optional_matrix(file, "X_kv");
  problem.allowed = optional_matrix(file, "mask");
  problem.bias = optional_matrix(file, "bias");
  for (Index h = 0; h < problem.config.n_heads; ++h) {
    problem.parameters.heads.push_back(head_of(file, h));
  }
  problem.parameters.W_O = optional_matrix(file, "W_O");
  problem.parameters.b_O = optional_matrix(file, "b_O");
  return problem;
}

}  // namespace attention::test
