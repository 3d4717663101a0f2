#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/files/float_text.h"
#include "app/files/problem_file.h"

namespace lab {
namespace {

using attention::Index;
using attention::KeyValueParameters;
using attention::Matrix;
using attention::Problem;
using attention::QueryParameters;
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

template <typename Head>
Tensor stacked_weights(std::string name, const std::vector<Head>& heads,
                       SharedMatrix Head::*weights) {
  return stacked(std::move(name), heads.size(), (heads[0].*weights).shape(),
                 [&](std::size_t h) -> const Matrix& { return *(heads[h].*weights); });
}

// The biases of all heads [n_heads × width]; a head without one adds 0. Nothing when none has one.
template <typename Head>
void add_biases(std::string name, const std::vector<Head>& heads, SharedMatrix Head::*bias,
                Index width, TensorFile& file) {
  if (std::ranges::all_of(heads, [&](const auto& head) { return (head.*bias).empty(); })) return;
  const Matrix nothing = Matrix::Zero(1, width);
  Tensor tensor{std::move(name), {static_cast<Index>(heads.size()), width}, {}};
  for (const Head& head : heads)
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

// The ten stages of the table always; the others where they are steps of their own. The embeddings
// are the problem's, and repeated only beside what is added to them.
bool belongs_to_answer(const Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kEmbedding:
      return is_active(problem, Stage::kX);
    case Stage::kEmbeddingKv:
      return is_active(problem, Stage::kXKv);
    case Stage::kScaledScores:
    case Stage::kMaskedScores:
      return true;
    default:
      return is_active(problem, stage);
  }
}

}  // namespace

TensorFile problem_tensors(const Document& document) {
  const Problem& problem = document.problem;
  const attention::Config& config = problem.config;
  const auto& heads = problem.parameters.heads;
  const auto& kv_heads = problem.parameters.kv_heads;
  TensorFile file{{}, metadata_of(document)};
  file.tensors.push_back(single("X", *problem.embedding));
  if (!problem.embedding_kv.empty()) file.tensors.push_back(single("X_kv", *problem.embedding_kv));
  file.tensors.push_back(stacked_weights("W_Q", heads, &QueryParameters::W_Q));
  file.tensors.push_back(stacked_weights("W_K", kv_heads, &KeyValueParameters::W_K));
  file.tensors.push_back(stacked_weights("W_V", kv_heads, &KeyValueParameters::W_V));
  file.tensors.push_back(single("W_O", *problem.parameters.W_O));
  add_biases("b_Q", heads, &QueryParameters::b_Q, config.d_k, file);
  add_biases("b_K", kv_heads, &KeyValueParameters::b_K, config.d_k, file);
  add_biases("b_V", kv_heads, &KeyValueParameters::b_V, config.d_v, file);
  if (!problem.parameters.b_O.empty())
    file.tensors.push_back(single("b_O", *problem.parameters.b_O, true));
  add_mask(problem, file);
  if (!problem.bias.empty()) file.tensors.push_back(single("bias", *problem.bias));
  return file;
}

TensorFile answer_tensors(const Document& document, const attention::Trace& trace) {
  TensorFile file{{}, metadata_of(document)};
  for (const Stage stage : attention::kAllStages) {
    if (!belongs_to_answer(document.problem, stage)) continue;
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
