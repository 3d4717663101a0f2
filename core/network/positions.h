#pragma once

#include "core/layer/positions.h"
#include "core/network/network.h"

namespace attention::network {

/// Radians per position of each pair in a text of `n` tokens.
std::vector<float> rotary_frequencies(const Rotary& rotary, Index n);

/// Cosines and sines of the positions from `first` on in a text of `n`, for rotate() of
/// layer/stages.h, [n − first × pairs] each. The angle is a product of float32 numbers, as in the
/// programs that networks are trained with.
RotaryTable rotary_table(const Rotary& rotary, Index n, Index first = 0);

/// The row of DistanceBias::table for a key `distance` positions after its query. Half of the
/// buckets of a direction are for distances one by one, the others grow logarithmically up to
/// `largest_distance` (Raffel et al. 2020, 2.1).
Index distance_bucket(Index distance, Index buckets, bool both_ways, Index largest_distance);

/// True when positions of keys add a bias to the scores.
bool has_position_bias(const Attention& attention);
/// Queries that follow each other.
struct QueryRange {
  Index first, count;
};
/// [rows.count × n_keys]: that bias of `head` (from 0) for each pair of key and of those of `n`
/// queries.
Matrix position_bias(const Attention& attention, Index head, Index n, Index n_keys,
                     const QueryRange& rows);
/// The same for all queries.
Matrix position_bias(const Attention& attention, Index head, Index n, Index n_keys);

}  // namespace attention::network
