#include "core/network/latent_input.h"

#include <utility>

#include "core/network/attention_pass.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

void compress(const CompressedRow& row, const MatrixView& rows, Precision precision,
              ThreadPool& pool, MatrixSlot result) {
  project(rows, row.down, precision, pool, result);
  normalise(row.norm, result.leftCols(row.rank), pool);
}

}  // namespace

std::optional<InputParts> input_parts(const Attention& attention) {
  if (!attention.latent) return std::nullopt;
  const CompressedRow& key_value = attention.latent->key_value;
  return InputParts{attention.projections[attention.query.projection].W.rows(), key_value.rank,
                    attention.shared_key_features(), attention.latent->query.has_value()};
}

Index input_width(const Attention& attention) {
  const Index of_queries = attention.projections[attention.query.projection].W.rows();
  return attention.latent ? of_queries + attention.latent->key_value.down.W.cols() : of_queries;
}

InputColumns input_columns(const Attention& attention, std::size_t projection) {
  const Index count = attention.projections[projection].W.rows();
  const bool compressed = attention.latent && projection != attention.query.projection;
  return {compressed ? input_parts(attention)->query : 0, count};
}

Matrix latent_input(const Attention& attention, const MatrixView& rows, ThreadPool& pool) {
  const auto& [query, key_value] = *attention.latent;
  const Precision precision = precision_of(attention);
  const Index of_queries = input_parts(attention)->query;
  Matrix X(rows.rows(), input_width(attention));
  if (query)
    compress(*query, rows, precision, pool, X.leftCols(of_queries));
  else
    X.leftCols(of_queries) = rows;
  compress(key_value, rows, precision, pool, X.rightCols(X.cols() - of_queries));
  return X;
}

Matrix attention_input(const Attention& attention, Matrix rows, ThreadPool& pool) {
  return attention.latent ? latent_input(attention, rows, pool) : std::move(rows);
}

}  // namespace attention::network
