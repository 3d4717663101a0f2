#pragma once

#include "core/network/attention_pass.h"

namespace attention::network {

/// The row of DistanceScores::embedding for a query that stands `distance` tokens after its key.
/// With buckets half of those of a direction are for distances one by one, the others grow
/// logarithmically (He et al. 2021, DeBERTa-v2): beyond m = buckets / 2, in float32,
/// m + ⌈ln(distance / m) / ln((largest − 1) / m) · (m − 1)⌉.
Index distance_row(const DistanceScores& scores, Index distance);

/// The rows of the embedding that the distances of a text of `n` tokens have, and those between.
RowRange stored_distances(const DistanceScores& scores, Index n);

/// Those rows of a text, normalised.
struct TextDistances {
  Matrix embedding;  ///< [distances × d_model]
  DistanceRows rows;
};
/// Those of a text of `n` tokens.
TextDistances distances_of_text(const DistanceScores& scores, Index n);

}  // namespace attention::network
