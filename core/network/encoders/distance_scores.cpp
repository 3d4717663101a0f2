#include "core/network/encoders/distance_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// The number of the bucket, negative for keys after the query. Beyond the last one by far, where
// buckets are few, it may be anything: callers limit it.
Index bucket_of_distance(Index distance, Index buckets, Index largest_distance) {
  const Index middle = buckets / 2, far = std::abs(distance);
  if (far <= middle) return distance;
  const auto share = [middle](Index d) {
    return std::log(static_cast<float>(d) / static_cast<float>(middle));
  };
  const float steps =
      std::ceil(share(far) / share(largest_distance - 1) * static_cast<float>(middle - 1));
  const float bucket = std::clamp(steps, -1e6f, 1e6f) + static_cast<float>(middle);
  return static_cast<Index>(distance < 0 ? -bucket : bucket);
}

}  // namespace

Index distance_row(const DistanceScores& scores, Index distance) {
  const Index span = scores.embedding.rows() / 2;
  if (scores.buckets > 0)
    distance = bucket_of_distance(distance, scores.buckets, scores.largest_distance);
  return std::clamp<Index>(distance + span, 0, 2 * span - 1);
}

namespace {

// The rows of 1 − n … n − 1.
std::vector<Index> rows_of_distances(const DistanceScores& scores, Index n) {
  std::vector<Index> rows;
  for (Index distance = 1 - n; distance < n; ++distance)
    rows.push_back(distance_row(scores, distance));
  return rows;
}

RowRange range_of(const std::vector<Index>& rows) {
  const auto [first, last] = std::ranges::minmax(rows);
  return {first, last - first + 1};
}

}  // namespace

RowRange stored_distances(const DistanceScores& scores, Index n) {
  return range_of(rows_of_distances(scores, n));
}

TextDistances distances_of_text(const DistanceScores& scores, Index n) {
  std::vector<Index> rows = rows_of_distances(scores, n);
  const RowRange range = range_of(rows);
  for (Index& row : rows) row -= range.first;
  TextDistances result{scores.embedding.row_range(range.first, range.count).values(),
                       {std::move(rows), n - 1}};
  if (scores.norm) normalise(*scores.norm, result.embedding);
  return result;
}

}  // namespace attention::network
