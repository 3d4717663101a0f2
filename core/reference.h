#pragma once

#include <vector>

#include "core/trace.h"

// The same definition in plain double-precision loops, without Eigen's products: slow, short and
// easy to check by eye. Tests and the accuracy figures compare the float32 core with it.

namespace attention {

using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The intermediates of one head in double precision; shapes as in HeadTrace.
struct ReferenceHead {
  MatrixD Q, K, V, scores, scaled_scores, masked_scores, weights, head_output;
};

/// Every intermediate in double precision; shapes as in Trace.
struct ReferenceTrace {
  std::vector<ReferenceHead> heads;
  MatrixD concat, output;
};

/// Computes everything from `problem` in double precision. Throws as validate() does.
ReferenceTrace reference_trace(const Problem& problem);

/// The matrix of `stage`; `head` from 0, ignored for concat and output. Throws
/// std::out_of_range for a head that is not there and for Stage::kX, which is not computed.
const MatrixD& stage_matrix(const ReferenceTrace& trace, Stage stage, Index head);

}  // namespace attention
