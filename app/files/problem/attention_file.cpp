#include "app/files/problem/attention_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
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
// A row of float32 that is nearer to 1 comes back from softmax as it is, up to its last digit.
constexpr float kRoundingError = 2e-6f;
// exp of this, and of anything below, is 0 in float32.
constexpr float kLogOfZero = -104;
// Rows that do not sum to 1 are kept by overrides, as long as there are not more numbers than this.
constexpr std::size_t kMostOverrides = 400'000;

// The weights of each head, [queries × keys].
using Heads = std::vector<Matrix>;

// True for a row that is empty, because the query may attend to nothing: PyTorch gives NaN there.
bool is_masked_row(const Matrix& values, Index row) {
  return values.row(row).array().isNaN().all() || (values.row(row).array() == 0).all();
}

bool is_softmax_row(const Matrix& values, Index row) {
  const auto numbers = values.row(row).array();
  return (numbers >= 0).all() && std::abs(numbers.sum() - 1) <= 10 * kRowSumError;
}

// True when some row holds weights and every other one is masked.
bool holds_weights(const Matrix& values) {
  bool any = false;
  for (Index i = 0; i < values.rows(); ++i) {
    if (is_softmax_row(values, i)) {
      any = true;
    } else if (!is_masked_row(values, i)) {
      return false;
    }
  }
  return any;
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

bool is_weight_stack(const Tensor& tensor) {
  return is_stack(tensor) && holds_weights(first_matrix(tensor));
}

const Tensor* named_tensor(const TensorFile& file) {
  for (const std::string_view name : kAttentionNames) {
    const Tensor* tensor = file.find(name);
    if (!tensor) continue;
    const std::size_t rank = tensor->shape.size();
    const bool one_head =
        rank == 2 && !tensor->values.empty() && is_attention(first_matrix(*tensor));
    if (rank > 2 || one_head) return tensor;
  }
  return nullptr;
}

// The number at the end of a name such as arr_10, or nothing.
std::optional<Index> layer_number(const Tensor& tensor) {
  constexpr std::string_view kPrefix = "arr_";
  if (!tensor.name.starts_with(kPrefix)) return std::nullopt;
  return parse_number<Index>(tensor.name.substr(kPrefix.size()));
}

// The arrays arr_0, arr_1 … that numpy.savez writes of a list, in this order, when each of them
// holds the weights of a layer; else none.
std::vector<const Tensor*> numbered_layers(const TensorFile& file) {
  std::vector<std::pair<Index, const Tensor*>> found;
  for (const Tensor& tensor : file.tensors) {
    const auto number = layer_number(tensor);
    if (!number || !is_weight_stack(tensor)) return {};
    found.emplace_back(*number, &tensor);
  }
  std::ranges::sort(found);
  std::vector<const Tensor*> layers;
  layers.reserve(found.size());
  for (const auto& [number, tensor] : found) layers.push_back(tensor);
  return layers;
}

// The tensors that hold the weights: one, or one of each layer; none when the file holds no
// weights. The shape of a tensor that is called attention, and of the only one in a file, is
// checked by read_heads.
std::vector<const Tensor*> attention_tensors(const TensorFile& file) {
  if (const Tensor* named = named_tensor(file)) return {named};
  if (file.tensors.size() == 1) {
    const Tensor& only = file.tensors.front();
    return only.shape.size() > 2 ? std::vector{&only} : std::vector<const Tensor*>{};
  }
  std::vector<const Tensor*> stacks = numbered_layers(file);
  if (!stacks.empty()) return stacks;
  for (const Tensor& tensor : file.tensors)
    if (is_weight_stack(tensor)) stacks.push_back(&tensor);
  return stacks.size() == 1 ? stacks : std::vector<const Tensor*>{};
}

// --- the weights

// The layer, from 0, of the leading dimension that counts them.
Index chosen_layer(Index layers, const std::string& requested, std::vector<std::string>& notes) {
  if (requested.empty()) {
    notes.push_back("layer 1 of " + std::to_string(layers) +
                    " was taken; \"attention-lab convert --layer N\" takes another");
    return 0;
  }
  const auto layer = parse_number<Index>(requested);
  if (layer && *layer >= 1 && *layer <= layers) return *layer - 1;
  throw BadInput("there is no layer " + in_quotes(requested) + "; there are 1 … " +
                 std::to_string(layers));
}

void check_weights(const Tensor& tensor, const Matrix& weights, Index head) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = 0; j < weights.cols(); ++j) {
      const float weight = weights(i, j);
      if ((weight >= 0 && std::isfinite(weight)) || is_masked_row(weights, i)) continue;
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
  constexpr std::size_t kMostSides = 5;  // layers, a batch of one, heads, queries, keys
  if (tensor.shape.size() > kMostSides || sides.size() > 4 || sides.size() < 3 ||
      tensor.values.empty())
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   ", it should be n_heads × queries × keys, or layers × n_heads × queries × keys, "
                   "without a side of 0");
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
  if (std::ranges::all_of(weights, [](const Matrix& head) { return head.array().isNaN().all(); }))
    throw BadInput("tensor " + in_quotes(tensor.name) + " holds nothing but NaN");
  return weights;
}

// --- the document

// 1 where some head attends, 0 where none does.
Matrix attended(const Heads& heads) {
  Matrix any = Matrix::Zero(heads.front().rows(), heads.front().cols());
  for (const Matrix& weights : heads)
    any = any.cwiseMax((weights.array() > 0).cast<float>().matrix());
  return any;
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

// "1 row does", "2 rows do".
std::string rows_do(std::size_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row does" : " rows do");
}

void note_rows(std::size_t nan, std::size_t other, bool keeps, std::vector<std::string>& notes) {
  if (nan > 0)
    notes.push_back(std::to_string(nan) +
                    (nan == 1 ? " row is masked: its weights are NaN, as the file says"
                              : " rows are masked: their weights are NaN, as the file says"));
  if (other > 0)
    notes.push_back(rows_do(other) + " not sum to 1; " +
                    (keeps ? "overrides keep what the file says" : "divided by the sum"));
  if (other == 0 && !keeps)
    notes.emplace_back("the rows were rounded; each is divided by its sum, which is nearly 1");
}

// Rows that softmax cannot give, because they do not sum to 1 or are NaN, are kept as they are.
// Rows of NaN always are: no weights of other rows come near them.
void keep_other_rows(const Heads& heads, attention::Problem& problem,
                     std::vector<std::string>& notes) {
  std::size_t nan = 0, other = 0;
  std::vector<attention::Override> masked, rounded;
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (Index i = 0; i < heads[h].rows(); ++i) {
      const float error = std::abs(heads[h].row(i).sum() - 1);
      if (error <= kRoundingError) continue;
      const bool is_nan = std::isnan(error);
      nan += is_nan ? 1 : 0;
      other += error > kRowSumError ? 1 : 0;
      for (Index j = 0; j < heads[h].cols(); ++j)
        (is_nan ? masked : rounded)
            .push_back({attention::Stage::kWeights, static_cast<Index>(h), i, j, heads[h](i, j)});
    }
  const bool keeps = rounded.size() <= kMostOverrides;
  if (keeps) masked.insert(masked.end(), rounded.begin(), rounded.end());
  problem.overrides = std::move(masked);
  note_rows(nan, other, keeps, notes);
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
  const std::vector<const Tensor*> layers = attention_tensors(file);
  if (layers.empty()) throw BadInput("it holds no attention weights");
  const Index layer =
      layers.size() > 1 ? chosen_layer(static_cast<Index>(layers.size()), choice.layer, notes) : 0;
  const Heads heads = read_heads(*layers[static_cast<std::size_t>(layer)], choice, notes);
  const Index rows = heads.front().rows(), cols = heads.front().cols();
  Words words;
  words.cross = rows != cols || file.metadata.contains("kv_tokens");
  words.queries = read_labels(file.metadata, "tokens", rows);
  if (words.cross) words.keys = read_labels(file.metadata, "kv_tokens", cols);
  return document_of(heads, words, std::move(title), notes);
}

// True for a file of which the matrices of a problem are named.
bool holds_problem_names(const TensorFile& file) {
  constexpr std::array<std::string_view, 5> kNames{"W_Q", "W_K", "W_V", "W_O", "X"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return file.find(name); });
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace

bool is_attention(const Matrix& values) {
  return values.rows() >= 2 && values.rows() == values.cols() && holds_weights(values);
}

bool is_cross_attention(const LabelledTable& table) {
  return !table.rows.empty() && !table.columns.empty() && holds_weights(table.values);
}

bool holds_attention(const TensorFile& file) {
  return !holds_multihead(file) && !holds_problem_names(file) && !attention_tensors(file).empty();
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
