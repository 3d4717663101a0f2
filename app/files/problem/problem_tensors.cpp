#include <algorithm>
#include <functional>

#include "app/document/snapshot.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/problem_metadata.h"
#include "core/matrix_id.h"

namespace lab::files {
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

// Appends a parameter that each head has its own of; nothing when no head has it.
void add_of_heads(const Problem& problem, const attention::MatrixInfo& info, TensorFile& file) {
  const auto heads = static_cast<std::size_t>(matrix_count(problem.config, info.id));
  const auto of_head = [&](std::size_t h) -> const SharedMatrix& {
    return matrix_of(problem, info.id, static_cast<Index>(h));
  };
  const Shape shape = parameter_shape(problem.config, info.id);
  const Matrix nothing = Matrix::Zero(shape.rows, shape.cols);
  bool any = false;
  for (std::size_t h = 0; h < heads; ++h) any = any || !of_head(h).empty();
  if (!any) return;
  Tensor tensor = stacked(
      std::string(info.name), heads, shape,
      [&](std::size_t h) -> const Matrix& { return of_head(h).empty() ? nothing : *of_head(h); });
  if (!info.required) tensor.shape.erase(tensor.shape.begin() + 1);
  file.tensors.push_back(std::move(tensor));
}

// A matrix that may be absent.
void add_present(std::string name, const SharedMatrix& matrix, TensorFile& file,
                 bool is_list = false) {
  if (!matrix.empty()) file.tensors.push_back(single(std::move(name), *matrix, is_list));
}

// The ten stages of the table always; the others when they are steps of their own. The embeddings
// belong to the problem, and are repeated only when something is added to them.
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

Tensor answer_tensor(const Problem& problem, const attention::Trace& trace, Stage stage) {
  std::string name(attention::stage_name(stage));
  if (!is_per_head(stage)) return single(std::move(name), *stage_matrix(problem, trace, stage, 0));
  const auto heads = static_cast<std::size_t>(problem.config.n_heads);
  const auto kv_heads = static_cast<std::size_t>(kv_head_count(problem.config));
  const std::size_t count = is_per_kv_head(stage) ? kv_heads : heads;
  return stacked(std::move(name), count, stage_shape(problem, stage),
                 [&](std::size_t h) -> const Matrix& {
                   const auto head = static_cast<Index>(h * (heads / count));
                   return *stage_matrix(problem, trace, stage, head);
                 });
}

}  // namespace

TensorFile problem_tensors(const Document& document) {
  const Problem& problem = document.problem;
  TensorFile file{{}, problem_metadata(document)};
  file.tensors.push_back(single("X", *problem.embedding));
  add_present("X_kv", problem.embedding_kv, file);
  add_present("position_table", problem.position_table, file);
  add_present("position_table_kv", problem.position_table_kv, file);
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (is_per_head(info.id)) {
      add_of_heads(problem, info, file);
    } else if (is_parameter(info.id)) {
      add_present(std::string(info.name), matrix_of(problem, info.id, 0), file, !info.required);
    }
  }
  add_present("mask", problem.allowed, file);
  add_present("bias", problem.bias, file);
  return file;
}

std::vector<Stage> answer_stages(const Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : attention::kAllStages)
    if (belongs_to_answer(problem, stage)) stages.push_back(stage);
  return stages;
}

TensorFile answer_tensors(const Document& document, const attention::Trace& trace) {
  const Problem& problem = document.problem;
  const std::vector<Stage> stages = answer_stages(problem);
  TensorFile file{{}, problem_metadata(document)};
  for (const Stage input : {Stage::kX, Stage::kXKv}) {
    const bool read = input == Stage::kX || problem.cross();
    if (read && std::ranges::count(stages, input) == 0)
      file.tensors.push_back(answer_tensor(problem, trace, input));
  }
  for (const Stage stage : stages) file.tensors.push_back(answer_tensor(problem, trace, stage));
  return file;
}

TensorFile gradient_tensors(const Document& document, const attention::LayerGradient& gradient) {
  Snapshot snapshot = gradient_snapshot(document, gradient);
  snapshot.document.problem.allowed = {};
  TensorFile file = problem_tensors(snapshot.document);
  file.metadata.clear();
  for (Tensor& tensor : answer_tensors(document, snapshot.trace).tensors) {
    tensor.name = "stage." + tensor.name;
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

}  // namespace lab::files
