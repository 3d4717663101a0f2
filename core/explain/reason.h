#pragma once

#include <vector>

#include "core/problem.h"

namespace attention {

/// Why a number is masked, dropped or muted.
enum class ReasonType {
  kCausal,        ///< the key comes after the query
  kPadding,       ///< the key is not among the first `limit`
  kWindow,        ///< the key is `distance` away from the query, which must be less than `limit`
  kForbidden,     ///< the mask given cell by cell forbids the pair
  kDropped,       ///< dropout removes the weight of the pair in `head`
  kMuted,         ///< `head` is muted
  kOthersSolo,    ///< other heads are solo and `head` is not
  kScaledByZero,  ///< `head` is multiplied by 0
};

/// One reason and its numbers; those that its type does not mention are 0.
struct Reason {
  ReasonType type = ReasonType::kCausal;
  Index query = 0, key = 0;  ///< from 0
  Index head = 0;            ///< from 0
  Index distance = 0, limit = 0;
  bool operator==(const Reason&) const = default;
};

/// Why query `row` may not attend to key `col`: every rule that forbids it, and the mask given cell
/// by cell if it does; empty when nothing does.
std::vector<Reason> reasons_masked(const Problem& problem, Index row, Index col);

/// Why dropout removes the weight of query `row` and key `col` in `head` (from 0); empty when it
/// does not.
std::vector<Reason> reasons_dropped(const Problem& problem, Index head, Index row, Index col);

/// Why nothing of `head` (from 0) reaches concat; empty when its gain is not 0.
std::vector<Reason> reasons_muted(const Problem& problem, Index head);

}  // namespace attention
