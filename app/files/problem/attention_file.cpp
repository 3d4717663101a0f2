#include "app/files/problem/attention_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/float_text.h"
#include "app/base/spelt_number.h"
#include "app/files/problem/problem_metadata.h"
#include "app/files/session/token_keys.h"
#include "app/files/tensors/elements.h"

namespace lab::files {
namespace {

using attention::Config;
using attention::Index;
using attention::Limits;
using attention::Matrix;
using attention::SharedMatrix;

constexpr std::array<std::string_view, 6> kAttentionNames{
    "attention", "attentions", "attention_weights", "attn_weights", "attn", "weights"};
constexpr float kRowSumError = 1e-3f;
// exp of this, and of anything below, is 0 in float32.
constexpr float kLogOfZero = -104;
// Rows that do not sum to 1 are kept by overrides, as long as there are not more numbers than this.
constexpr std::size_t kMostOverrides = 20'000;

// The weights of each head, [queries × keys].
using Heads = std::vector<Matrix>;

bool sums_to_one(const Matrix& values) {
  return ((values.rowwise().sum().array() - 1).abs() <= 10 * kRowSumError).all();
}

bool is_stack(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  return rank >= 3 && rank <= 5 && !tensor.values.empty();
}

// The first matrix of the tensor.
Matrix first_matrix(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  return Eigen::Map<const Matrix>(tensor.values.data(), tensor.shape[rank - 2],
                                  tensor.shape[rank - 1]);
}

const Tensor* attention_tensor(const TensorFile& file) {
  for (const std::string_view name : kAttentionNames) {
    const Tensor* tensor = file.find(name);
    if (tensor &&
        (is_stack(*tensor) || (tensor->shape.size() == 2 && is_attention(first_matrix(*tensor)))))
      return tensor;
  }
  const Tensor* only = nullptr;
  for (const Tensor& tensor : file.tensors) {
    if (!is_stack(tensor) || !is_attention(first_matrix(tensor))) continue;
    if (only) return nullptr;
    only = &tensor;
  }
  return only;
}

// --- the weights

// The layer, from 0, of the leading dimension that counts them.
Index chosen_layer(Index layers, const std::string& wanted, std::vector<std::string>& notes) {
  if (wanted.empty()) {
    notes.push_back("layer 1 of " + std::to_string(layers) +
                    " was taken; \"attention-lab convert --layer N\" takes another");
    return 0;
  }
  const auto layer = spelt_number<Index>(wanted);
  if (layer && *layer >= 1 && *layer <= layers) return *layer - 1;
  throw BadInput("there is no layer " + in_quotes(wanted) + "; there are 1 … " +
                 std::to_string(layers));
}

void check_weights(const Tensor& tensor, const Matrix& weights, Index head) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = 0; j < weights.cols(); ++j) {
      const float weight = weights(i, j);
      if (weight >= 0 && std::isfinite(weight)) continue;
      std::string text;
      append_float(text, weight);
      throw BadInput("tensor " + in_quotes(tensor.name) + " holds " + text + " (head " +
                     std::to_string(head + 1) + ", row " + std::to_string(i) +
                     "); attention weights are numbers from 0: what softmax returns, not the "
                     "scores before it");
    }
}

Heads read_heads(const Tensor& tensor, const MultiheadChoice& choice,
                 std::vector<std::string>& notes) {
  std::vector<std::int64_t> sides = tensor.shape;
  if (sides.size() == 2) sides.insert(sides.begin(), 1);
  while (sides.size() > 3 && sides.front() == 1) sides.erase(sides.begin());
  while (sides.size() > 4 && sides[1] == 1) sides.erase(sides.begin() + 1);  // a batch of one
  if (sides.size() > 4 || sides.size() < 3)
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   ", it should be n_heads × queries × keys");
  Index layer = 0;
  if (sides.size() == 4) {
    layer = chosen_layer(sides.front(), choice.layer, notes);
    sides.erase(sides.begin());
  }
  const Index heads = sides[0], rows = sides[1], cols = sides[2];
  if (heads < 1 || heads > Limits::kHeads || rows < 1 || rows > Limits::kSeqLen || cols < 1 ||
      cols > Limits::kHeadSize)
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   "; at most " + std::to_string(Limits::kHeads) + " heads of " +
                   std::to_string(Limits::kSeqLen) + " queries × " +
                   std::to_string(Limits::kHeadSize) + " keys can be opened");
  Heads weights;
  for (Index h = 0; h < heads; ++h) {
    const float* begin = tensor.values.data() + (layer * heads + h) * rows * cols;
    weights.emplace_back(Eigen::Map<const Matrix>(begin, rows, cols));
    check_weights(tensor, weights.back(), h);
  }
  return weights;
}

// --- the document

// 1 where some head attends, 0 where none does.
Matrix attended(const Heads& heads) {
  Matrix any = Matrix::Zero(heads.front().rows(), heads.front().cols());
  for (const Matrix& weights : heads) any = any.cwiseMax(weights);
  return (any.array() > 0).cast<float>().matrix();
}

bool is_upper_empty(const Matrix& allowed) {
  if (allowed.rows() != allowed.cols()) return false;
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = 0; j < allowed.cols(); ++j)
      if ((allowed(i, j) != 0) != (j <= i)) return false;
  return true;
}

// Scores whose softmax is the row: logarithms, far below them for a 0, and the least of them where
// the mask forbids the pair anyway.
Matrix scores_of(const Matrix& weights, const Matrix& allowed) {
  Matrix scores(weights.rows(), weights.cols());
  for (Index i = 0; i < weights.rows(); ++i) {
    float least = 0, most = kLogOfZero;
    for (Index j = 0; j < weights.cols(); ++j) {
      if (!(weights(i, j) > 0)) continue;
      least = std::min(least, std::log(weights(i, j)));
      most = std::max(most, std::log(weights(i, j)));
    }
    for (Index j = 0; j < weights.cols(); ++j) {
      const bool forbidden = allowed(i, j) == 0;
      scores(i, j) = weights(i, j) > 0 ? std::log(weights(i, j))
                     : forbidden       ? least
                                       : most + kLogOfZero;
    }
  }
  return scores;
}

SharedMatrix identity(Index rows, Index cols, float value = 1) {
  Matrix matrix = Matrix::Zero(rows, cols);
  matrix.diagonal().setConstant(value);
  return SharedMatrix(std::move(matrix));
}

Config attention_config(const Heads& heads, bool cross) {
  const Index rows = heads.front().rows(), cols = heads.front().cols();
  Config config;
  config.d_model = static_cast<int>(cross ? std::max(rows, cols) : rows);
  config.n_heads = static_cast<int>(heads.size());
  config.n_kv_heads = config.n_heads > 1 ? 1 : 0;
  config.d_k = config.d_v = config.d_out = static_cast<int>(cols);
  config.scale = false;
  return config;
}

void set_parameters(const Heads& heads, const Matrix& allowed, attention::Problem& problem) {
  const Config& config = problem.config;
  const Index keys = config.d_k;
  problem.parameters.heads.resize(heads.size());
  problem.parameters.kv_heads.resize(static_cast<std::size_t>(kv_head_count(config)));
  for (std::size_t h = 0; h < heads.size(); ++h) {
    Matrix W_Q = Matrix::Zero(config.d_model, keys);
    W_Q.topRows(heads[h].rows()) = scores_of(heads[h], allowed);
    problem.parameters.heads[h].W_Q = SharedMatrix(std::move(W_Q));
  }
  for (attention::KeyValueParameters& shared : problem.parameters.kv_heads)
    shared.W_K = shared.W_V = identity(config.d_model, keys);
  Matrix W_O(config.n_heads * keys, keys);
  for (Index h = 0; h < config.n_heads; ++h)
    W_O.middleRows(h * keys, keys) = *identity(keys, keys, 1 / static_cast<float>(config.n_heads));
  problem.parameters.W_O = SharedMatrix(std::move(W_O));
}

void set_attention_mask(const Matrix& allowed, attention::Problem& problem) {
  if ((allowed.array() != 0).all()) return;
  if (is_upper_empty(allowed)) {
    problem.config.mask.causal = true;
  } else {
    problem.allowed = SharedMatrix(allowed);
  }
}

// Rows that softmax cannot give, because they do not sum to 1, are kept as they are.
void keep_other_rows(const Heads& heads, attention::Problem& problem,
                     std::vector<std::string>& notes) {
  std::size_t rows = 0;
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (Index i = 0; i < heads[h].rows(); ++i) {
      if (std::abs(heads[h].row(i).sum() - 1) <= kRowSumError) continue;
      ++rows;
      for (Index j = 0; j < heads[h].cols(); ++j)
        problem.overrides.push_back(
            {attention::Stage::kWeights, static_cast<Index>(h), i, j, heads[h](i, j)});
    }
  if (rows == 0) return;
  const std::string what =
      std::to_string(rows) + (rows == 1 ? " row does" : " rows do") + " not sum to 1; ";
  const bool keeps = problem.overrides.size() <= kMostOverrides;
  if (!keeps) problem.overrides.clear();
  notes.push_back(what + (keeps ? "overrides keep what the file says" : "divided by the sum"));
}

struct Words {
  std::vector<std::string> queries, keys;
  bool cross = false;
};

Document document_of(const Heads& heads, const Words& words, std::string title,
                     std::vector<std::string>& notes) {
  Document document;
  document.title = std::move(title);
  attention::Problem& problem = document.problem;
  problem.config = attention_config(heads, words.cross);
  attention::validate(problem.config);
  const Index rows = heads.front().rows(), cols = heads.front().cols();
  problem.embedding = identity(rows, problem.config.d_model);
  set_query_tokens(document, words.queries);
  if (words.cross) {
    problem.embedding_kv = identity(cols, problem.config.d_model);
    set_kv_tokens(document, words.keys);
  }
  const Matrix allowed = attended(heads);
  set_parameters(heads, allowed, problem);
  set_attention_mask(allowed, problem);
  keep_other_rows(heads, problem, notes);
  attention::validate(problem);
  notes.emplace_back(
      "ready attention: W_Q holds the logarithms of the weights, so that softmax gives them back; "
      "the output is the mean of the heads");
  return document;
}

Document read_attention(const TensorFile& file, std::string title, const MultiheadChoice& choice,
                        std::vector<std::string>& notes) {
  const Tensor& tensor = *attention_tensor(file);
  const Heads heads = read_heads(tensor, choice, notes);
  const Index rows = heads.front().rows(), cols = heads.front().cols();
  Words words;
  words.cross = rows != cols || file.metadata.contains("kv_tokens");
  words.queries = read_labels(file.metadata, "tokens", rows);
  if (words.cross) words.keys = read_labels(file.metadata, "kv_tokens", cols);
  return document_of(heads, words, std::move(title), notes);
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace

bool is_attention(const Matrix& values) {
  return values.rows() >= 2 && values.rows() == values.cols() && values.allFinite() &&
         (values.array() >= 0).all() && sums_to_one(values);
}

bool holds_attention(const TensorFile& file) {
  return !file.find("W_Q") && !holds_multihead(file) && attention_tensor(file) != nullptr;
}

Expected<Document> document_from_attention(const TensorFile& file, std::string title,
                                           const MultiheadChoice& choice,
                                           std::vector<std::string>& notes) {
  return guarded([&] { return read_attention(file, std::move(title), choice, notes); });
}

Expected<Document> document_from_attention_table(LabelledTable table, std::string title,
                                                 std::vector<std::string>& notes) {
  const auto rows = static_cast<std::size_t>(table.values.rows());
  Words words;
  words.queries = table.rows.empty() ? table.columns : table.rows;
  words.keys = table.columns.empty() ? table.rows : table.columns;
  if (words.queries.size() != rows) words.queries = words.keys = numbered(rows);
  words.cross = words.keys != words.queries;
  return guarded([&] { return document_of({table.values}, words, std::move(title), notes); });
}

}  // namespace lab::files
