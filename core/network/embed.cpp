#include "core/network/embed.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/network/product.h"
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

// Padding has the position before the first one, and is not counted.
void add_position_rows(const Embedding& embedding, std::span<const std::uint32_t> ids,
                       Matrix& rows) {
  if (!embedding.padding) {
    rows += embedding.positions.row_range(embedding.position_offset, rows.rows()).values();
    return;
  }
  RowVector position;
  Index next = embedding.position_offset;
  for (Index i = 0; i < rows.rows(); ++i) {
    const bool padding = ids[static_cast<std::size_t>(i)] == *embedding.padding;
    read_row(embedding.positions, padding ? embedding.position_offset - 1 : next++, position);
    rows.row(i) += position;
  }
}

}  // namespace

void check_tokens(const Embedding& embedding, std::span<const std::uint32_t> ids,
                  std::span<const std::uint32_t> types) {
  if (ids.empty()) throw std::invalid_argument("there are no tokens");
  for (const std::uint32_t id : ids) require_below("token id", id, embedding.tokens.rows());
  const Index n_types = std::max<Index>(1, embedding.types.rows());  // 0 where there are none
  for (const std::uint32_t type : types) require_below("token type", type, n_types);
  if (!types.empty() && types.size() != ids.size())
    throw std::invalid_argument(std::to_string(types.size()) + " token types for " +
                                std::to_string(ids.size()) + " tokens");
  const Index positions = embedding.positions.rows() - embedding.position_offset;
  if (!embedding.positions.empty() && static_cast<Index>(ids.size()) > positions)
    throw std::invalid_argument(std::to_string(ids.size()) + " tokens, but the network has only " +
                                std::to_string(positions) + " positions");
}

Matrix embed(const Embedding& embedding, std::span<const std::uint32_t> ids,
             std::span<const std::uint32_t> types, ThreadPool& pool) {
  Matrix rows = token_rows(embedding, ids);
  if (embedding.scale != 1) rows *= embedding.scale;
  if (embedding.projection) rows = project(rows, *embedding.projection, Precision::kSingle, pool);
  const Index n = rows.rows();
  if (!embedding.positions.empty()) add_position_rows(embedding, ids, rows);
  RowVector type;
  for (Index i = 0; i < n && !embedding.types.empty(); ++i) {
    read_row(embedding.types, types.empty() ? 0 : types[static_cast<std::size_t>(i)], type);
    rows.row(i) += type;
  }
  if (embedding.norm) normalise(*embedding.norm, rows);
  return rows;
}

}  // namespace attention::network
