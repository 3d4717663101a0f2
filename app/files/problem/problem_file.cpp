#include "app/files/problem/problem_file.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/files/problem/batch_file.h"
#include "app/files/problem/problem_metadata.h"
#include "app/files/problem/problem_reading.h"
#include "app/files/session/token_keys.h"
#include "app/files/tensors/elements.h"
#include "core/matrix_id.h"

namespace lab::files {
namespace {

using attention::Config;
using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using Extents = std::vector<std::int64_t>;

const Tensor& required_tensor(const TensorFile& file, const char* name, const char* sides) {
  const Tensor* tensor = file.find(name);
  if (!tensor)
    throw BadInput("tensor " + in_quotes(name) + " (" + sides +
                   ") is missing; a problem needs X, W_Q, W_K, W_V and W_O");
  return *tensor;
}

void check_rank(const Tensor& tensor, std::size_t rank, const char* sides) {
  if (tensor.shape.size() != rank)
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   ", it should have " + std::to_string(rank) + " dimensions (" + sides + ")");
}

void check_shape(const Tensor& tensor, const Extents& expected, const char* sides) {
  if (tensor.shape != expected)
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   ", it should be " + shape_text(expected) + " (" + sides + ")");
}

// The matrix that is the `part`-th of equal parts of the tensor.
SharedMatrix matrix_part(const Tensor& tensor, Index part, Index rows, Index cols) {
  const float* begin = tensor.values.data() + part * rows * cols;
  return SharedMatrix(Matrix(Eigen::Map<const Matrix>(begin, rows, cols)));
}

// --- sizes

// The sizes given by the shapes of the tensors.
Config read_sizes(const TensorFile& file) {
  const Tensor& X = required_tensor(file, "X", "seq_len × d_model");
  const Tensor& W_Q = required_tensor(file, "W_Q", "n_heads × d_model × d_k");
  const Tensor& W_K = required_tensor(file, "W_K", "n_kv_heads × d_model × d_k");
  const Tensor& W_V = required_tensor(file, "W_V", "n_kv_heads × d_model × d_v");
  const Tensor& W_O = required_tensor(file, "W_O", "n_heads·d_v × d_out");
  check_rank(X, holds_batch(file) ? 3 : 2, "seq_len × d_model");
  check_rank(W_Q, 3, "n_heads × d_model × d_k");
  check_rank(W_K, 3, "n_kv_heads × d_model × d_k");
  check_rank(W_V, 3, "n_kv_heads × d_model × d_v");
  check_rank(W_O, 2, "n_heads·d_v × d_out");
  // Sizes are below kMostElements wherever no dimension is 0, which validate() refuses.
  const auto size = [](std::int64_t value) {
    return static_cast<int>(std::min<std::int64_t>(value, kMostElements));
  };
  Config config;
  config.d_model = size(X.shape.back());
  config.n_heads = size(W_Q.shape[0]);
  config.d_k = size(W_Q.shape[2]);
  config.d_v = size(W_V.shape[2]);
  config.d_out = size(W_O.shape[1]);
  // Heads with keys and values of their own are not grouped.
  if (W_K.shape[0] != W_Q.shape[0]) config.n_kv_heads = size(W_K.shape[0]);
  return config;
}

// --- parameters

// "n_heads × d_model × d_k"; what need not be there is a list of numbers.
std::string sides_of(const attention::MatrixInfo& info, const Config& config) {
  std::string sides;
  if (is_per_head(info.id)) sides = is_per_kv_head(info.id) ? "n_kv_heads × " : "n_heads × ";
  if (info.required) sides += std::string(axis_name(info.rows)) + " × ";
  return sides + std::string(axis_name(column_axis(config, info.id)));
}

Extents extents_of(const attention::MatrixInfo& info, const Config& config) {
  Extents extents;
  if (is_per_head(info.id)) extents.push_back(matrix_count(config, info.id));
  if (info.required) extents.push_back(axis_length(config, info.rows));
  extents.push_back(parameter_shape(config, info.id).cols);
  return extents;
}

// All matrices of that kind.
void read_parameter(const TensorFile& file, const attention::MatrixInfo& info,
                    attention::Problem& problem) {
  const Tensor* tensor = file.find(info.name);
  if (!tensor) return;  // what is required is there, as read_sizes saw
  check_shape(*tensor, extents_of(info, problem.config), sides_of(info, problem.config).c_str());
  const auto [rows, cols] = parameter_shape(problem.config, info.id);
  for (Index h = 0; h < matrix_count(problem.config, info.id); ++h)
    matrix_of(problem, info.id, h) = matrix_part(*tensor, h, rows, cols);
}

void read_parameters(const TensorFile& file, attention::Problem& problem) {
  problem.parameters.heads.resize(static_cast<std::size_t>(problem.config.n_heads));
  problem.parameters.kv_heads.resize(static_cast<std::size_t>(kv_head_count(problem.config)));
  for (const attention::MatrixInfo& info : attention::kMatrixInfos)
    if (is_parameter(info.id)) read_parameter(file, info, problem);
}

// --- mask and bias

bool is_causal(const Matrix& allowed) {
  if (allowed.rows() != allowed.cols()) return false;
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = 0; j < allowed.cols(); ++j)
      if ((allowed(i, j) != 0) != (j <= i)) return false;
  return true;
}

// A mask that does not distinguish rules from single cells.
void set_mask(attention::Problem& problem, SharedMatrix allowed) {
  if ((allowed->array() != 0).all()) return;
  if (is_causal(*allowed)) {
    problem.config.mask.causal = true;
  } else {
    problem.allowed = std::move(allowed);
  }
}

void read_mask(const TensorFile& file, attention::Problem& problem) {
  const Tensor* mask = file.find("mask");
  if (!mask) return;
  check_shape(*mask, {problem.seq_len(), problem.kv_len()}, "seq_len × kv_len");
  if (std::ranges::any_of(mask->values, [](float v) { return !(v == 0 || v == 1); }))
    throw BadInput(
        "tensor \"mask\" holds numbers other than 0 and 1; 1 may be attended to, 0 not (what is "
        "to be added to the scores is the tensor \"bias\")");
  SharedMatrix allowed = matrix_part(*mask, 0, problem.seq_len(), problem.kv_len());
  if (tells_mask_rules(file.metadata)) {
    problem.allowed = std::move(allowed);
  } else {
    set_mask(problem, std::move(allowed));
  }
}

void read_score_bias(const TensorFile& file, attention::Problem& problem) {
  const Tensor* bias = file.find("bias");
  if (!bias) return;
  check_shape(*bias, {problem.seq_len(), problem.kv_len()}, "seq_len × kv_len");
  problem.bias = matrix_part(*bias, 0, problem.seq_len(), problem.kv_len());
}

// --- inputs

void check_length(const char* name, std::int64_t length) {
  if (length < 1 || length > attention::Limits::kSeqLen)
    throw BadInput(std::string(name) + " is " + std::to_string(length) + ", it should be 1 … " +
                   std::to_string(attention::Limits::kSeqLen));
}

// [n × d_model] as it is; the core checks the number of rows.
SharedMatrix read_position_table(const TensorFile& file, const char* name, Index d_model) {
  const Tensor* table = file.find(name);
  if (!table) return {};
  check_rank(*table, 2, "positions × d_model");
  check_shape(*table, {table->shape[0], d_model}, "positions × d_model");
  check_length((std::string("rows of ") + name).c_str(), table->shape[0]);
  return matrix_part(*table, 0, table->shape[0], d_model);
}

void read_keys(const TensorFile& file, Document& document) {
  const Tensor* X_kv = file.find("X_kv");
  if (!X_kv) return;
  const Index d_model = document.problem.config.d_model;
  check_rank(*X_kv, 2, "kv_len × d_model");
  check_shape(*X_kv, {X_kv->shape[0], d_model}, "kv_len × d_model");
  check_length("kv_len (rows of X_kv)", X_kv->shape[0]);
  document.problem.embedding_kv = matrix_part(*X_kv, 0, X_kv->shape[0], d_model);
  set_kv_tokens(document, read_labels(file.metadata, "kv_tokens", X_kv->shape[0]));
}

void read_inputs(const TensorFile& file, Document& document) {
  const Tensor& X = required_tensor(file, "X", "seq_len × d_model");
  const Index d_model = document.problem.config.d_model;
  check_rank(X, 2, "seq_len × d_model");
  check_shape(X, {X.shape[0], d_model}, "seq_len × d_model");
  check_length("seq_len (rows of X)", X.shape[0]);
  document.problem.embedding = matrix_part(X, 0, X.shape[0], d_model);
  set_query_tokens(document, read_labels(file.metadata, "tokens", X.shape[0]));
  read_keys(file, document);
}

}  // namespace

Document read_layer(const TensorFile& file, std::string title) {
  Document document;
  attention::Problem& problem = document.problem;
  document.title = std::move(title);
  problem.config = read_sizes(file);
  read_variants(file.metadata, problem);
  attention::validate(problem.config);
  read_parameters(file, problem);
  const Index d_model = problem.config.d_model;
  problem.position_table = read_position_table(file, "position_table", d_model);
  problem.position_table_kv = read_position_table(file, "position_table_kv", d_model);
  return document;
}

void read_sentence(const TensorFile& file, Document& document) {
  read_inputs(file, document);
  read_mask(file, document.problem);
  read_score_bias(file, document.problem);
  attention::validate(document.problem);
}

namespace {

Document read(const TensorFile& file, std::string title) {
  if (holds_batch(file)) return document_from_batch(file, std::move(title));
  Document document = read_layer(file, std::move(title));
  read_sentence(file, document);
  return document;
}

void note_if_misspelt(std::vector<std::string>& notes, const char* what, const std::string& name,
                      const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) != known.end()) return;
  const std::string suggestion = suggested_name(name, known);
  if (suggestion.empty()) return;
  notes.push_back(std::string(what) + " " + in_quotes(name) + " is not read; did you mean " +
                  in_quotes(suggestion) + "?");
}

// Of the inputs some have another name here.
std::vector<std::string> tensor_names() {
  std::vector<std::string> names = {"X", "X_kv"};
  for (const attention::MatrixInfo& info : attention::kMatrixInfos)
    if (is_parameter(info.id)) names.emplace_back(info.name);
  names.insert(names.end(), {"position_table", "position_table_kv", "mask", "bias"});
  return names;
}

}  // namespace

Expected<Document> document_from_tensors(const TensorFile& file, std::string title) {
  return guarded([&] { return read(file, std::move(title)); });
}

std::vector<std::string> misspelt_names(const TensorFile& file) {
  static const std::vector<std::string> kTensors = tensor_names();
  std::vector<std::string> notes;
  for (const Tensor& tensor : file.tensors)
    note_if_misspelt(notes, "tensor", tensor.name, kTensors);
  for (const auto& [name, value] : file.metadata)
    note_if_misspelt(notes, "metadata", name, problem_metadata_names());
  return notes;
}

}  // namespace lab::files
