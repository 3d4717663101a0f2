#pragma once

#include "core/layer/positions.h"
#include "core/network/network.h"

namespace attention::network {

/// Radians per position of each pair in a text of `n` tokens.
std::vector<float> rotary_frequencies(const Rotary& rotary, Index n);

/// Cosines and sines of `n` positions, which are a whole text, for rotate() of layer/stages.h, [n ×
/// pairs] each. The angle is a product of float32 numbers, as in the programs that networks are
/// trained with.
RotaryTable rotary_table(const Rotary& rotary, Index n);

/// The row of DistanceBias::table for a key `distance` positions after its query. Half of the
/// buckets of a direction are for distances one by one, the others grow logarithmically up to
/// `largest_distance` (Raffel et al. 2020, 2.1).
Index distance_bucket(Index distance, Index buckets, bool both_ways, Index largest_distance);

/// True when positions of keys add a bias to the scores.
bool has_position_bias(const Attention& attention);
/// [n × n_keys]: that bias of `head` (from 0) for each pair of query and key.
Matrix position_bias(const Attention& attention, Index head, Index n, Index n_keys);

}  // namespace attention::network
