#pragma once

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// How products are summed.
enum class Precision {
  kSingle,  ///< in float32
  kDouble,  ///< in float64, for results whose rounding would show; several times slower
};

/// rows W + b: [n × in] → `result` [n × out]. The threads share the columns of W; the result does
/// not depend on how many there are. Numbers that cannot be read in place are widened a part at a
/// time.
void project(const MatrixView& rows, const Linear& linear, Precision precision, ThreadPool& pool,
             const MatrixSlot& result);

/// The same, as a new matrix.
Matrix project(const MatrixView& rows, const Linear& linear, Precision precision, ThreadPool& pool);

}  // namespace attention::network
