#pragma once

#include "core/network/network.h"

namespace attention::network {

/// Normalises each row of `rows` [n × d] in place.
void normalise(const Norm& norm, MatrixSlot rows);

/// Applies `activation` to each number in place.
void activate(Activation activation, MatrixSlot values);

}  // namespace attention::network
