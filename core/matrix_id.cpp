#include "core/matrix_id.h"

#include <algorithm>

namespace attention {
namespace {

bool has_biases(const Problem& problem) { return problem.config.biases; }

bool normalises(const Problem& problem) { return problem.config.layer_norm; }

bool normalises_heads(const Problem& problem) { return problem.config.head_norm; }

bool has_sinks(const Problem& problem) { return problem.config.sink; }

bool learns_positions(const Problem& problem) {
  return problem.config.positions == Positions::kLearned;
}

bool has_keys_sentence(const Problem& problem) { return problem.cross(); }

bool learns_key_positions(const Problem& problem) {
  return problem.cross() && learns_positions(problem);
}

// One function for const and mutable problems.
template <typename AnyProblem>
auto& find_matrix(AnyProblem& problem, MatrixId id, Index head) {
  decltype(&problem.embedding) found = nullptr;
  const auto take = [&](const MatrixInfo& info, auto& matrix) {
    if (info.id == id) found = &matrix;
  };
  switch (matrix_info(id).owner) {
    case MatrixOwner::kQueryHead:
      for_each_query_matrix(problem.parameters.heads.at(static_cast<size_t>(head)), take);
      break;
    case MatrixOwner::kKvHead:
      for_each_kv_matrix(problem.parameters.kv_heads.at(static_cast<size_t>(head)), take);
      break;
    case MatrixOwner::kParameters:
      for_each_common_matrix(problem.parameters, take);
      break;
    case MatrixOwner::kProblem:
      for_each_input(problem, take);
      break;
  }
  return *found;
}

}  // namespace

constexpr std::array<MatrixInfo, kMatrixCount> kMatrixInfos = {{
    {.id = MatrixId::kX,
     .name = "X",
     .owner = MatrixOwner::kProblem,
     .rows = Axis::kQueries,
     .cols = Axis::kModel,
     .stage = Stage::kEmbedding,
     .reach = Reach::kCell,
     .required = true},
    {.id = MatrixId::kWQ,
     .name = "W_Q",
     .owner = MatrixOwner::kQueryHead,
     .rows = Axis::kModel,
     .cols = Axis::kKeyFeatures,
     .stage = Stage::kQ,
     .reach = Reach::kColumn,
     .required = true},
    {.id = MatrixId::kWK,
     .name = "W_K",
     .owner = MatrixOwner::kKvHead,
     .rows = Axis::kModel,
     .cols = Axis::kKeyFeatures,
     .stage = Stage::kK,
     .reach = Reach::kColumn,
     .required = true},
    {.id = MatrixId::kWV,
     .name = "W_V",
     .owner = MatrixOwner::kKvHead,
     .rows = Axis::kModel,
     .cols = Axis::kValueFeatures,
     .stage = Stage::kV,
     .reach = Reach::kColumn,
     .required = true},
    {.id = MatrixId::kWO,
     .name = "W_O",
     .owner = MatrixOwner::kParameters,
     .rows = Axis::kConcat,
     .cols = Axis::kOut,
     .stage = Stage::kOutput,
     .reach = Reach::kColumn,
     .required = true},
    {.id = MatrixId::kBQ,
     .name = "b_Q",
     .owner = MatrixOwner::kQueryHead,
     .rows = Axis::kOne,
     .cols = Axis::kKeyFeatures,
     .stage = Stage::kQ,
     .reach = Reach::kColumn,
     .in_use = has_biases},
    {.id = MatrixId::kBK,
     .name = "b_K",
     .owner = MatrixOwner::kKvHead,
     .rows = Axis::kOne,
     .cols = Axis::kKeyFeatures,
     .stage = Stage::kK,
     .reach = Reach::kColumn,
     .in_use = has_biases},
    {.id = MatrixId::kBV,
     .name = "b_V",
     .owner = MatrixOwner::kKvHead,
     .rows = Axis::kOne,
     .cols = Axis::kValueFeatures,
     .stage = Stage::kV,
     .reach = Reach::kColumn,
     .in_use = has_biases},
    {.id = MatrixId::kBO,
     .name = "b_O",
     .owner = MatrixOwner::kParameters,
     .rows = Axis::kOne,
     .cols = Axis::kOut,
     .stage = Stage::kOutput,
     .reach = Reach::kColumn,
     .in_use = has_biases},
    {.id = MatrixId::kXKv,
     .name = "X_kv",
     .owner = MatrixOwner::kProblem,
     .rows = Axis::kKeys,
     .cols = Axis::kModel,
     .stage = Stage::kEmbeddingKv,
     .reach = Reach::kCell,
     .in_use = has_keys_sentence},
    {.id = MatrixId::kPositionTable,
     .name = "position_table",
     .owner = MatrixOwner::kProblem,
     .rows = Axis::kPositions,
     .cols = Axis::kModel,
     .stage = Stage::kPosition,
     .reach = Reach::kCell,
     .in_use = learns_positions},
    {.id = MatrixId::kGamma,
     .name = "gamma",
     .owner = MatrixOwner::kParameters,
     .rows = Axis::kOne,
     .cols = Axis::kOut,
     .stage = Stage::kLayerNorm,
     .reach = Reach::kColumn,
     .absent = 1,
     .in_use = normalises},
    {.id = MatrixId::kBeta,
     .name = "beta",
     .owner = MatrixOwner::kParameters,
     .rows = Axis::kOne,
     .cols = Axis::kOut,
     .stage = Stage::kLayerNorm,
     .reach = Reach::kColumn,
     .in_use = normalises},
    {.id = MatrixId::kMask,
     .name = "mask",
     .owner = MatrixOwner::kProblem,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .stage = Stage::kMaskedScores,
     .reach = Reach::kCell,
     .absent = 1},
    {.id = MatrixId::kScoreBias,
     .name = "score_bias",
     .owner = MatrixOwner::kProblem,
     .rows = Axis::kQueries,
     .cols = Axis::kKeys,
     .stage = Stage::kMaskedScores,
     .reach = Reach::kCell},
    {.id = MatrixId::kPositionTableKv,
     .name = "position_table_kv",
     .owner = MatrixOwner::kProblem,
     .rows = Axis::kPositions,
     .cols = Axis::kModel,
     .stage = Stage::kPositionKv,
     .reach = Reach::kCell,
     .in_use = learns_key_positions},
    {.id = MatrixId::kNormQ,
     .name = "norm_Q",
     .owner = MatrixOwner::kParameters,
     .rows = Axis::kOne,
     .cols = Axis::kKeyFeatures,
     .stage = Stage::kNormedQ,
     .reach = Reach::kColumn,
     .absent = 1,
     .in_use = normalises_heads},
    {.id = MatrixId::kNormK,
     .name = "norm_K",
     .owner = MatrixOwner::kParameters,
     .rows = Axis::kOne,
     .cols = Axis::kKeyFeatures,
     .stage = Stage::kNormedK,
     .reach = Reach::kColumn,
     .absent = 1,
     .in_use = normalises_heads},
    {.id = MatrixId::kSink,
     .name = "sink",
     .owner = MatrixOwner::kQueryHead,
     .rows = Axis::kOne,
     .cols = Axis::kOne,
     .stage = Stage::kWeights,
     .reach = Reach::kWhole,
     .in_use = has_sinks},
}};

namespace {

// The table is indexed by the number of the matrix.
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kMatrixCount; ++i) {
    if (kMatrixInfos[i].id != static_cast<MatrixId>(i)) return false;
  }
  return true;
}
static_assert(is_in_order(), "a record for each matrix, in the order of MatrixId");

}  // namespace

std::optional<MatrixId> matrix_from_name(std::string_view name) {
  const auto found = std::ranges::find(kMatrixInfos, name, &MatrixInfo::name);
  if (found == kMatrixInfos.end()) return std::nullopt;
  return found->id;
}

int matrix_count(const Config& config, MatrixId id) {
  if (!is_per_head(id)) return 1;
  return is_per_kv_head(id) ? kv_head_count(config) : config.n_heads;
}

bool is_in_use(const Problem& problem, MatrixId id) {
  const auto in_use = matrix_info(id).in_use;
  return in_use == nullptr || in_use(problem);
}

Shape parameter_shape(const Config& config, MatrixId id) {
  return {axis_length(config, matrix_info(id).rows), axis_length(config, column_axis(config, id))};
}

Axis column_axis(const Config& config, MatrixId id) {
  if (config.head_norm_joint && id == MatrixId::kNormQ) return Axis::kQueryHeads;
  if (config.head_norm_joint && id == MatrixId::kNormK) return Axis::kKeyHeads;
  return matrix_info(id).cols;
}

std::vector<const SharedMatrix*> matrices_of(const Problem& problem) {
  std::vector<const SharedMatrix*> all;
  for_each_matrix(problem, [&](const MatrixInfo&, Index, const SharedMatrix& matrix) {
    all.push_back(&matrix);
  });
  return all;
}

const SharedMatrix& matrix_of(const Problem& problem, MatrixId id, Index head) {
  return find_matrix(problem, id, head);
}

SharedMatrix& matrix_of(Problem& problem, MatrixId id, Index head) {
  return find_matrix(problem, id, head);
}

bool is_fixed(const Problem& problem, MatrixId id, Index row, Index col) {
  if (!problem.input_parts) return false;
  const auto& [query, key_value, key, compressed_query] = *problem.input_parts;
  const bool compressed = row >= query && row < query + key_value;
  const bool copied = col >= problem.config.d_k - key;
  switch (id) {
    case MatrixId::kWQ:
      return row >= query;
    case MatrixId::kWK:
      return !compressed || copied;
    case MatrixId::kWV:
      return !compressed;
    case MatrixId::kBK:
      return copied;
    default:
      return false;
  }
}

}  // namespace attention
