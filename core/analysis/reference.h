#pragma once

#include "core/layer/trace.h"

// The same definition in plain double-precision loops, without Eigen's products: slow, short and
// easy to check by eye. Tests and the accuracy figures compare the float32 core with it.

namespace attention {

/// Dense double-precision matrix in the layout of Matrix.
using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Every intermediate in double precision; absent matrices are 0 × 0.
using ReferenceTrace = LayerStages<MatrixD>;

/// Computes every stage of `problem` in double precision. Throws as validate() does.
ReferenceTrace reference_trace(const Problem& problem);

}  // namespace attention
