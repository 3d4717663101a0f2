#pragma once

#include <span>
#include <vector>

#include "core/layer/trace.h"
#include "core/problem.h"

namespace attention {

// Several heads, or two states of one stage, as one matrix.

/// The heads, from 0, that contribute to the output, in order: their head_gain is not 0. All of
/// them when none does.
std::vector<Index> active_heads(const Problem& problem);

/// The mean of the weights (before dropout) of these heads, which exist, cell by cell,
/// [seq_len × kv_len]; 0 × 0 without heads.
Matrix mean_weights(const Trace& trace, std::span<const Index> heads);

/// The trace with the mean of active_heads in place of each head's weights.
Trace with_mean_weights(const Problem& problem, Trace trace);

/// The largest of the weights (before dropout) of these heads, which exist, in each cell,
/// [seq_len × kv_len]; NaN where any is. 0 × 0 without heads.
Matrix largest_weights(const Trace& trace, std::span<const Index> heads);

/// The trace with the largest of active_heads in place of each head's weights.
Trace with_largest_weights(const Problem& problem, Trace trace);

/// to − from, cell by cell; 0 where both are equal, including infinities and NaN. Throws
/// std::invalid_argument naming both shapes when they differ.
Matrix difference(const MatrixView& from, const MatrixView& to);

/// A cell of a difference.
struct DifferenceCell {
  Index row = 0;
  Index col = 0;
  float by = 0;  ///< the difference; NaN or ±∞ where a value that is not finite appeared or
                 ///< disappeared
};

/// The `count` cells of a difference that are farthest from 0: NaN first, then the farthest first,
/// ties in reading order; cells that are 0 are left out.
std::vector<DifferenceCell> most_changed(const MatrixView& difference, Index count);

/// True when `a` comes before `b` in most_changed.
bool changed_more(const DifferenceCell& a, const DifferenceCell& b);

/// The largest finite absolute value; 0 when there is none.
float largest_change(const MatrixView& difference);

}  // namespace attention
