#pragma once

#include "core/network/network.h"
#include "core/network/row_functions.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// What a router decides for rows of the stream.
struct Routing {
  Matrix logits;              ///< [rows × experts]: what the router gives
  std::vector<Index> chosen;  ///< rows · Experts::chosen of them, the largest share first
  Matrix shares;              ///< [rows × Experts::chosen], as chosen
};

/// The share of every expert in rows of what a router gives [n × experts], the same shape.
Matrix expert_shares(const Experts& experts, const Matrix& logits);

/// The experts that the rows [n × d_model] are sent to, which are those that the router reads. Of
/// two shares that are the same the one of the first expert counts as larger.
Routing route(const Experts& experts, const MatrixView& rows, ThreadPool& pool);

/// The rows that were sent to one expert, in order, and which of their choices it is.
struct RoutedRows {
  std::vector<Index> rows, choices;

  /// Those rows of `matrix`, one below the other.
  Matrix of(const MatrixView& matrix) const;
};
/// Those rows for expert `expert`, from 0; both lists are empty when no row chose it.
RoutedRows rows_of_expert(const Routing& routing, Index expert);

/// `stream` [n × d_model], normalised.
Matrix normalised(const Norm& norm, const MatrixView& stream);

/// The output of the MLP and of the experts of a block for `rows` of its normalised stream [n ×
/// d_model], likewise. `stream` are the same before they were normalised, see ExpertNorms.
Matrix compute_feed_forward(const Block& block, const MatrixView& rows, const MatrixView& stream,
                            Precision precision, ThreadPool& pool);

/// What the experts give for rows that they read [n × d_model], by what the router chose.
Matrix expert_outputs(const Experts& experts, const Routing& routing, const MatrixView& rows,
                      Precision precision, ThreadPool& pool);

}  // namespace attention::network
