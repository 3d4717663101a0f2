#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/shared_matrix.h"

namespace attention {

/// The row of a table of distances that each pair of query and key has. It depends only on how far
/// they are apart.
struct DistanceRows {
  std::vector<Index> rows;  ///< for query − key = −before, 1 − before, …
  Index before = 0;

  /// The row of a pair, both from 0.
  Index of(Index query, Index key) const {
    return rows[static_cast<std::size_t>(query - key + before)];
  }
  bool operator==(const DistanceRows&) const = default;
};

/// The maps of one head from distances to keys and queries: [d_model × d_k] and [1 × d_k] or empty.
struct PositionMaps {
  SharedMatrix W_K, b_K, W_Q, b_Q;

  /// True when both hold the same matrices.
  bool same_as(const PositionMaps& other) const {
    return W_K.same_as(other.W_K) && b_K.same_as(other.b_K) && W_Q.same_as(other.W_Q) &&
           b_Q.same_as(other.b_Q);
  }
};

/// Scores by distance beside those by content, in layers of trained networks (disentangled
/// attention; He et al. 2021, DeBERTa): each distance has a row of features, of which a head makes
/// a key P_K and a query P_Q; the query of a token is compared with the former, and its key with
/// the latter.
struct RelativePositions {
  SharedMatrix embedding;  ///< [distances × d_model]
  DistanceRows distances;
  bool content_to_position = false;  ///< Q P_Kᵀ is added to the scores
  bool position_to_content = false;  ///< P_Q Kᵀ is added to the scores
  std::vector<PositionMaps> maps;    ///< n_heads of them, or empty: W_K, b_K, W_Q and b_Q

  /// True when both hold the same matrices and say the same.
  bool same_as(const RelativePositions& other) const {
    return embedding.same_as(other.embedding) && distances == other.distances &&
           content_to_position == other.content_to_position &&
           position_to_content == other.position_to_content &&
           std::ranges::equal(maps, other.maps, [](const PositionMaps& a, const PositionMaps& b) {
             return a.same_as(b);
           });
  }
};

/// The same where there may be none.
inline bool same_relative(const std::optional<RelativePositions>& a,
                          const std::optional<RelativePositions>& b) {
  return a.has_value() == b.has_value() && (!a || a->same_as(*b));
}

}  // namespace attention
