#include "app/tests/model/support.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <stdexcept>

#include "app/files/model/model_answer.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::network::Interventions;
using attention::network::NetworkEvaluator;
using attention::network::Tokens;

namespace {

// The numbers of a tensor [… × rows × columns].
struct Rows {
  std::int64_t heads = 1, rows = 0, columns = 0;
};

Rows rows_of(const Tensor& tensor) {
  Rows rows{1, tensor.shape.at(tensor.shape.size() - 2), tensor.shape.back()};
  for (std::size_t i = 0; i + 2 < tensor.shape.size(); ++i) rows.heads *= tensor.shape[i];
  return rows;
}

std::vector<std::uint32_t> ids_in(const TensorFile& file, const std::string& name) {
  const Tensor* const ids = file.find(name);
  if (ids == nullptr) return {};
  return {ids->values.begin(), ids->values.end()};
}

}  // namespace

std::vector<std::string> golden_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(GOLDEN_MODELS))
    if (std::filesystem::exists(entry.path() / "config.json"))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string golden_path(const std::string& model, const std::string& file) {
  return std::string(GOLDEN_MODELS) + "/" + model + "/" + file;
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TensorFile golden_tensors(const std::string& model, const std::string& file) {
  auto tensors = read_safetensors(text_of_file(golden_path(model, file)));
  if (!tensors) throw std::runtime_error(model + "/" + file + ": " + tensors.error().message);
  return std::move(*tensors);
}

void copy_model(const std::string& model, const TemporaryFolder& to) {
  for (const auto& entry : std::filesystem::directory_iterator(golden_path(model, ""))) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("model") || name == "config.json")
      to.write(name, text_of_file(entry.path().string()));
  }
}

Model opened_model(const std::string& folder) {
  auto model = open_model(folder);
  if (!model) throw std::runtime_error("unexpected error: " + model.error().message);
  return std::move(*model);
}

Model opened_golden(const std::string& model) { return opened_model(golden_path(model, "")); }

Tokens tokens_of(const TensorFile& file, const std::string& prefix) {
  const std::vector<std::uint32_t> first = ids_in(file, prefix + "input_ids");
  const std::vector<std::uint32_t> decoder = ids_in(file, prefix + "decoder_input_ids");
  if (decoder.empty()) return {.ids = first, .types = {}, .encoder_ids = {}};
  return {.ids = decoder, .types = {}, .encoder_ids = first};
}

Tokens random_tokens(const Model& model, Index n, Index encoder_n, unsigned seed) {
  std::mt19937 engine(seed);
  const auto vocabulary = static_cast<std::uint32_t>(model.description.vocabulary);
  const auto fill = [&](std::vector<std::uint32_t>& ids, Index count) {
    for (Index i = 0; i < count; ++i)
      ids.push_back(static_cast<std::uint32_t>(engine()) % vocabulary);
  };
  Tokens tokens;
  fill(tokens.ids, n);
  if (model.network.encoder) fill(tokens.encoder_ids, encoder_n);
  return tokens;
}

TensorFile computed(const Model& model, const Tokens& tokens, const Interventions& interventions) {
  NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(model.network, tokens, interventions);
  const Matrix logits =
      model.network.read_out
          ? attention::network::logits(model.network, trace.stack.final, evaluator.pool())
          : Matrix();
  return model_answer(model, tokens, trace, logits);
}

double relative_error(const Tensor& found, const Tensor& expected) {
  const Rows given = rows_of(found), kept = rows_of(expected);
  if (given.heads != kept.heads || given.rows < kept.rows || given.columns != kept.columns)
    return std::numeric_limits<double>::infinity();
  double largest = 0, error = 0;
  const std::int64_t size = kept.rows * kept.columns, skipped = given.rows * given.columns - size;
  for (std::int64_t head = 0; head < kept.heads; ++head) {
    for (std::int64_t i = 0; i < size; ++i) {
      const double a =
          found.values[static_cast<std::size_t>(head * (size + skipped) + skipped + i)];
      const double b = expected.values[static_cast<std::size_t>(head * size + i)];
      largest = std::max(largest, std::abs(b));
      error = std::isfinite(a) ? std::max(error, std::abs(a - b))
                               : std::numeric_limits<double>::infinity();
    }
  }
  return error / largest;
}

double allowed_error(const std::string& name) {
  if (name.find("attention") != name.npos) return 1e-5;
  return name.find("hidden") != name.npos ? 2e-5 : 1e-4;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& model) {
  std::string name = model.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace lab
