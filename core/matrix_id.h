#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace attention {

/// The matrices that make up a problem: its inputs and its parameters. Add new ones at the end:
/// seeds of random weights are derived from these numbers.
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
  kMask,             ///< 1: the query may attend to the key; 0: it may not
  kScoreBias,        ///< added to the scaled scores; −∞ forbids
  kPositionTableKv,  ///< for the second sentence; the same as position_table until edited
  kNormQ,            ///< factors of the normalised queries
  kNormK,            ///< factors of the normalised keys
  kSink,             ///< the score without a key of a head
};

inline constexpr std::size_t kMatrixCount = static_cast<std::size_t>(MatrixId::kSink) + 1;

/// Which struct holds the matrix, which determines how many there are.
enum class MatrixOwner {
  kProblem,     ///< Problem: an input
  kQueryHead,   ///< QueryParameters: one for each query head
  kKvHead,      ///< KeyValueParameters: one for each key and value head
  kParameters,  ///< Parameters: one for the layer
};

/// The properties of a matrix that do not depend on the problem.
struct MatrixInfo {
  MatrixId id;
  std::string_view name;  ///< in commands and messages
  MatrixOwner owner;
  Axis rows, cols;
  Stage stage;  ///< the stage that reads it; for X and X_kv, the stage itself
  Reach reach;  ///< which of its numbers contribute to one number of that stage
  /// Whether it must be present; other matrices may be empty.
  bool required = false;
  float absent = 0;  ///< the value of every cell when it is empty
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
/// "beta", "mask", "score_bias", "position_table_kv", "norm_Q", "norm_K", "sink".
inline std::string_view matrix_name(MatrixId id) { return matrix_info(id).name; }
/// The matrix with that name, or nothing.
std::optional<MatrixId> matrix_from_name(std::string_view name);

/// True for the weights, biases, gamma, beta, norm_Q, norm_K and sinks; not for the inputs.
inline bool is_parameter(MatrixId id) { return matrix_info(id).owner != MatrixOwner::kProblem; }
/// True for the matrices of key and value heads: W_K, W_V, b_K, b_V.
inline bool is_per_kv_head(MatrixId id) { return matrix_info(id).owner == MatrixOwner::kKvHead; }
/// True when there is one per head: per query head for W_Q, b_Q and sink, per key and value head
/// for the others.
inline bool is_per_head(MatrixId id) {
  return is_per_kv_head(id) || matrix_info(id).owner == MatrixOwner::kQueryHead;
}
/// The number of such matrices in a model: one per head, or one.
int matrix_count(const Config& config, MatrixId id);
/// Whether the formula reads the matrix: b_Q only with biases, gamma only with layer_norm,
/// norm_Q only with head_norm, sink only with sinks, X_kv only with a second sentence.
bool is_in_use(const Problem& problem, MatrixId id);
/// The value of every cell of an absent matrix: 1 for gamma, norm_Q, norm_K and the mask, 0 for the
/// others.
inline float absent_value(MatrixId id) { return matrix_info(id).absent; }

/// The shape of a parameter in a layer with this config. Precondition: is_parameter(id).
Shape parameter_shape(const Config& config, MatrixId id);
/// What its columns stand for: those of the table, except that norm_Q and norm_K are of all heads
/// side by side with Config::head_norm_joint.
Axis column_axis(const Config& config, MatrixId id);

// Each of the following calls visit(const MatrixInfo&, matrix) or visit(const MatrixInfo&, head,
// matrix) for every matrix, absent ones included; `head` counts query heads, or key and value
// heads, from 0, and is 0 where there is one for all. They take Problem, Parameters and their
// heads, const or not, and any struct with the same members, such as gradients.

/// The matrices of one query head.
template <typename Head, typename Visit>
void for_each_query_matrix(Head& head, Visit&& visit) {
  visit(matrix_info(MatrixId::kWQ), head.W_Q);
  visit(matrix_info(MatrixId::kBQ), head.b_Q);
  visit(matrix_info(MatrixId::kSink), head.sink);
}

/// The matrices of one key and value head.
template <typename Head, typename Visit>
void for_each_kv_matrix(Head& head, Visit&& visit) {
  visit(matrix_info(MatrixId::kWK), head.W_K);
  visit(matrix_info(MatrixId::kWV), head.W_V);
  visit(matrix_info(MatrixId::kBK), head.b_K);
  visit(matrix_info(MatrixId::kBV), head.b_V);
}

/// The matrices that all heads share.
template <typename ParametersLike, typename Visit>
void for_each_common_matrix(ParametersLike& parameters, Visit&& visit) {
  visit(matrix_info(MatrixId::kWO), parameters.W_O);
  visit(matrix_info(MatrixId::kBO), parameters.b_O);
  visit(matrix_info(MatrixId::kGamma), parameters.gamma);
  visit(matrix_info(MatrixId::kBeta), parameters.beta);
  visit(matrix_info(MatrixId::kNormQ), parameters.norm_Q);
  visit(matrix_info(MatrixId::kNormK), parameters.norm_K);
}

/// Every parameter: first those of the query heads, then those of the key and value heads, then the
/// shared ones.
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

/// All matrices in the order of for_each_matrix; the pointers are valid until `problem` is changed
/// or destroyed.
std::vector<const SharedMatrix*> matrices_of(const Problem& problem);

/// The matrix of that id; `head` counts query heads, or key and value heads, from 0, and is ignored
/// for matrices that all heads share. Empty when absent. Throws std::out_of_range when there is no
/// such head.
const SharedMatrix& matrix_of(const Problem& problem, MatrixId id, Index head);
/// The same, for writing.
SharedMatrix& matrix_of(Problem& problem, MatrixId id, Index head);

/// True when a number of a weight matrix is 0 or 1 because of Problem::input_parts, whatever the
/// network's weights are: it cannot be edited, and its gradient is 0.
bool is_fixed(const Problem& problem, MatrixId id, Index row, Index col);

}  // namespace attention
