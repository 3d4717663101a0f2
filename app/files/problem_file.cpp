#include "app/files/problem_file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>
#include <unordered_map>

#include "app/files/elements.h"
#include "app/files/metadata.h"
#include "app/files/reading.h"
#include "app/files/strict_json.h"

namespace lab {
namespace {

using attention::Config;
using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::SharedMatrix;
using Extents = std::vector<std::int64_t>;

const Tensor& require(const TensorFile& file, const char* name, const char* sides) {
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

void check_shape(const Tensor& tensor, const Extents& wanted, const char* sides) {
  if (tensor.shape != wanted)
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   ", it should be " + shape_text(wanted) + " (" + sides + ")");
}

// The matrix that is the `part`-th of equal parts of the tensor.
SharedMatrix matrix_part(const Tensor& tensor, Index part, Index rows, Index cols) {
  const float* begin = tensor.values.data() + part * rows * cols;
  return SharedMatrix(Matrix(Eigen::Map<const Matrix>(begin, rows, cols)));
}

// --- metadata

bool read_scale(const Metadata& metadata) {
  const auto at = metadata.find("scale");
  if (at == metadata.end() || at->second == "true") return true;
  if (at->second == "false") return false;
  throw BadInput("metadata scale is " + in_quotes(at->second) + ", it should be true or false");
}

float read_temperature(const Metadata& metadata) {
  const auto at = metadata.find("temperature");
  if (at == metadata.end()) return 1;
  const std::string& text = at->second;
  float value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size())
    throw BadInput("metadata temperature is " + in_quotes(text) + ", it should be a number");
  return value;
}

// The list of `count` strings in metadata `name`; the numbers from 0 when it is not there.
std::vector<std::string> read_labels(const Metadata& metadata, const char* name, Index count) {
  std::vector<std::string> labels;
  const auto at = metadata.find(name);
  if (at == metadata.end()) {
    for (Index i = 0; i < count; ++i) labels.push_back(std::to_string(i));
    return labels;
  }
  const std::string what = std::string("metadata ") + name;
  constexpr std::size_t kMostValues = 100'000;
  nlohmann::json list;
  try {
    list = parse_json(at->second, kMostValues);
  } catch (const BadInput& error) {
    throw BadInput(what + " is no JSON: " + error.what());
  }
  if (!list.is_array()) throw BadInput(what + " is " + json_text(list) + ", it should be a list");
  if (list.size() != static_cast<std::size_t>(count))
    throw BadInput(what + " has " + std::to_string(list.size()) + " strings, it should have " +
                   std::to_string(count) + ", one for each row");
  for (const nlohmann::json& label : list) {
    if (!label.is_string())
      throw BadInput(what + " holds " + json_text(label) + ", it should hold strings alone");
    labels.push_back(label.get<std::string>());
  }
  return labels;
}

// --- sizes

Config read_config(const TensorFile& file) {
  const Tensor& X = require(file, "X", "seq_len × d_model");
  const Tensor& W_Q = require(file, "W_Q", "n_heads × d_model × d_k");
  const Tensor& W_V = require(file, "W_V", "n_heads × d_model × d_v");
  const Tensor& W_O = require(file, "W_O", "n_heads·d_v × d_out");
  check_rank(X, 2, "seq_len × d_model");
  check_rank(W_Q, 3, "n_heads × d_model × d_k");
  check_rank(W_V, 3, "n_heads × d_model × d_v");
  check_rank(W_O, 2, "n_heads·d_v × d_out");
  // Sizes are below kMostElements wherever no dimension is 0, which validate() refuses.
  const auto size = [](std::int64_t value) {
    return static_cast<int>(std::min<std::int64_t>(value, kMostElements));
  };
  Config config;
  config.d_model = size(X.shape[1]);
  config.n_heads = size(W_Q.shape[0]);
  config.d_k = size(W_Q.shape[2]);
  config.d_v = size(W_V.shape[2]);
  config.d_out = size(W_O.shape[1]);
  config.scale = read_scale(file.metadata);
  config.temperature = read_temperature(file.metadata);
  attention::validate(config);
  return config;
}

void refuse_grouped_queries(const TensorFile& file, int n_heads) {
  for (const char* name : {"W_K", "W_V"}) {
    const Tensor* tensor = file.find(name);
    if (!tensor || tensor->shape.size() != 3 || tensor->shape[0] == n_heads) continue;
    throw BadInput("tensor " + in_quotes(name) + " is " + shape_text(tensor->shape) +
                   " but W_Q has " + std::to_string(n_heads) +
                   " heads; heads that share keys and values (grouped-query attention) are not "
                   "supported yet");
  }
}

// --- parameters

template <typename Head>
void read_bias(const TensorFile& file, const char* name, Index width, const char* sides,
               SharedMatrix Head::*bias, std::vector<Head>& heads) {
  const Tensor* tensor = file.find(name);
  if (!tensor) return;
  check_shape(*tensor, {static_cast<std::int64_t>(heads.size()), width}, sides);
  for (std::size_t h = 0; h < heads.size(); ++h)
    heads[h].*bias = matrix_part(*tensor, static_cast<Index>(h), 1, width);
}

attention::Parameters read_parameters(const TensorFile& file, const Config& config) {
  const Tensor& W_Q = require(file, "W_Q", "n_heads × d_model × d_k");
  const Tensor& W_K = require(file, "W_K", "n_heads × d_model × d_k");
  const Tensor& W_V = require(file, "W_V", "n_heads × d_model × d_v");
  const Tensor& W_O = require(file, "W_O", "n_heads·d_v × d_out");
  const int h = config.n_heads, d = config.d_model, d_k = config.d_k, d_v = config.d_v;
  refuse_grouped_queries(file, h);
  check_shape(W_Q, {h, d, d_k}, "n_heads × d_model × d_k");
  check_shape(W_K, {h, d, d_k}, "n_heads × d_model × d_k");
  check_shape(W_V, {h, d, d_v}, "n_heads × d_model × d_v");
  check_shape(W_O, {Index{h} * d_v, config.d_out}, "n_heads·d_v × d_out");
  attention::Parameters parameters;
  for (int i = 0; i < h; ++i) {
    parameters.heads.push_back({.W_Q = matrix_part(W_Q, i, d, d_k), .b_Q = {}});
    parameters.kv_heads.push_back({.W_K = matrix_part(W_K, i, d, d_k),
                                   .W_V = matrix_part(W_V, i, d, d_v),
                                   .b_K = {},
                                   .b_V = {}});
  }
  using attention::KeyValueParameters, attention::QueryParameters;
  read_bias(file, "b_Q", d_k, "n_heads × d_k", &QueryParameters::b_Q, parameters.heads);
  read_bias(file, "b_K", d_k, "n_heads × d_k", &KeyValueParameters::b_K, parameters.kv_heads);
  read_bias(file, "b_V", d_v, "n_heads × d_v", &KeyValueParameters::b_V, parameters.kv_heads);
  parameters.W_O = matrix_part(W_O, 0, Index{h} * d_v, config.d_out);
  if (const Tensor* b_O = file.find("b_O")) {
    check_shape(*b_O, {config.d_out}, "d_out");
    parameters.b_O = matrix_part(*b_O, 0, 1, config.d_out);
  }
  return parameters;
}

// --- mask and bias

bool is_causal(const Matrix& allowed) {
  if (allowed.rows() != allowed.cols()) return false;
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = 0; j < allowed.cols(); ++j)
      if ((allowed(i, j) != 0) != (j <= i)) return false;
  return true;
}

void read_mask(const TensorFile& file, attention::Problem& problem) {
  const Tensor* mask = file.find("mask");
  if (!mask) return;
  check_shape(*mask, {problem.seq_len(), problem.kv_len()}, "seq_len × kv_len");
  if (std::ranges::any_of(mask->values, [](float v) { return !(v == 0 || v == 1); }))
    throw BadInput(
        "tensor \"mask\" holds numbers other than 0 and 1; 1 may be attended to, 0 not (what is "
        "to be added to the scores is the tensor \"bias\")");
  if (std::ranges::all_of(mask->values, [](float v) { return v == 1; })) return;
  SharedMatrix allowed = matrix_part(*mask, 0, problem.seq_len(), problem.kv_len());
  if (is_causal(*allowed)) {
    problem.config.mask.causal = true;
  } else {
    problem.allowed = std::move(allowed);
  }
}

void read_score_bias(const TensorFile& file, attention::Problem& problem) {
  const Tensor* bias = file.find("bias");
  if (!bias) return;
  check_shape(*bias, {problem.seq_len(), problem.kv_len()}, "seq_len × kv_len");
  problem.bias = matrix_part(*bias, 0, problem.seq_len(), problem.kv_len());
}

// --- tokens

bool same_bits(const RowVector& a, const RowVector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

// Gives every token the name of its row: its text, or text@position where an equal word before it
// has another row. The rows go into the lexicon.
class KeyMaker {
 public:
  explicit KeyMaker(const std::vector<std::string>& texts) : taken_(texts.begin(), texts.end()) {}

  std::string key(const std::string& text, std::size_t position, const RowVector& row) {
    auto& known = entries_[text];
    for (const auto& entry : known)
      if (same_bits(entry->second, row)) return entry->first;
    std::string name = text;
    if (!known.empty()) {
      name += "@" + std::to_string(position);
      while (!taken_.insert(name).second) name += '@';
    }
    known.push_back(lexicon_.emplace(name, row).first);
    return name;
  }

  Lexicon take_lexicon() { return std::move(lexicon_); }

 private:
  std::set<std::string> taken_;
  std::unordered_map<std::string, std::vector<Lexicon::iterator>> entries_;  // by text
  Lexicon lexicon_;
};

void set_tokens(Document& document, const std::vector<std::string>& texts) {
  KeyMaker keys(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) document.sentence += ' ';
    document.sentence += texts[i];
    const RowVector row = document.problem.embedding->row(static_cast<Index>(i));
    document.tokens.push_back({texts[i], keys.key(texts[i], i, row)});
  }
  document.lexicon = std::make_shared<const Lexicon>(keys.take_lexicon());
}

void check_length(const char* name, std::int64_t length) {
  if (length < 1 || length > attention::Limits::kSeqLen)
    throw BadInput(std::string(name) + " is " + std::to_string(length) + ", it should be 1 … " +
                   std::to_string(attention::Limits::kSeqLen));
}

void read_inputs(const TensorFile& file, Document& document) {
  attention::Problem& problem = document.problem;
  const Tensor& X = require(file, "X", "seq_len × d_model");
  const Index d_model = problem.config.d_model;
  check_length("seq_len (rows of X)", X.shape[0]);
  problem.embedding = matrix_part(X, 0, X.shape[0], d_model);
  set_tokens(document, read_labels(file.metadata, "tokens", X.shape[0]));
  const Tensor* X_kv = file.find("X_kv");
  if (!X_kv) return;
  check_rank(*X_kv, 2, "kv_len × d_model");
  check_shape(*X_kv, {X_kv->shape[0], d_model}, "kv_len × d_model");
  check_length("kv_len (rows of X_kv)", X_kv->shape[0]);
  problem.embedding_kv = matrix_part(*X_kv, 0, X_kv->shape[0], d_model);
  document.kv_labels = read_labels(file.metadata, "kv_tokens", X_kv->shape[0]);
}

Document read(const TensorFile& file, std::string title) {
  Document document;
  document.title = std::move(title);
  document.problem.config = read_config(file);
  read_inputs(file, document);
  document.problem.parameters = read_parameters(file, document.problem.config);
  read_mask(file, document.problem);
  read_score_bias(file, document.problem);
  attention::validate(document.problem);
  return document;
}

}  // namespace

Expected<Document> document_from_tensors(const TensorFile& file, std::string title) {
  return guarded([&] { return read(file, std::move(title)); });
}

}  // namespace lab
