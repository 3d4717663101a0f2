#pragma once

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// What a row is multiplied by once it is normalised: [1 × d], or empty: all 1.
Matrix norm_weight(const Norm& norm);

/// Normalises each row of `rows` [n × d] in place, see normalise_rows() and normalise_by_rms().
void normalise(const Norm& norm, MatrixSlot rows);
/// The same, shared by the threads.
void normalise(const Norm& norm, MatrixSlot rows, ThreadPool& pool);

/// Applies `activation` to each number in place.
void activate(Activation activation, MatrixSlot values);

}  // namespace attention::network
