#pragma once

#include "core/layer/trace.h"

namespace attention {

/// True when scores of these queries of `head` are so large that the rounding of Q and K in float32
/// changes their weights by more than about a hundred-thousandth: a score that is off by δ changes
/// its weight by the fraction δ.
bool has_large_scores(const Trace& trace, Index head, Index first_row, Index rows);

/// The softmax of `head` for the queries first_row … first_row + rows − 1, without overridden
/// weights, [rows × kv_len]: from X in double precision, rounded at the end.
Matrix precise_weights(const Problem& problem, const Trace& trace, Index head, Index first_row,
                       Index rows);

}  // namespace attention
