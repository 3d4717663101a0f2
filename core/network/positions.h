#pragma once

#include "core/layer/positions.h"
#include "core/network/network.h"

namespace attention::network {

/// Cosines and sines of `n` positions for rotate() of layer/stages.h, [n × pairs] each. The angle
/// is a product of float32 numbers, as in the programs that networks are trained with.
RotaryTable rotary_table(const Rotary& rotary, Index n);

/// The row of DistanceBias::table for a key at `key` − `query` = `distance`. Half of the buckets
/// of a direction are for distances one by one, the others grow logarithmically up to
/// `largest_distance` (Raffel et al. 2020, 2.1).
Index distance_bucket(Index distance, Index buckets, bool both_ways, Index largest_distance);

/// [n × n_keys]: the bias of `head` (from 0) for each pair of query and key.
Matrix distance_bias(const DistanceBias& bias, Index head, Index n, Index n_keys);

}  // namespace attention::network
