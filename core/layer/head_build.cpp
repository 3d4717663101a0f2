#include "core/layer/head_build.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "core/matrix.h"

namespace attention {
namespace {

// A per-head matrix: its name, its members, and the shape for one head.
template <typename Head>
struct HeadMatrix {
  const char* name;
  SharedMatrix Head::*matrix;
  Shape shape;
  bool optional = false;
  const char* type_of_head = " of head_";

  std::string name_in(size_t head) const {
    return name + (type_of_head + std::to_string(head + 1));
  }
};

void require_shape(const std::string& name, const SharedMatrix& matrix, const Shape& expected) {
  if (matrix.shape() == expected) return;
  throw std::invalid_argument(name + " is " + shape_text(matrix->rows(), matrix->cols()) +
                              ", it must be " + shape_text(expected.rows, expected.cols));
}

// Empty when all are empty and may be; if only some are empty, their columns are zeros.
template <typename Head>
SharedMatrix joined(std::span<const Head> heads, const HeadMatrix<Head>& head_matrix) {
  const auto empty = [&](const Head& head) { return (head.*head_matrix.matrix).empty(); };
  if (head_matrix.optional && std::ranges::all_of(heads, empty)) return {};
  Matrix large = Matrix::Zero(head_matrix.shape.rows, std::ssize(heads) * head_matrix.shape.cols);
  for (size_t h = 0; h < heads.size(); ++h) {
    const SharedMatrix& one = heads[h].*head_matrix.matrix;
    if (head_matrix.optional && one.empty()) continue;
    require_shape(head_matrix.name_in(h), one, head_matrix.shape);
    large.middleCols(static_cast<Index>(h) * head_matrix.shape.cols, head_matrix.shape.cols) = *one;
  }
  return SharedMatrix(std::move(large));
}

template <typename Head>
void hand_out(const SharedMatrix& large, std::span<Head> heads,
              const HeadMatrix<Head>& head_matrix) {
  if (head_matrix.optional && large.empty()) return;
  const Index cols = head_matrix.shape.cols;
  require_shape(head_matrix.name, large, {head_matrix.shape.rows, std::ssize(heads) * cols});
  for (size_t h = 0; h < heads.size(); ++h) {
    heads[h].*head_matrix.matrix =
        SharedMatrix(large->middleCols(static_cast<Index>(h) * cols, cols));
  }
}

// The matrices that are joined and split.
struct HeadMatrices {
  HeadMatrix<QueryParameters> W_Q, b_Q, sink;
  HeadMatrix<KeyValueParameters> W_K, W_V, b_K, b_V;
};

HeadMatrices head_matrices(const Config& config) {
  using Q = QueryParameters;
  using KV = KeyValueParameters;
  const Index d_model = config.d_model, d_k = config.d_k, d_v = config.d_v;
  const char* const type = config.n_kv_heads == 0 ? " of head_" : " of key and value head_";
  return {.W_Q = {"W_Q", &Q::W_Q, {d_model, d_k}},
          .b_Q = {"b_Q", &Q::b_Q, {1, d_k}, true},
          .sink = {"sink", &Q::sink, {1, 1}, true},
          .W_K = {"W_K", &KV::W_K, {d_model, d_k}, false, type},
          .W_V = {"W_V", &KV::W_V, {d_model, d_v}, false, type},
          .b_K = {"b_K", &KV::b_K, {1, d_k}, true, type},
          .b_V = {"b_V", &KV::b_V, {1, d_v}, true, type}};
}

}  // namespace

JoinedParameters join(const Parameters& parameters, const Config& config) {
  validate(config);
  validate_head_counts(parameters, config);
  const HeadMatrices matrices = head_matrices(config);
  const std::span<const QueryParameters> heads = parameters.heads;
  const std::span<const KeyValueParameters> kv_heads = parameters.kv_heads;
  return {.W_Q = joined(heads, matrices.W_Q),
          .W_K = joined(kv_heads, matrices.W_K),
          .W_V = joined(kv_heads, matrices.W_V),
          .b_Q = joined(heads, matrices.b_Q),
          .b_K = joined(kv_heads, matrices.b_K),
          .b_V = joined(kv_heads, matrices.b_V),
          .W_O = parameters.W_O,
          .b_O = parameters.b_O,
          .gamma = parameters.gamma,
          .beta = parameters.beta,
          .norm_Q = parameters.norm_Q,
          .norm_K = parameters.norm_K,
          .sink = joined(heads, matrices.sink)};
}

Parameters split(const JoinedParameters& joined, const Config& config) {
  validate(config);
  const HeadMatrices matrices = head_matrices(config);
  Parameters parameters{
      .heads = std::vector<QueryParameters>(static_cast<size_t>(config.n_heads)),
      .kv_heads = std::vector<KeyValueParameters>(static_cast<size_t>(kv_head_count(config))),
      .W_O = joined.W_O,
      .b_O = joined.b_O,
      .gamma = joined.gamma,
      .beta = joined.beta,
      .norm_Q = joined.norm_Q,
      .norm_K = joined.norm_K};
  const std::span<QueryParameters> heads = parameters.heads;
  const std::span<KeyValueParameters> kv_heads = parameters.kv_heads;
  hand_out(joined.W_Q, heads, matrices.W_Q);
  hand_out(joined.b_Q, heads, matrices.b_Q);
  hand_out(joined.sink, heads, matrices.sink);
  hand_out(joined.W_K, kv_heads, matrices.W_K);
  hand_out(joined.W_V, kv_heads, matrices.W_V);
  hand_out(joined.b_K, kv_heads, matrices.b_K);
  hand_out(joined.b_V, kv_heads, matrices.b_V);
  return parameters;
}

bool can_split(const Config& config) {
  const auto split = split_config(config);
  return split && split->d_k == config.d_k && split->d_v == config.d_v;
}

std::optional<Config> split_config(const Config& config) {
  if (config.n_heads < 1 || config.d_model % config.n_heads != 0) return std::nullopt;
  Config result = config;
  result.d_k = result.d_v = config.d_model / config.n_heads;
  result.head_build = HeadBuild::kSplit;
  return result;
}

ParameterCounts parameter_counts(const Config& config) {
  const Index queries = Index{config.n_heads} * config.d_k;
  const Index keys = Index{kv_head_count(config)} * config.d_k;
  const Index values = Index{kv_head_count(config)} * config.d_v;
  ParameterCounts counts{.W_Q = config.d_model * queries,
                         .W_K = config.d_model * keys,
                         .W_V = config.d_model * values,
                         .W_O = Index{config.n_heads} * config.d_v * config.d_out};
  if (config.biases) {
    counts.b_Q = queries;
    counts.b_K = keys;
    counts.b_V = values;
    counts.b_O = config.d_out;
  }
  if (config.layer_norm) counts.gamma = counts.beta = config.d_out;
  if (config.sink) counts.sink = config.n_heads;
  if (config.head_norm) {
    counts.norm_Q = config.head_norm_joint ? queries : config.d_k;
    counts.norm_K = config.head_norm_joint ? keys : config.d_k;
  }
  return counts;
}

BuildCounts compare_builds(const Config& config) {
  BuildCounts counts{.split = std::nullopt, .separate = parameter_counts(config)};
  if (const auto split = split_config(config)) counts.split = parameter_counts(*split);
  return counts;
}

}  // namespace attention
