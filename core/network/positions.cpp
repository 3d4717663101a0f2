#include "core/network/positions.h"

#include <algorithm>
#include <cmath>

namespace attention::network {

RotaryTable rotary_table(const Rotary& rotary, Index n) {
  const auto pairs = static_cast<Index>(rotary.frequencies.size());
  const RowVector frequencies = RowVector::Map(rotary.frequencies.data(), pairs);
  RotaryTable table{Matrix(n, pairs), Matrix(n, pairs)};
  for (Index i = 0; i < n; ++i) {
    for (Index pair = 0; pair < pairs; ++pair) {
      const float angle = static_cast<float>(i) * frequencies(pair);
      table.cosines(i, pair) = std::cos(angle) * rotary.scale;
      table.sines(i, pair) = std::sin(angle) * rotary.scale;
    }
  }
  return table;
}

Index distance_bucket(Index distance, Index buckets, bool both_ways, Index largest_distance) {
  Index bucket = 0;
  if (both_ways) {
    buckets /= 2;
    if (distance > 0) bucket = buckets;
    distance = std::abs(distance);
  } else {
    distance = std::max<Index>(0, -distance);
  }
  const Index exact = buckets / 2;
  if (distance < exact) return bucket + distance;
  const auto share = [exact](Index d) {
    return std::log(static_cast<float>(d) / static_cast<float>(exact));
  };
  const float spread = share(distance) /
                       std::log(static_cast<float>(largest_distance) / static_cast<float>(exact)) *
                       static_cast<float>(buckets - exact);
  return bucket + std::min(exact + static_cast<Index>(spread), buckets - 1);
}

Matrix distance_bias(const DistanceBias& bias, Index head, Index n, Index n_keys) {
  const Matrix of_bucket = bias.table.columns(head, 1).values();
  RowVector of_distance(n + n_keys - 1);  // from that of the last query to the first key
  for (Index i = 0; i < of_distance.size(); ++i) {
    const Index bucket =
        distance_bucket(i - n + 1, bias.table.rows(), bias.both_ways, bias.largest_distance);
    of_distance(i) = of_bucket(bucket, 0);
  }
  Matrix result(n, n_keys);
  for (Index i = 0; i < n; ++i) result.row(i) = of_distance.segment(n - 1 - i, n_keys);
  return result;
}

}  // namespace attention::network
