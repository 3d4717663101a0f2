#include "core/network/generation/token_rows.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/network/row_functions.h"

namespace attention::network {
namespace {

void require_below(const char* what, std::uint32_t number, Index count) {
  if (static_cast<Index>(number) < count) return;
  throw std::invalid_argument("there is no " + std::string(what) + " " + std::to_string(number) +
                              "; the last is " + std::to_string(count - 1));
}

void read_row(const StoredMatrix& table, Index row, RowVector& result) {
  result.resize(table.cols());
  table.row_range(row, 1).read(result);
}

Matrix token_rows(const Embedding& embedding, std::span<const std::uint32_t> ids) {
  Matrix rows(static_cast<Index>(ids.size()), embedding.tokens.cols());
  for (Index i = 0; i < rows.rows(); ++i)
    embedding.tokens.row_range(ids[static_cast<std::size_t>(i)], 1).read(rows.row(i));
  return rows;
}

// To the rows of the tokens from `first` on. Padding has the position before the first one, and is
// not counted.
void add_position_rows(const Embedding& embedding, std::span<const std::uint32_t> ids, Index first,
                       Matrix& rows) {
  if (!embedding.padding) {
    rows += embedding.positions.row_range(embedding.position_offset + first, rows.rows()).values();
    return;
  }
  RowVector position;
  const auto before = ids.first(static_cast<std::size_t>(first));
  Index next = embedding.position_offset + first -
               std::count(before.begin(), before.end(), *embedding.padding);
  for (Index i = 0; i < rows.rows(); ++i) {
    const bool padding = ids[static_cast<std::size_t>(first + i)] == *embedding.padding;
    read_row(embedding.positions, padding ? embedding.position_offset - 1 : next++, position);
    rows.row(i) += position;
  }
}

void check_tokens(const Embedding& embedding, std::span<const std::uint32_t> ids,
                  std::span<const std::uint32_t> types) {
  if (ids.empty()) throw std::invalid_argument("there are no tokens");
  for (const std::uint32_t id : ids) require_below("token id", id, embedding.tokens.rows());
  const Index n_types = std::max<Index>(1, embedding.types.rows());  // 0 where there are none
  for (const std::uint32_t type : types) require_below("token type", type, n_types);
  if (!types.empty() && types.size() != ids.size())
    throw std::invalid_argument(std::to_string(types.size()) + " token types for " +
                                std::to_string(ids.size()) + " tokens");
  const Index positions = embedding.most_tokens();
  if (positions > 0 && static_cast<Index>(ids.size()) > positions)
    throw std::invalid_argument(std::to_string(ids.size()) + " tokens, but the network has only " +
                                std::to_string(positions) + " positions");
}

}  // namespace

void check_tokens(const Network& network, const Tokens& tokens) {
  check_tokens(network.stack.embedding, tokens.ids, tokens.types);
  if (network.encoder) check_tokens(network.encoder->embedding, tokens.encoder_ids, {});
}

Matrix embed(const Embedding& embedding, std::span<const std::uint32_t> ids,
             std::span<const std::uint32_t> types, Index first, ThreadPool& pool) {
  Matrix rows = token_rows(embedding, ids.subspan(static_cast<std::size_t>(first)));
  if (embedding.scale != 1) rows *= embedding.scale;
  const auto widen = [&](bool last) {
    if (embedding.projection && embedding.projected_last == last)
      rows = project(rows, *embedding.projection, Precision::kSingle, pool);
  };
  widen(false);
  const Index n = rows.rows();
  if (!embedding.positions.empty()) add_position_rows(embedding, ids, first, rows);
  RowVector type;
  for (Index i = 0; i < n && !embedding.types.empty(); ++i) {
    read_row(embedding.types, types.empty() ? 0 : types[static_cast<std::size_t>(first + i)], type);
    rows.row(i) += type;
  }
  if (embedding.norm && !embedding.normed_last) normalise(*embedding.norm, rows);
  widen(true);
  if (embedding.norm && embedding.normed_last) normalise(*embedding.norm, rows);
  return rows;
}

Matrix embed_layer_inputs(const LayerInputs& inputs, std::span<const std::uint32_t> ids,
                          Index first, const MatrixView& rows, ThreadPool& pool) {
  Matrix result = projected_layer_inputs(inputs, rows, pool);
  RowVector token;
  for (Index i = 0; i < result.rows(); ++i) {
    read_row(inputs.tokens, ids[static_cast<std::size_t>(first + i)], token);
    result.row(i) += token * inputs.scale;
  }
  result *= inputs.factor;
  return result;
}

void replace_in_stream(const Interventions& interventions, const LayerId& at, Index first_row,
                       Matrix& rows) {
  for (const StreamOverride& override : interventions.stream)
    if (override.at == at && override.row >= first_row)
      rows(override.row - first_row, override.col) = override.value;
}

}  // namespace attention::network
