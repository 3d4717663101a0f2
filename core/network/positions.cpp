#include "core/network/positions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace attention::network {
namespace {

// To the nearest number of bfloat16, of two that are as near the even one.
float rounded_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FFFU + (bits >> 16 & 1U)) & 0xFFFF0000U);
}

RowVector alibi_row(const AlibiBias& bias, float slope, Index n_keys) {
  RowVector row(n_keys);
  if (bias.in_bfloat16) slope = rounded_to_bfloat16(slope);
  for (Index key = 0; key < n_keys; ++key) {
    const float product = slope * static_cast<float>(key);
    row(key) = (bias.in_bfloat16 ? rounded_to_bfloat16(product) : product) * bias.factor;
  }
  return row;
}

}  // namespace

std::vector<float> rotary_frequencies(const Rotary& rotary, Index n) {
  if (!rotary.long_texts || n <= rotary.long_texts->after) return rotary.frequencies;
  const LongTexts& longer = *rotary.long_texts;
  if (!longer.frequencies.empty()) return longer.frequencies;
  const auto dims = static_cast<double>(longer.dims);
  const double share = static_cast<double>(n) / static_cast<double>(longer.after);
  const double base =
      longer.base * std::pow(longer.factor * share - (longer.factor - 1), dims / (dims - 2));
  std::vector<float> frequencies;
  for (std::size_t pair = 0; pair < rotary.frequencies.size(); ++pair)
    frequencies.push_back(
        static_cast<float>(std::pow(base, -2 * static_cast<double>(pair) / dims)));
  return frequencies;
}

RotaryTable rotary_table(const Rotary& rotary, Index n, Index first) {
  const std::vector<float> of_text = rotary_frequencies(rotary, n);
  const auto pairs = static_cast<Index>(of_text.size());
  const RowVector frequencies = RowVector::Map(of_text.data(), pairs);
  if (!rotary.table.empty()) {
    const Matrix stored = rotary.table.row_range(first, n - first).values();
    return {stored.rightCols(pairs), stored.leftCols(pairs), rotary.first};
  }
  RotaryTable table{Matrix(n - first, pairs), Matrix(n - first, pairs), rotary.first};
  for (Index i = 0; i < n - first; ++i) {
    for (Index pair = 0; pair < pairs; ++pair) {
      const float angle = static_cast<float>(first + i) * frequencies(pair);
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

namespace {

Matrix distance_bias(const DistanceBias& bias, Index head, Index n, Index n_keys,
                     const QueryRange& rows) {
  const Matrix of_bucket = bias.table.columns(head, 1).values();
  RowVector of_distance(n + n_keys - 1);  // from that of the last query to the first key
  for (Index i = 0; i < of_distance.size(); ++i) {
    const Index bucket =
        distance_bucket(i - n + 1, bias.table.rows(), bias.both_ways, bias.largest_distance);
    of_distance(i) = of_bucket(bucket, 0);
  }
  Matrix result(rows.count, n_keys);
  for (Index i = 0; i < rows.count; ++i)
    result.row(i) = of_distance.segment(n - 1 - rows.first - i, n_keys);
  return result;
}

}  // namespace

bool has_position_bias(const Attention& attention) {
  return attention.distance_bias || attention.alibi;
}

Matrix position_bias(const Attention& attention, Index head, Index n, Index n_keys,
                     const QueryRange& rows) {
  if (attention.distance_bias)
    return distance_bias(*attention.distance_bias, head, n, n_keys, rows);
  const float slope = alibi_slope(static_cast<int>(head), static_cast<int>(attention.n_heads));
  return alibi_row(*attention.alibi, slope, n_keys).replicate(rows.count, 1);
}

Matrix position_bias(const Attention& attention, Index head, Index n, Index n_keys) {
  return position_bias(attention, head, n, n_keys, {0, n});
}

}  // namespace attention::network
