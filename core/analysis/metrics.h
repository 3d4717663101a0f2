#pragma once

#include <optional>
#include <vector>

#include "core/layer/trace.h"

namespace attention {

// Metrics of one head's weights, [seq_len × kv_len], one row per query. Any weights will do: before
// or after dropout, overridden or not.

/// −Σ w ln w of each row, in nats, 0 ln 0 = 0: 0 where one key has all the weight, ln kv_len where
/// all have the same. One number per row.
std::vector<double> row_entropies(const MatrixView& weights);

/// An entropy as a fraction of ln kv_len, the largest that `kv_len` keys allow: 0 … 1 for rows that
/// sum to 1. 0 with fewer than two keys.
double entropy_share(double entropy, Index kv_len);

/// Mean of row_entropies over the rows, in nats; 0 without rows.
double mean_entropy(const MatrixView& weights);

/// One query–key pair and its weight.
struct Pair {
  Index row = 0;
  Index col = 0;
  float weight = 0;
};

/// The `count` largest weights and their cells, or all when there are fewer: the largest first,
/// ties in reading order (−0 equals 0), NaN last. With `skip_diagonal` and more than one key, pairs
/// of a token with itself are left out.
std::vector<Pair> strongest_pairs(const MatrixView& weights, Index count, bool skip_diagonal);

/// The first of strongest_pairs; all 0 when there is none.
Pair strongest_pair(const MatrixView& weights, bool skip_diagonal);

/// The fewest cells of row `row` whose weights add up to at least `share` (0 … 1) of the sum of its
/// positive weights, the largest first, ties from the left. Empty when no weight is positive and
/// finite.
std::vector<Pair> leading_pairs(const MatrixView& weights, Index row, double share);

/// Mean over the rows of the weight a token gives itself, w[i, i]; rows without such a key count as
/// 0. 0 without rows.
double diagonal_weight(const MatrixView& weights);

/// Mean over the rows i ≥ 1 of the weight on the token before, w[i, i − 1]; rows without such a key
/// count as 0. 0 with fewer than two rows.
double previous_token_weight(const MatrixView& weights);

/// Mean over the rows of the weight on the first token, w[i, 0]. 0 without rows.
double first_token_weight(const MatrixView& weights);

// Metrics of the layer.

/// The similarity of the heads, [n_heads × n_heads]: the cosine of the angle between the weights
/// (before dropout) of two heads, each taken as one vector of seq_len · kv_len numbers: ⟨w_a, w_b⟩
/// / (‖w_a‖ ‖w_b‖), 0 … 1 where no weight is negative. A head whose weights are all 0 has
/// similarity 0 to every head, including itself.
Matrix head_similarity(const Trace& trace);

/// Another head and its similarity.
struct SimilarHead {
  Index head = 0;
  double cosine = 0;
};

/// The head that is most similar to `head` (from 0) by head_similarity; the first one in a tie,
/// nothing when there is no other head. Throws std::out_of_range when there is no such head.
std::optional<SimilarHead> most_similar_head(const Trace& trace, Index head);

/// The contribution of `head` (from 0) to the output: its columns of concat, gain included, times
/// its rows of W_O, [seq_len × d_out]. Because the output is linear in concat, the parts of all
/// heads add up to output − b_O (except in overridden cells of the output). Throws
/// std::out_of_range when there is no such head.
Matrix head_part(const Problem& problem, const Trace& trace, Index head);

/// How far the output moves when `head` (from 0) is muted: the Frobenius norm of head_part without
/// overridden cells of concat and of the output, which stay as they are. Only the output itself
/// counts, not residual or layer_norm. Throws as head_part does.
double output_shift_without_head(const Problem& problem, const Trace& trace, Index head);

/// output_shift_without_head as a fraction of the Frobenius norm of output − b_O (of the output
/// when biases are off). The shares of all heads need not add up to 1: parts may cancel or be at
/// right angles. 0 when the norm is 0. Throws as head_part does.
double output_share_of_head(const Problem& problem, const Trace& trace, Index head);

}  // namespace attention
