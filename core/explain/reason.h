#pragma once

#include <vector>

#include "core/problem.h"

namespace attention {

/// Why a number is not there.
enum class ReasonKind {
  kCausal,        ///< the key comes after the query
  kPadding,       ///< the key is none of the first `limit`
  kWindow,        ///< the key is `distance` away from the query, and it must be less than `limit`
  kForbidden,     ///< the mask given cell by cell forbids the pair
  kDropped,       ///< dropout takes the weight of the pair in `head`
  kMuted,         ///< `head` is muted
  kOthersSolo,    ///< others are solo and `head` is not
  kScaledByZero,  ///< `head` is multiplied by 0
};

/// One reason with the numbers it is about; those that its kind does not name are 0.
struct Reason {
  ReasonKind kind = ReasonKind::kCausal;
  Index query = 0, key = 0;  ///< from 0
  Index head = 0;            ///< from 0
  Index distance = 0, limit = 0;
  bool operator==(const Reason&) const = default;
};

/// Why query `row` may not look at key `col`: every rule, and the mask given cell by cell, that
/// forbids it; none when it may.
std::vector<Reason> reasons_masked(const Problem& problem, Index row, Index col);

/// Why dropout takes the weight of query `row` and key `col` in `head` (from 0); none when it
/// stays.
std::vector<Reason> reasons_dropped(const Problem& problem, Index head, Index row, Index col);

/// Why nothing of `head` (from 0) reaches concat; none when its gain is not 0.
std::vector<Reason> reasons_muted(const Problem& problem, Index head);

}  // namespace attention
