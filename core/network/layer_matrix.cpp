#include "core/network/layer_matrix.h"

#include "core/network/row_functions.h"

namespace attention::network {
namespace {

bool is_output(MatrixId id) { return id == MatrixId::kWO || id == MatrixId::kBO; }

bool is_bias(MatrixId id) {
  return id == MatrixId::kBQ || id == MatrixId::kBK || id == MatrixId::kBV || id == MatrixId::kBO;
}

// The norm whose weights a matrix holds; null for other matrices, and where there is no norm.
template <typename AttentionLike>
auto norm_of(AttentionLike& attention, MatrixId id) -> decltype(&*attention.query_norm) {
  if (id != MatrixId::kNormQ && id != MatrixId::kNormK) return nullptr;
  auto& norm = id == MatrixId::kNormQ ? attention.query_norm : attention.key_norm;
  return norm ? &*norm : nullptr;
}

// Where the heads of Q, K or V stand.
const HeadColumns& columns_of(const Attention& attention, MatrixId id) {
  if (id == MatrixId::kWQ || id == MatrixId::kBQ) return attention.query;
  return id == MatrixId::kWK || id == MatrixId::kBK ? attention.key : attention.value;
}

// The linear map that a matrix is a part of, and its first column there.
template <typename AttentionLike>
auto slice_of(AttentionLike& attention, MatrixId id, Index head) {
  struct Slice {
    decltype((attention.output)) linear;
    Index first;
  };
  if (is_output(id)) return Slice{attention.output, 0};
  const HeadColumns& columns = columns_of(attention, id);
  return Slice{attention.projections[columns.projection], columns.of_head(head)};
}

}  // namespace

Index layer_matrix_count(const Attention& attention, MatrixId id) {
  switch (id) {
    case MatrixId::kWQ:
    case MatrixId::kBQ:
      return attention.n_heads;
    case MatrixId::kWK:
    case MatrixId::kWV:
    case MatrixId::kBK:
    case MatrixId::kBV:
      return attention.n_kv_heads;
    case MatrixId::kWO:
    case MatrixId::kBO:
      return 1;
    default:
      return norm_of(attention, id) == nullptr ? 0 : 1;
  }
}

Shape layer_matrix_shape(const Attention& attention, MatrixId id) {
  if (norm_of(attention, id) != nullptr) {
    const Index heads = id == MatrixId::kNormQ ? attention.n_heads : attention.n_kv_heads;
    return {1, (attention.norms_of_all_heads ? heads : 1) * attention.head_dim};
  }
  const Linear& linear = slice_of(attention, id, 0).linear;
  return {is_bias(id) ? 1 : linear.W.rows(), is_output(id) ? linear.W.cols() : attention.head_dim};
}

StoredMatrix layer_matrix(const Attention& attention, MatrixId id, Index head) {
  if (layer_matrix_count(attention, id) == 0) return {};
  if (const Norm* const norm = norm_of(attention, id))
    return norm->weight_plus_one ? StoredMatrix(SharedMatrix(norm_weight(*norm))) : norm->weight;
  const auto [linear, first] = slice_of(attention, id, head);
  const StoredMatrix& stored = is_bias(id) ? linear.b : linear.W;
  return stored.empty() ? stored : stored.columns(first, layer_matrix_shape(attention, id).cols);
}

Matrix layer_matrix_values(const Attention& attention, MatrixId id, Index head) {
  const StoredMatrix stored = layer_matrix(attention, id, head);
  if (!stored.empty()) return stored.values();
  const Shape shape = layer_matrix_shape(attention, id);
  return Matrix::Constant(shape.rows, shape.cols, absent_value(id));
}

void set_layer_matrix(Attention& attention, MatrixId id, Index head, const Matrix& values) {
  if (Norm* const norm = norm_of(attention, id)) {
    norm->weight = StoredMatrix(SharedMatrix(values));
    norm->weight_plus_one = false;
    return;
  }
  const auto [linear, first] = slice_of(attention, id, head);
  StoredMatrix& stored = is_bias(id) ? linear.b : linear.W;
  Matrix all = stored.empty() ? Matrix::Zero(1, linear.W.cols()) : stored.values();
  all.middleCols(first, values.cols()) = values;
  stored = StoredMatrix(SharedMatrix(std::move(all)));
}

}  // namespace attention::network
