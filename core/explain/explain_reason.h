#pragma once

#include <string>

#include "core/problem.h"

namespace attention {

/// True when Problem::overrides puts a number into cell (row, col) of `stage` as query head `head`
/// sees it (all from 0): heads that share keys and values share their overrides, and `head` is
/// ignored where the stage has none.
bool is_overridden(const Problem& problem, Stage stage, Index head, Index row, Index col);

/// Why query `row` may not look at key `col`, every rule and the mask cell by cell that forbid it,
/// joined by "; "; empty when it may. The words count queries and keys from 0.
std::string reason_masked(const Problem& problem, Index row, Index col);

/// Why dropout takes the weight of query `row` and key `col` in `head` (from 0; the words count
/// heads from 1); empty when it stays.
std::string reason_dropped(const Problem& problem, Index head, Index row, Index col);

/// Why nothing of `head` reaches concat: muted, not solo while others are, or scaled by 0; empty
/// when its gain is another number.
std::string reason_muted(const Problem& problem, Index head);

}  // namespace attention
