#pragma once

#include "core/problem.h"

// The scores by distance, see RelativePositions. What is said of stages.h holds here, too.

namespace attention {

/// The map from the features of a distance to its key or query in a head.
struct PositionMap {
  const SharedMatrix& W;  ///< [d_model × d_k]
  const SharedMatrix& b;  ///< [1 × d_k], or empty: none is added
};

/// The map to the keys of distances of `head` (from 0). Precondition: problem.relative.
PositionMap position_key_map(const Problem& problem, Index head);
/// The map to their queries, likewise.
PositionMap position_query_map(const Problem& problem, Index head);

/// P_K: the keys of all distances in `head`, [distances × d_k]. Precondition: problem.relative.
Matrix position_keys(const Problem& problem, Index head);
/// P_Q: their queries, likewise.
Matrix position_queries(const Problem& problem, Index head);

/// Q P_Kᵀ, of which a pair has the number of its distance: [n × d_k] · [distances × d_k]ᵀ →
/// [n × m]. The queries are those from `first_query` on, the keys those from `first_key` on.
void scores_of_positions(const MatrixView& Q, const MatrixView& position_keys,
                         const DistanceRows& distances, Index first_query, Index first_key,
                         MatrixSlot result);

/// P_Q Kᵀ, likewise: [distances × d_k] · [m × d_k]ᵀ → [n × m].
void scores_by_positions(const MatrixView& K, const MatrixView& position_queries,
                         const DistanceRows& distances, Index first_query, Index first_key,
                         MatrixSlot result);

}  // namespace attention
