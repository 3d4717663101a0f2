#pragma once

#include "core/trace.h"

namespace attention {

/// One query–key pair and its weight.
struct Pair {
  Index row = 0;
  Index col = 0;
  float weight = 0;
};

/// Mean over the rows of −Σ w ln w, in nats; 0 ln 0 = 0. `weights` [seq_len × kv_len].
double mean_entropy(const MatrixView& weights);

/// The largest weight of the matrix and its place; off the diagonal only when
/// `skip_diagonal` and there is more than one key. The first in reading order among equals.
Pair strongest_pair(const MatrixView& weights, bool skip_diagonal);

/// Mean over the rows of the weight a token gives itself, w[i, i].
double diagonal_weight(const MatrixView& weights);

/// How far the output moves when `head` (from 0) is taken away: the Frobenius norm of its part
/// head_output · W_O[head's rows], which is exactly what it adds to the output.
double output_shift_without_head(const Problem& problem, const Trace& trace, Index head);

}  // namespace attention
