#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/files/float_text.h"
#include "app/files/problem_file.h"

namespace lab {
namespace {

using attention::HeadParameters;
using attention::Index;
using attention::Matrix;
using attention::Problem;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

void append_values(const Matrix& matrix, Tensor& tensor) {
  tensor.values.insert(tensor.values.end(), matrix.data(), matrix.data() + matrix.size());
}

// One matrix; a [1 × n] bias as a list of n.
Tensor single(std::string name, const Matrix& matrix, bool is_list = false) {
  Tensor tensor{std::move(name), {matrix.rows(), matrix.cols()}, {}};
  if (is_list) tensor.shape = {matrix.cols()};
  append_values(matrix, tensor);
  return tensor;
}

// One matrix of that shape for each of the heads.
Tensor stacked(std::string name, std::size_t heads, Shape shape,
               const std::function<const Matrix&(std::size_t)>& of_head) {
  Tensor tensor{std::move(name), {static_cast<Index>(heads), shape.rows, shape.cols}, {}};
  for (std::size_t h = 0; h < heads; ++h) append_values(of_head(h), tensor);
  return tensor;
}

Tensor stacked_weights(std::string name, const Problem& problem,
                       SharedMatrix HeadParameters::*weights) {
  const auto& heads = problem.parameters.heads;
  return stacked(std::move(name), heads.size(), (heads[0].*weights).shape(),
                 [&](std::size_t h) -> const Matrix& { return *(heads[h].*weights); });
}

// The biases of all heads [n_heads × width]; a head without one adds 0. Nothing when none has one.
void add_biases(std::string name, const Problem& problem, SharedMatrix HeadParameters::*bias,
                Index width, TensorFile& file) {
  const auto& heads = problem.parameters.heads;
  if (std::ranges::all_of(heads, [&](const auto& head) { return (head.*bias).empty(); })) return;
  const Matrix nothing = Matrix::Zero(1, width);
  Tensor tensor{std::move(name), {static_cast<Index>(heads.size()), width}, {}};
  for (const HeadParameters& head : heads)
    append_values((head.*bias).empty() ? nothing : *(head.*bias), tensor);
  file.tensors.push_back(std::move(tensor));
}

// Adds the rule of the mask and the cells that a file forbade, in one, when they forbid anything.
void add_mask(const Problem& problem, TensorFile& file) {
  Tensor tensor{"mask", {problem.seq_len(), problem.kv_len()}, {}};
  for (Index i = 0; i < problem.seq_len(); ++i)
    for (Index j = 0; j < problem.kv_len(); ++j)
      tensor.values.push_back(problem.may_attend(i, j) ? 1.0f : 0.0f);
  if (std::ranges::count(tensor.values, 0.0f) > 0) file.tensors.push_back(std::move(tensor));
}

std::string list_json(const std::vector<std::string>& texts) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& text : texts) list.push_back(storable(text));
  return list.dump();
}

std::map<std::string, std::string> metadata_of(const Document& document) {
  const attention::Config& config = document.problem.config;
  std::vector<std::string> texts;
  for (const Token& token : document.tokens) texts.push_back(token.text);
  std::map<std::string, std::string> metadata;
  metadata["scale"] = config.scale ? "true" : "false";
  append_float(metadata["temperature"], config.temperature);
  metadata["tokens"] = list_json(texts);
  if (!document.kv_labels.empty()) metadata["kv_tokens"] = list_json(document.kv_labels);
  return metadata;
}

}  // namespace

TensorFile problem_tensors(const Document& document) {
  const Problem& problem = document.problem;
  const attention::Config& config = problem.config;
  TensorFile file{{}, metadata_of(document)};
  file.tensors.push_back(single("X", *problem.X));
  if (!problem.X_kv.empty()) file.tensors.push_back(single("X_kv", *problem.X_kv));
  file.tensors.push_back(stacked_weights("W_Q", problem, &HeadParameters::W_Q));
  file.tensors.push_back(stacked_weights("W_K", problem, &HeadParameters::W_K));
  file.tensors.push_back(stacked_weights("W_V", problem, &HeadParameters::W_V));
  file.tensors.push_back(single("W_O", *problem.parameters.W_O));
  add_biases("b_Q", problem, &HeadParameters::b_Q, config.d_k, file);
  add_biases("b_K", problem, &HeadParameters::b_K, config.d_k, file);
  add_biases("b_V", problem, &HeadParameters::b_V, config.d_v, file);
  if (!problem.parameters.b_O.empty())
    file.tensors.push_back(single("b_O", *problem.parameters.b_O, true));
  add_mask(problem, file);
  if (!problem.bias.empty()) file.tensors.push_back(single("bias", *problem.bias));
  return file;
}

TensorFile answer_tensors(const Document& document, const attention::Trace& trace) {
  TensorFile file{{}, metadata_of(document)};
  for (const Stage stage : attention::kAllStages) {
    if (stage == Stage::kX) continue;
    const auto of_head = [&](std::size_t h) -> const Matrix& {
      return *stage_matrix(document.problem, trace, stage, static_cast<Index>(h));
    };
    const Matrix& first = of_head(0);
    std::string name(attention::stage_name(stage));
    file.tensors.push_back(
        attention::is_per_head(stage)
            ? stacked(std::move(name), trace.heads.size(), {first.rows(), first.cols()}, of_head)
            : single(std::move(name), first));
  }
  return file;
}

}  // namespace lab
