#pragma once

#include <memory>
#include <vector>

#include "app/document/token.h"
#include "core/problem.h"

namespace lab {

/// A token that is no longer in its sentence, but something belongs to it.
struct RemovedToken {
  Token token;
  attention::Index before = 0;  ///< the position of the token that it stood before; the number of
                                ///< tokens if it stood at the end
  bool operator==(const RemovedToken&) const = default;
};

/// A number for a pair of query and key.
struct PairCell {
  attention::Index row = 0, col = 0;
  float value = 0;

  /// Compares the value bit for bit.
  bool operator==(const PairCell& other) const {
    return row == other.row && col == other.col && attention::same_bits(value, other.value);
  }
};

/// What belongs to cells that do not exist at present, mostly because a token of theirs was removed
/// from the sentence; it returns with the token. Rows and columns that stand for tokens are indices
/// in the line of tokens (see token_line.h), in which every removed token has an index of its own
/// between those of the sentence.
struct Detached {
  std::vector<RemovedToken> queries;  ///< of the first sentence, in order
  std::vector<RemovedToken> keys;     ///< of the sentence that keys come from
  std::vector<PairCell> mask;         ///< cells of the painted mask other than 1, by row and column
  std::vector<PairCell> bias;         ///< cells of the score bias other than 0, by row and column
  std::vector<attention::Override> overrides;
  std::vector<attention::Override> switched_off = {};  ///< overrides that have no effect anyway

  /// True when nothing is detached. Removed tokens to which nothing belongs are not kept.
  bool empty() const {
    return mask.empty() && bias.empty() && overrides.empty() && switched_off.empty();
  }
  bool operator==(const Detached&) const = default;
};

/// A Detached that holds nothing, the same one every time.
std::shared_ptr<const Detached> nothing_detached();

}  // namespace lab
