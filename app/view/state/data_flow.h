#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/view/state/selection.h"
#include "core/explain/explain.h"

// Which cells belong together: where a number comes from, and where it goes.

namespace lab::view {

/// Cells of one matrix that are lit up.
struct LitRegion {
  std::string_view matrix;    ///< as in attention::CellRef
  attention::Index head = 0;  ///< likewise
  CellBlock box;
};
using LitRegions = std::vector<LitRegion>;

/// The cells that `cell` of a stage is computed from, one step back: what attention::explain names
/// as its operands, as whole rows and columns; of a weight and of a normalised number the whole
/// row. None for an embedding and for what is no stage.
LitRegions source_regions(const attention::Problem& problem, const attention::CellRef& cell);

/// The cells that an embedding or a parameter goes into, one step on: W_Q(d, c) into column c of Q.
/// None for a stage that is computed. The head of W_K, W_V, b_K and b_V is the query head looked
/// at.
LitRegions fed_regions(const attention::Problem& problem, const attention::CellRef& cell);

/// The rows that belong to token `query` of the first sentence, in `head` where each has its own.
LitRegions token_regions(const attention::Problem& problem, attention::Index query,
                         attention::Index head);
/// What belongs to token `key` of the second sentence: its rows, and its column of the weights.
LitRegions key_regions(const attention::Problem& problem, attention::Index key,
                       attention::Index head);

/// The tokens that a cell of a stage is about.
struct CellTokens {
  std::optional<attention::Index> query;
  std::optional<attention::Index> key;
};

/// Row and column of `cell` as tokens; nothing for parameters.
CellTokens tokens_of(const attention::CellRef& cell);

}  // namespace lab::view
