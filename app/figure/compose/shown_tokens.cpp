#include "app/figure/compose/shown_tokens.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "app/document/words/paired_tokens.h"

namespace lab::figure {
namespace {

using attention::Index;
using Positions = std::vector<Index>;

std::optional<Positions> unless_all(const Positions& chosen) {
  return chosen.empty() ? std::nullopt : std::optional<Positions>(chosen);
}

std::optional<Index> index_among(const std::optional<Positions>& shown, Index position) {
  if (!shown) return position;
  const auto found = std::ranges::find(*shown, position);
  return found == shown->end() ? std::nullopt : std::optional<Index>(found - shown->begin());
}

void check_positions(const Positions& chosen, Index count) {
  for (const Index position : chosen)
    if (position < 0 || position >= count)
      throw std::out_of_range("There is no token " + std::to_string(position) +
                              ": the sentence has " + std::to_string(count) + ".");
}

// The names of the same tokens of A.
std::vector<TokenName> names_in_a(std::vector<TokenName> names, const PairedTokens& pairs) {
  for (TokenName& name : names)
    name.position =
        pairs.in_a(name.second ? attention::Axis::kKeys : attention::Axis::kQueries, name.position);
  return names;
}

void rename(Document& document, const std::vector<TokenName>& names) {
  for (const TokenName& name : names) {
    std::vector<Token>& tokens = name.second ? document.kv_tokens : document.tokens;
    if (name.position >= 0 && name.position < std::ssize(tokens))
      tokens[static_cast<std::size_t>(name.position)].text = name.text;
  }
}

}  // namespace

attention::SharedMatrix ShownCells::of(const attention::SharedMatrix& values) const {
  if (!rows && !columns) return values;
  const Positions i = shown_positions(rows.value_or(Positions()), values->rows());
  const Positions j = shown_positions(columns.value_or(Positions()), values->cols());
  return attention::SharedMatrix(attention::Matrix((*values)(i, j)));
}

std::optional<attention::CellRef> ShownCells::shown_cell(attention::CellRef cell) const {
  const auto row = index_among(rows, cell.row), column = index_among(columns, cell.col);
  if (!row || !column) return std::nullopt;
  cell.row = *row, cell.col = *column;
  return cell;
}

ShownCells shown_cells(const FigureOptions& options, attention::Stage stage) {
  const bool of_keys = attention::has_key_rows(stage);
  ShownCells cells{unless_all(of_keys ? options.keys : options.queries), std::nullopt};
  if (attention::has_key_columns(stage)) cells.columns = unless_all(options.keys);
  return cells;
}

Positions shown_positions(const Positions& chosen, Index count) {
  if (!chosen.empty()) return chosen;
  Positions all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void check_tokens(const FigureSource& source) {
  check_positions(source.options.queries, source.document.problem.seq_len());
  check_positions(source.options.keys, source.document.problem.kv_len());
}

RenamedTokens::RenamedTokens(const Document& document, const FigureOptions& options,
                             const Snapshot* kept)
    : document_(document) {
  rename(document_, options.names);
  if (kept == nullptr) return;
  kept_ = *kept;
  rename(kept_->document, names_in_a(options.names, paired_tokens(kept->document, document)));
}

}  // namespace lab::figure
