#include "core/layer/relative_scores.h"

#include "core/layer/stages.h"

namespace attention {
namespace {

const SharedMatrix& used_bias(const Problem& problem, const SharedMatrix& bias) {
  static const SharedMatrix none;
  return problem.config.biases ? bias : none;
}

Matrix projected_distances(const Problem& problem, const PositionMap& map) {
  Matrix result(problem.relative->embedding->rows(), map.W->cols());
  project(*problem.relative->embedding, *map.W, *map.b, result);
  return result;
}

}  // namespace

PositionMap position_key_map(const Problem& problem, Index head) {
  const auto number = static_cast<std::size_t>(head);
  const RelativePositions& relative = *problem.relative;
  if (!relative.maps.empty())
    return {relative.maps[number].W_K, used_bias(problem, relative.maps[number].b_K)};
  const KeyValueParameters& kv = problem.kv_parameters(head);
  return {kv.W_K, used_bias(problem, kv.b_K)};
}

PositionMap position_query_map(const Problem& problem, Index head) {
  const auto number = static_cast<std::size_t>(head);
  const RelativePositions& relative = *problem.relative;
  if (!relative.maps.empty())
    return {relative.maps[number].W_Q, used_bias(problem, relative.maps[number].b_Q)};
  const QueryParameters& query = problem.parameters.heads[number];
  return {query.W_Q, used_bias(problem, query.b_Q)};
}

Matrix position_keys(const Problem& problem, Index head) {
  return projected_distances(problem, position_key_map(problem, head));
}

Matrix position_queries(const Problem& problem, Index head) {
  return projected_distances(problem, position_query_map(problem, head));
}

void scores_of_positions(const MatrixView& Q, const MatrixView& position_keys,
                         const DistanceRows& distances, Index first_query, Index first_key,
                         MatrixSlot result) {
  Matrix all(Q.rows(), position_keys.rows());
  attention_scores(Q, position_keys, all);
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j)
      result(i, j) = all(i, distances.of(first_query + i, first_key + j));
}

void scores_by_positions(const MatrixView& K, const MatrixView& position_queries,
                         const DistanceRows& distances, Index first_query, Index first_key,
                         MatrixSlot result) {
  Matrix all(K.rows(), position_queries.rows());
  attention_scores(K, position_queries, all);
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j)
      result(i, j) = all(j, distances.of(first_query + i, first_key + j));
}

}  // namespace attention
