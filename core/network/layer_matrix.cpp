#include "core/network/layer_matrix.h"

#include <stdexcept>
#include <string>

#include "core/network/latent_input.h"
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

// The columns of a head in what is stored; in keys without those that all heads share.
Index stored_columns(const Attention& attention, MatrixId id) {
  if (is_output(id)) return attention.output.W.cols();
  if (id == MatrixId::kWV || id == MatrixId::kBV) return attention.d_v();
  return id == MatrixId::kWK || id == MatrixId::kBK ? attention.projected_key_features()
                                                    : attention.head_dim;
}

// The numbers that are stored of a matrix that is a part of a linear map.
StoredMatrix stored_part(const Attention& attention, MatrixId id, Index head) {
  const auto [linear, first] = slice_of(attention, id, head);
  const StoredMatrix& stored = is_bias(id) ? linear.b : linear.W;
  return stored.empty() ? stored : stored.columns(first, stored_columns(attention, id));
}

// True for matrices that are more than what is stored of them.
bool is_padded(const Attention& attention, MatrixId id) {
  return attention.latent &&
         (id == MatrixId::kWQ || id == MatrixId::kWK || id == MatrixId::kWV || id == MatrixId::kBK);
}

// The first row of what is stored in such a matrix.
Index first_stored_row(const Attention& attention, MatrixId id) {
  if (is_bias(id)) return 0;
  return input_columns(attention, columns_of(attention, id).projection).first;
}

// Such a matrix from what is stored of it: zeros around it, and a copy of what all keys share.
Matrix padded(const Attention& attention, MatrixId id, const Matrix& stored) {
  const Shape shape = layer_matrix_shape(attention, id);
  Matrix all = Matrix::Zero(shape.rows, shape.cols);
  all.block(first_stored_row(attention, id), 0, stored.rows(), stored.cols()) = stored;
  const Index shared = attention.shared_key_features();
  if (id == MatrixId::kWK) all.bottomRightCorner(shared, shared).setIdentity();
  return all;
}

// What is stored of such a matrix.
Matrix without_padding(const Attention& attention, MatrixId id, const Matrix& values) {
  const Linear& linear = slice_of(attention, id, 0).linear;
  Matrix stored = values.block(first_stored_row(attention, id), 0,
                               is_bias(id) ? 1 : linear.W.rows(), stored_columns(attention, id));
  const Matrix expected = padded(attention, id, stored);
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!same_bits(values(i, j), expected(i, j)))
        throw std::invalid_argument(
            std::string(matrix_name(id)) + "[" + std::to_string(i) + ", " + std::to_string(j) +
            "] is " + (expected(i, j) == 0 ? "0" : "1") +
            " in latent attention and cannot be changed: " +
            (j >= stored.cols() ? "the rotary part of the keys is copied from X"
                                : std::string(matrix_name(id)) + " reads only its part of X"));
  return stored;
}

}  // namespace

std::string matrix_of_other_layer(const Attention& attention, MatrixId id) {
  if (!attention.key_layer || !(is_per_kv_head(id) || id == MatrixId::kNormK)) return {};
  const std::string layer = "layer " + std::to_string(*attention.key_layer);
  return std::string(matrix_name(id)) + " is that of " + layer +
         ", whose keys and values this layer uses: edit it there";
}

Index layer_matrix_count(const Attention& attention, MatrixId id) {
  if (attention.key_layer && is_per_kv_head(id)) return 0;
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
    case MatrixId::kSink:
      return attention.sinks.cols();
    default:
      return norm_of(attention, id) == nullptr ? 0 : 1;
  }
}

Shape layer_matrix_shape(const Attention& attention, MatrixId id) {
  if (id == MatrixId::kSink) return {1, 1};
  if (norm_of(attention, id) != nullptr) {
    const Index heads = id == MatrixId::kNormQ ? attention.n_heads : attention.n_kv_heads;
    return {1, (attention.norms_of_all_heads ? heads : 1) * attention.head_dim};
  }
  const Linear& linear = slice_of(attention, id, 0).linear;
  const bool all_of_X = attention.latent && !is_output(id);
  const Index rows = all_of_X ? input_width(attention) : linear.W.rows();
  const bool of_values = id == MatrixId::kWV || id == MatrixId::kBV;
  return {is_bias(id) ? 1 : rows, is_output(id) ? linear.W.cols()
                                  : of_values   ? attention.d_v()
                                                : attention.head_dim};
}

StoredMatrix layer_matrix(const Attention& attention, MatrixId id, Index head) {
  if (layer_matrix_count(attention, id) == 0) return {};
  if (id == MatrixId::kSink) return attention.sinks.columns(head, 1);
  if (const Norm* const norm = norm_of(attention, id))
    return norm->weight_plus_one ? StoredMatrix(SharedMatrix(norm_weight(*norm))) : norm->weight;
  StoredMatrix stored = stored_part(attention, id, head);
  if (stored.empty() || !is_padded(attention, id)) return stored;
  return StoredMatrix(SharedMatrix(padded(attention, id, stored.values())));
}

bool same_layer_matrix(const Attention& a, const Attention& b, MatrixId id, Index head) {
  if (is_padded(a, id)) return stored_part(a, id, head) == stored_part(b, id, head);
  return layer_matrix(a, id, head) == layer_matrix(b, id, head);
}

Matrix layer_matrix_values(const Attention& attention, MatrixId id, Index head) {
  const StoredMatrix stored = layer_matrix(attention, id, head);
  if (!stored.empty()) return stored.values();
  const Shape shape = layer_matrix_shape(attention, id);
  return Matrix::Constant(shape.rows, shape.cols, absent_value(id));
}

void set_layer_matrix(Attention& attention, MatrixId id, Index head, const Matrix& values) {
  if (id == MatrixId::kSink) {
    Matrix all = attention.sinks.values();
    all(0, head) = values(0, 0);
    attention.sinks = StoredMatrix(SharedMatrix(std::move(all)));
    return;
  }
  if (Norm* const norm = norm_of(attention, id)) {
    norm->weight = StoredMatrix(SharedMatrix(values));
    norm->weight_plus_one = false;
    return;
  }
  const Matrix part = is_padded(attention, id) ? without_padding(attention, id, values) : values;
  const auto [linear, first] = slice_of(attention, id, head);
  StoredMatrix& stored = is_bias(id) ? linear.b : linear.W;
  Matrix all = stored.empty() ? Matrix::Zero(1, linear.W.cols()) : stored.values();
  all.middleCols(first, part.cols()) = part;
  stored = StoredMatrix(SharedMatrix(std::move(all)));
}

}  // namespace attention::network
