#pragma once

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// rows W + b: [n × in] → `result` [n × out]. The threads share the columns of W; the result does
/// not depend on how many there are. Numbers that cannot be read in place are widened a part at a
/// time.
void project(const MatrixView& rows, const Linear& linear, ThreadPool& pool,
             const MatrixSlot& result);

/// The same with sums in double precision, for results whose rounding would show.
void project_precisely(const MatrixView& rows, const Linear& linear, ThreadPool& pool,
                       const MatrixSlot& result);

/// The same as project(), as a new matrix.
Matrix project(const MatrixView& rows, const Linear& linear, ThreadPool& pool);

}  // namespace attention::network
