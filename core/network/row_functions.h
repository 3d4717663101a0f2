#pragma once

#include "core/network/network.h"

namespace attention::network {

/// Normalises each row of `rows` [n × d] in place.
void normalise(const Norm& norm, MatrixSlot rows);

/// Applies `activation` to each number in place.
void activate(Activation activation, MatrixSlot values);

/// c · tanh(x / c) of each number in place; nothing when `cap` is 0.
void soft_cap(float cap, MatrixSlot values);

}  // namespace attention::network
