#pragma once

#include <vector>

#include "core/trace.h"

// The same definition in plain double-precision loops, without Eigen's products: slow, short and
// easy to check by eye. Tests and the accuracy figures compare the float32 core with it.

namespace attention {

/// Dense double-precision matrix in the layout of Matrix.
using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The intermediates of one query head in double precision; shapes as in HeadTrace. A stage that
/// is no step of its own holds the numbers of the one before it.
struct ReferenceHead {
  MatrixD Q, K, V;               ///< the projections
  MatrixD rotated_Q, rotated_K;  ///< turned by their positions
  MatrixD scores, scaled_scores, masked_scores, weights, dropped_weights;  ///< columns are keys
  MatrixD head_output;                                                     ///< dropped_weights V
};

/// Every intermediate in double precision; shapes as in Trace.
struct ReferenceTrace {
  MatrixD position, X;               ///< `position` is 0 × 0 when nothing is added
  MatrixD position_kv, X_kv;         ///< in self-attention 0 × 0, and X
  std::vector<ReferenceHead> heads;  ///< n_heads of them
  MatrixD concat, output;            ///< of all heads together
  MatrixD residual, layer_norm;      ///< `layer_norm` is what leaves the layer
};

/// Computes everything from `problem` in double precision. Throws as validate() does.
ReferenceTrace reference_trace(const Problem& problem);

/// The matrix of `stage`; `head` counts query heads from 0 and is ignored where there is one for
/// all. Throws std::out_of_range for a head that is not there, and for the embeddings, which are
/// inputs.
const MatrixD& stage_matrix(const ReferenceTrace& trace, Stage stage, Index head);

}  // namespace attention
