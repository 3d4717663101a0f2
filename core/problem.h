#pragma once

#include <vector>

#include "core/config.h"
#include "core/shared_matrix.h"

namespace attention {

/// The projections of one head. A bias that is empty is absent.
struct HeadParameters {
  SharedMatrix W_Q;  ///< [d_model × d_k]
  SharedMatrix W_K;  ///< [d_model × d_k]
  SharedMatrix W_V;  ///< [d_model × d_v]
  SharedMatrix b_Q;  ///< [1 × d_k] or empty
  SharedMatrix b_K;  ///< [1 × d_k] or empty
  SharedMatrix b_V;  ///< [1 × d_v] or empty
};

/// Every weight of the layer.
struct Parameters {
  std::vector<HeadParameters> heads;  ///< n_heads of them
  SharedMatrix W_O;                   ///< [n_heads·d_v × d_out]
  SharedMatrix b_O;                   ///< [1 × d_out] or empty
};

/// Everything the formula reads: MultiHead(X, X_kv) under `config`. Plain data; copying shares
/// the matrices.
struct Problem {
  Config config;
  SharedMatrix X;     ///< [seq_len × d_model], the queries' side
  SharedMatrix X_kv;  ///< [kv_len × d_model], keys and values; empty: self-attention
  Parameters parameters;
  SharedMatrix allowed;  ///< [seq_len × kv_len], 0: may not be attended to; empty: no such mask
  SharedMatrix bias;     ///< [seq_len × kv_len], added to the scaled scores; empty: none

  /// Number of queries.
  Index seq_len() const { return X->rows(); }
  /// Number of keys: the rows of X_kv, or of X in self-attention.
  Index kv_len() const { return X_kv.empty() ? X->rows() : X_kv->rows(); }
  /// What keys and values are projected from: X_kv, or X in self-attention.
  const SharedMatrix& kv_input() const { return X_kv.empty() ? X : X_kv; }
  /// True when a score may be changed between scaling and softmax (mask or bias).
  bool has_masked_stage() const {
    return config.mask != MaskKind::kNone || !allowed.empty() || !bias.empty();
  }
  /// True when query `row` may look at key `col`: by the rule of config.mask and by `allowed`.
  bool may_attend(Index row, Index col) const {
    if (config.mask == MaskKind::kCausal && col > row) return false;
    return allowed.empty() || (*allowed)(row, col) != 0.0f;
  }
};

/// Throws std::invalid_argument naming the matrix, the shape it has and the shape it should have
/// when any matrix does not fit `problem.config`, or when there are no tokens, or when seq_len,
/// kv_len or the number of scores is beyond Limits. Values are not looked at.
void validate(const Problem& problem);

}  // namespace attention
