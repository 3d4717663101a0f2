#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace attention {

/// The matrices that a problem is given, its inputs and its parameters. New ones come last: seeds
/// of random weights are derived from the number.
enum class MatrixId {
  kX,
  kWQ,
  kWK,
  kWV,
  kWO,
  kBQ,
  kBK,
  kBV,
  kBO,
  kXKv,
  kPositionTable,
  kGamma,
  kBeta,
  kMask,             ///< 1: the query may look at the key; 0: it may not
  kScoreBias,        ///< added to the scaled scores; −∞ forbids
  kPositionTableKv,  ///< of the second sentence; the first one's until it is edited
};

inline constexpr std::size_t kMatrixCount =
    static_cast<std::size_t>(MatrixId::kPositionTableKv) + 1;

/// Which struct has the matrix, and so how many of it there are.
enum class MatrixOwner {
  kProblem,     ///< Problem: an input
  kQueryHead,   ///< QueryParameters: one for each query head
  kKvHead,      ///< KeyValueParameters: one for each key and value head
  kParameters,  ///< Parameters: one for the layer
};

/// What is known of a matrix whatever the problem holds.
struct MatrixInfo {
  MatrixId id;
  std::string_view name;  ///< in commands and messages
  MatrixOwner owner;
  Axis rows, cols;
  Stage stage;  ///< the stage that reads it; of X and X_kv the stage that it is
  Reach reach;  ///< which of its numbers go into one number of that stage
  /// Whether the layer cannot do without it; what is not required may be empty.
  bool required = false;
  float absent = 0;  ///< what an empty one stands for, in every cell
  /// Whether the formula reads it; null: always.
  bool (*in_use)(const Problem& problem) = nullptr;
};

/// One record for each matrix, in the order of MatrixId.
extern const std::array<MatrixInfo, kMatrixCount> kMatrixInfos;

/// The record of a matrix.
inline const MatrixInfo& matrix_info(MatrixId id) {
  return kMatrixInfos.at(static_cast<std::size_t>(id));
}

/// "X", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "X_kv", "position_table", "gamma",
/// "beta", "mask", "score_bias", "position_table_kv".
inline std::string_view matrix_name(MatrixId id) { return matrix_info(id).name; }
/// The matrix of that name, or nothing.
std::optional<MatrixId> matrix_from_name(std::string_view name);

/// True for the weights, biases, gamma and beta; not for the inputs.
inline bool is_parameter(MatrixId id) { return matrix_info(id).owner != MatrixOwner::kProblem; }
/// True for the matrices of key and value heads: W_K, W_V, b_K, b_V.
inline bool is_per_kv_head(MatrixId id) { return matrix_info(id).owner == MatrixOwner::kKvHead; }
/// True when every head has one of its own: each query head of W_Q and b_Q, each key and value head
/// of the others.
inline bool is_per_head(MatrixId id) {
  return is_per_kv_head(id) || matrix_info(id).owner == MatrixOwner::kQueryHead;
}
/// How many of the matrix a model has: one for each of its heads, or one.
int matrix_count(const Config& config, MatrixId id);
/// Whether the formula reads the matrix: b_Q with biases, gamma with layer_norm, X_kv with a second
/// sentence.
bool is_in_use(const Problem& problem, MatrixId id);
/// What a matrix holds where it is absent: gamma and the mask 1, the others 0.
inline float absent_value(MatrixId id) { return matrix_info(id).absent; }

/// The shape of a parameter in a layer of that config. Precondition: is_parameter(id).
Shape parameter_shape(const Config& config, MatrixId id);

// Each of the following calls visit(const MatrixInfo&, matrix) or visit(const MatrixInfo&, head,
// matrix) for every matrix, absent ones included; `head` counts query heads, or key and value
// heads, from 0, and is 0 where there is one for all. They take Problem, Parameters and their
// heads, const or not, and any struct with the same members: gradients have one.

/// The matrices of one query head.
template <typename Head, typename Visit>
void for_each_query_matrix(Head& head, Visit&& visit) {
  visit(matrix_info(MatrixId::kWQ), head.W_Q);
  visit(matrix_info(MatrixId::kBQ), head.b_Q);
}

/// The matrices of one key and value head.
template <typename Head, typename Visit>
void for_each_kv_matrix(Head& head, Visit&& visit) {
  visit(matrix_info(MatrixId::kWK), head.W_K);
  visit(matrix_info(MatrixId::kWV), head.W_V);
  visit(matrix_info(MatrixId::kBK), head.b_K);
  visit(matrix_info(MatrixId::kBV), head.b_V);
}

/// The matrices that all heads have in common.
template <typename ParametersLike, typename Visit>
void for_each_common_matrix(ParametersLike& parameters, Visit&& visit) {
  visit(matrix_info(MatrixId::kWO), parameters.W_O);
  visit(matrix_info(MatrixId::kBO), parameters.b_O);
  visit(matrix_info(MatrixId::kGamma), parameters.gamma);
  visit(matrix_info(MatrixId::kBeta), parameters.beta);
}

/// Every weight, head by head: first the query heads, then the key and value heads, then the rest.
template <typename ParametersLike, typename Visit>
void for_each_parameter(ParametersLike& parameters, Visit&& visit) {
  Index number = 0;
  const auto of_head = [&](const MatrixInfo& info, auto& matrix) { visit(info, number, matrix); };
  for (auto& head : parameters.heads) {
    for_each_query_matrix(head, of_head);
    ++number;
  }
  number = 0;
  for (auto& head : parameters.kv_heads) {
    for_each_kv_matrix(head, of_head);
    ++number;
  }
  number = 0;
  for_each_common_matrix(parameters, of_head);
}

/// Embeddings, tables of positions, mask and bias.
template <typename ProblemLike, typename Visit>
void for_each_input(ProblemLike& problem, Visit&& visit) {
  visit(matrix_info(MatrixId::kX), problem.embedding);
  visit(matrix_info(MatrixId::kXKv), problem.embedding_kv);
  visit(matrix_info(MatrixId::kPositionTable), problem.position_table);
  visit(matrix_info(MatrixId::kPositionTableKv), problem.position_table_kv);
  visit(matrix_info(MatrixId::kMask), problem.allowed);
  visit(matrix_info(MatrixId::kScoreBias), problem.bias);
}

/// Every matrix of a problem: its inputs, then its parameters.
template <typename ProblemLike, typename Visit>
void for_each_matrix(ProblemLike& problem, Visit&& visit) {
  for_each_input(problem, [&](const MatrixInfo& info, auto& matrix) { visit(info, 0, matrix); });
  for_each_parameter(problem.parameters, visit);
}

/// All of them, in that order; the pointers hold as long as `problem` is neither changed nor gone.
std::vector<const SharedMatrix*> matrices_of(const Problem& problem);

/// The matrix of that id; `head` counts query heads, or key and value heads, from 0, and is ignored
/// where there is one for all. Empty when absent. Throws std::out_of_range when there is no such
/// head.
const SharedMatrix& matrix_of(const Problem& problem, MatrixId id, Index head);
/// The same, to be written to.
SharedMatrix& matrix_of(Problem& problem, MatrixId id, Index head);

}  // namespace attention
