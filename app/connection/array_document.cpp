#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/base/bad_input.h"
#include "app/connection/array_spec.h"
#include "app/files/problem/attention_file.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/problem_metadata.h"
#include "app/files/tensors/elements.h"
#include "app/files/tensors/safetensors_header.h"

// Documents are made by the readers of files: arrays of a program are tensors like those of a file.

namespace lab::connection {
namespace {

using files::Tensor;
using files::TensorFile;

Tensor take(TensorFile& arrays, const char* name, std::size_t rank, const char* shape) {
  const auto found = std::ranges::find(arrays.tensors, name, &Tensor::name);
  if (found == arrays.tensors.end())
    throw BadInput("the array " + std::string(name) + " is missing");
  if (found->shape.size() != rank || found->values.empty())
    throw BadInput("the array " + std::string(name) + " is " + files::shape_text(found->shape) +
                   "; it should be " + shape);
  return std::move(*found);
}

void put(TensorFile& problem, Tensor tensor, const char* name) {
  tensor.name = name;
  problem.tensors.push_back(std::move(tensor));
}

void add_texts(const std::optional<TextLists>& texts, const char* name, TensorFile& file) {
  if (!texts) return;
  file.metadata[name] =
      texts->size() == 1 ? files::labels_text(texts->front()) : files::labels_text(*texts);
}

// --- masks

// So far below 0 that softmax gives exactly 0, as frameworks write what is forbidden.
bool forbids(float value) { return value < -1e30f; }

bool only_forbids(const Tensor& mask) {
  return std::ranges::all_of(mask.values, [](float value) { return value == 0 || forbids(value); });
}

bool is_added(const files::SafetensorsHeader& header) {
  const auto found = std::ranges::find(header.entries, "mask", &files::SafetensorsEntry::name);
  return found != header.entries.end() && found->type >= files::ElementType::kF16;
}

// Called "bias", or changed to what is allowed.
void name_added_mask(TensorFile& arrays) {
  Tensor& mask = *std::ranges::find(arrays.tensors, "mask", &Tensor::name);
  if (!only_forbids(mask)) return void(mask.name = "bias");
  for (float& value : mask.values) value = forbids(value) ? 0.0f : 1.0f;
}

// A mask of each sentence of a batch has three dimensions.
void add_mask(TensorFile& arrays, TensorFile& problem) {
  for (const char* name : {"mask", "bias"})
    if (const Tensor* mask = arrays.find(name)) {
      const bool of_batch = problem.find("X")->shape.size() == 3 && mask->shape.size() == 3;
      put(problem, take(arrays, name, of_batch ? 3 : 2, "queries × keys"), name);
    }
}

// --- q, k, v: X is the identity, so that Q is W_Q

Tensor identity(std::int64_t rows, std::int64_t cols, float value = 1) {
  Tensor tensor{{}, {rows, cols}, std::vector<float>(static_cast<std::size_t>(rows * cols))};
  for (std::int64_t i = 0; i < std::min(rows, cols); ++i)
    tensor.values[static_cast<std::size_t>(i * cols + i)] = value;
  return tensor;
}

// The heads with rows of zeros below, up to `rows`.
Tensor padded(Tensor tensor, std::int64_t rows) {
  const std::int64_t heads = tensor.shape[0], given_rows = tensor.shape[1], cols = tensor.shape[2];
  if (given_rows == rows) return tensor;
  Tensor wide{
      {}, {heads, rows, cols}, std::vector<float>(static_cast<std::size_t>(heads * rows * cols))};
  for (std::int64_t h = 0; h < heads; ++h)
    std::copy_n(tensor.values.begin() + h * given_rows * cols, given_rows * cols,
                wide.values.begin() + h * rows * cols);
  return wide;
}

// The output is the mean of the heads.
Tensor mean_of_heads(std::int64_t heads, std::int64_t d_v) {
  Tensor tensor{{}, {heads * d_v, d_v}, {}};
  const Tensor one = identity(d_v, d_v, 1 / static_cast<float>(heads));
  for (std::int64_t h = 0; h < heads; ++h)
    tensor.values.insert(tensor.values.end(), one.values.begin(), one.values.end());
  return tensor;
}

void check_sizes(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto text = [](const Tensor& tensor) { return files::shape_text(tensor.shape); };
  if (k.shape[2] != q.shape[2])
    throw BadInput("q is " + text(q) + " and k is " + text(k) +
                   "; their last sizes should be equal");
  if (v.shape[0] != k.shape[0] || v.shape[1] != k.shape[1])
    throw BadInput("k is " + text(k) + " and v is " + text(v) +
                   "; they should have as many heads and keys");
  if (q.shape[0] % k.shape[0] != 0)
    throw BadInput("q is " + text(q) + " and k is " + text(k) +
                   "; the heads of k should divide those of q");
  if (std::max(q.shape[1], k.shape[1]) > attention::Limits::kSeqLen)
    throw BadInput("q is " + text(q) + " and k is " + text(k) + "; at most " +
                   std::to_string(attention::Limits::kSeqLen) + " tokens can be shown");
}

Document queries_and_keys(const ArraySpec& spec, TensorFile arrays,
                          std::vector<std::string>& notes) {
  Tensor q = take(arrays, "q", 3, "n_heads × queries × d_k");
  Tensor k = take(arrays, "k", 3, "n_heads × keys × d_k");
  Tensor v = take(arrays, "v", 3, "n_heads × keys × d_v");
  check_sizes(q, k, v);
  const std::int64_t queries = q.shape[1], keys = k.shape[1], heads = q.shape[0], d_v = v.shape[2];
  const bool cross = queries != keys || spec.key_tokens;
  const std::int64_t width = std::max(queries, keys);
  TensorFile problem{{}, arrays.metadata};
  put(problem, identity(queries, width), "X");
  if (cross) put(problem, identity(keys, width), "X_kv");
  put(problem, padded(std::move(q), width), "W_Q");
  put(problem, padded(std::move(k), width), "W_K");
  put(problem, padded(std::move(v), width), "W_V");
  put(problem, mean_of_heads(heads, d_v), "W_O");
  add_mask(arrays, problem);
  notes.emplace_back(
      "X is the identity, so that Q, K and V are the arrays; the output is the mean of the heads");
  return value_or_bad_input(files::document_from_tensors(problem, spec.title));
}

// --- a layer

constexpr std::array<std::pair<const char*, const char*>, 10> kLayerArrays = {{{"x", "X"},
                                                                               {"x_kv", "X_kv"},
                                                                               {"w_q", "W_Q"},
                                                                               {"w_k", "W_K"},
                                                                               {"w_v", "W_V"},
                                                                               {"w_o", "W_O"},
                                                                               {"b_q", "b_Q"},
                                                                               {"b_k", "b_K"},
                                                                               {"b_v", "b_V"},
                                                                               {"b_o", "b_O"}}};

Document whole_layer(const ArraySpec& spec, TensorFile arrays) {
  TensorFile problem{{}, arrays.metadata};
  for (const auto& [name, stored_name] : kLayerArrays) {
    const auto found = std::ranges::find(arrays.tensors, name, &Tensor::name);
    if (found == arrays.tensors.end()) continue;
    put(problem, std::move(*found), stored_name);
  }
  add_mask(arrays, problem);
  return value_or_bad_input(files::document_from_tensors(problem, spec.title));
}

// --- ready weights

Document ready_weights(const ArraySpec& spec, const TensorFile& arrays, int layer,
                       std::vector<std::string>& notes) {
  if (!files::holds_attention(arrays))
    throw BadInput("the array weights is missing, or not n_heads × queries × keys");
  const bool all = layers_in(spec, arrays) > 1;
  const files::MultiheadChoice choice{std::nullopt, all ? std::to_string(layer + 1) : ""};
  return value_or_bad_input(files::document_from_attention(arrays, spec.title, choice, notes));
}

// As in trained models.
void name_heads(int layer, Document& document) {
  for (int head = 0; head < document.problem.config.n_heads; ++head)
    document.head_names.push_back("L" + std::to_string(layer) + "H" + std::to_string(head));
}

Document read_arrays(const ArraySpec& spec, const TensorFile& arrays, int layer,
                     std::vector<std::string>& notes) {
  switch (spec.type) {
    case ArrayType::kQueriesKeys:
      return queries_and_keys(spec, arrays, notes);
    case ArrayType::kLayer:
      return whole_layer(spec, arrays);
    default:
      return ready_weights(spec, arrays, layer, notes);
  }
}

}  // namespace

int layers_in(const ArraySpec& spec, const files::TensorFile& arrays) {
  const Tensor* weights = arrays.find("weights");
  const bool all = spec.type == ArrayType::kWeights && weights && weights->shape.size() == 4;
  return all ? static_cast<int>(std::min<std::int64_t>(weights->shape[0], 1 << 20)) : 1;
}

Expected<TensorFile> read_arrays(const ArraySpec& spec, std::string_view safetensors) {
  auto arrays = files::read_safetensors(safetensors);
  if (!arrays) return arrays;
  if (spec.type == ArrayType::kWeights)
    std::erase_if(arrays->tensors, [](const Tensor& tensor) { return tensor.name != "weights"; });
  std::erase_if(arrays->tensors, [](const Tensor& tensor) { return tensor.name == "bias"; });
  if (arrays->find("mask") != nullptr &&
      is_added(files::read_safetensors_header(safetensors, files::kMostElements)))
    name_added_mask(*arrays);
  arrays->metadata.clear();
  add_texts(spec.tokens, "tokens", *arrays);
  add_texts(spec.key_tokens, "kv_tokens", *arrays);
  return arrays;
}

Expected<Document> document_of_arrays(const ArraySpec& spec, const files::TensorFile& arrays,
                                      int layer, std::vector<std::string>& notes) {
  return guarded([&] {
    Document document = read_arrays(spec, arrays, layer, notes);
    document.title = spec.title;
    if (spec.layers > 1) name_heads(layer, document);
    return document;
  });
}

}  // namespace lab::connection
