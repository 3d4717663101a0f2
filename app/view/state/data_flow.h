#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/view/state/selection.h"
#include "core/explain/explain.h"

// Which cells belong together: where a number comes from, and where it is used.

namespace lab::view {

/// Highlighted cells of one matrix.
struct HighlightRegion {
  std::string_view matrix;    ///< as in attention::CellRef
  attention::Index head = 0;  ///< likewise
  CellBlock box;
};
using HighlightRegions = std::vector<HighlightRegion>;

/// The cells that `cell` of a stage is computed from, one step back: the operands that
/// attention::explain names, as whole rows and columns; for a weight and a normalised number, the
/// whole row. Empty for an embedding and for anything that is not a stage.
HighlightRegions source_regions(const attention::Problem& problem, const attention::CellRef& cell);

/// The cells that an embedding or a parameter is used in, one step on: W_Q(d, c) in column c of Q.
/// Empty for a computed stage. The head of W_K, W_V, b_K and b_V is the query head being viewed.
HighlightRegions fed_regions(const attention::Problem& problem, const attention::CellRef& cell);

/// The rows that belong to token `query` of the first sentence; of `head` for per-head stages.
HighlightRegions token_regions(const attention::Problem& problem, attention::Index query,
                               attention::Index head);
/// The cells that belong to token `key` of the second sentence: its rows, and its column of the
/// weights.
HighlightRegions key_regions(const attention::Problem& problem, attention::Index key,
                             attention::Index head);

/// The tokens that a cell of a stage refers to.
struct CellTokens {
  std::optional<attention::Index> query;
  std::optional<attention::Index> key;
};

/// Row and column of `cell` as tokens; nothing for parameters.
CellTokens tokens_of(const attention::CellRef& cell);

}  // namespace lab::view
