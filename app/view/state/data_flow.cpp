#include "app/view/state/data_flow.h"

#include "core/layer/positions.h"
#include "core/matrix_id.h"

namespace lab::view {
namespace {

using attention::Axis;
using attention::CellRef;
using attention::Index;
using attention::MatrixId;
using attention::Problem;
using attention::Reach;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

// The name of the matrix as an operand.
std::string_view cell_name(const attention::MatrixInfo& info) {
  return info.id == MatrixId::kScoreBias ? "bias" : info.name;
}

// Collects the regions that belong to one cell.
class Regions {
 public:
  Regions(const Problem& problem, const CellRef& cell) : problem_(problem), cell_(cell) {}

  void cell(Stage stage) { add(stage, {cell_.row, cell_.col, 1, 1}); }
  void cell(Stage stage, Index col) { add(stage, {cell_.row, col, 1, 1}); }
  void row(Stage stage) { row(stage, cell_.row); }
  void row(Stage stage, Index row) { add(stage, {row, 0, 1, stage_shape(problem_, stage).cols}); }
  void column(Stage stage) { column(stage, cell_.col); }
  void column(Stage stage, Index col) {
    add(stage, {0, col, stage_shape(problem_, stage).rows, 1});
  }
  // The row in every head.
  void row_of_heads(Stage stage) {
    for (Index head = 0; head < problem_.config.n_heads; ++head)
      add(stage, {cell_.row, 0, 1, stage_shape(problem_, stage).cols}, head);
  }
  // Adds the cells of `info` that contribute to the cell; nothing when it is absent.
  void matrix(const attention::MatrixInfo& info, const SharedMatrix& matrix) {
    if (matrix.empty()) return;
    found_.push_back(
        {cell_name(info), is_per_head(info.id) ? cell_.head : 0, box_of(info, *matrix)});
  }
  void add(Stage stage, const CellBlock& box, Index head) {
    found_.push_back({stage_name(stage), is_per_head(stage) ? head : 0, box});
  }
  void whole(Stage stage) {
    const Shape shape = stage_shape(problem_, stage);
    add(stage, {0, 0, shape.rows, shape.cols});
  }
  bool has(Stage stage) const { return stage_shape(problem_, stage) != Shape{}; }
  HighlightRegions take() { return std::move(found_); }

 private:
  void add(Stage stage, const CellBlock& box) { add(stage, box, cell_.head); }
  // The cells of a matrix that contribute to the cell.
  CellBlock box_of(const attention::MatrixInfo& info, const attention::Matrix& matrix) const {
    if (info.reach == Reach::kWhole) return {0, 0, matrix.rows(), matrix.cols()};
    const Index col = cell_.col + first_factor(info);
    return info.reach == Reach::kColumn ? CellBlock{0, col, matrix.rows(), 1}
                                        : CellBlock{cell_.row, cell_.col, 1, 1};
  }

  // The first column of the head in the factors of all heads side by side.
  Index first_factor(const attention::MatrixInfo& info) const {
    const auto& config = problem_.config;
    const Axis columns = column_axis(config, info.id);
    if (columns == Axis::kQueryHeads) return cell_.head * config.d_k;
    if (columns != Axis::kKeyHeads) return 0;
    return kv_head_of(config, static_cast<int>(cell_.head)) * Index{config.d_k};
  }

  const Problem& problem_;
  const CellRef& cell_;
  HighlightRegions found_;
};

// The matrix that query head `head` reads.
const SharedMatrix& read_matrix(const Problem& problem, const attention::MatrixInfo& info,
                                Index head) {
  const auto& config = problem.config;
  const Index number = is_per_kv_head(info.id) ? kv_head_of(config, static_cast<int>(head)) : head;
  return matrix_of(problem, info.id, number);
}

// X and X_kv keep their names even when they are the embeddings.
Stage operand_name(const Problem& problem, Stage stage) {
  if (stage == Stage::kXKv && !problem.cross()) return Stage::kX;
  const bool input = attention::stage_info(stage).section == attention::StageSection::kInput;
  return input ? stage : last_step(problem, stage);
}

void pair_sources(Regions& regions, const Problem& problem, const CellRef& cell, Stage before) {
  const auto pair = rotary_pair_of(problem, cell.col);
  if (!pair) return regions.cell(before, cell.col);
  const auto [first, second] = rotary_columns(problem, *pair);
  regions.cell(before, first);
  regions.cell(before, second);
}

// The stage that a norm of all heads together writes; see Config::head_norm_joint.
bool is_normed_jointly(const Problem& problem, std::string_view stage) {
  return problem.config.head_norm_joint &&
         (stage == stage_name(Stage::kNormedQ) || stage == stage_name(Stage::kNormedK));
}

void operand_sources(Regions& regions, const Problem& problem, const CellRef& cell,
                     const attention::StageOperand& operand) {
  const Index d_v = problem.config.d_v;
  const bool is_joint = is_normed_jointly(problem, cell.matrix);
  const Stage stage = operand_name(problem, operand.stage);
  if (operand.reach != Reach::kNone && !regions.has(stage)) return;
  switch (operand.reach) {
    case Reach::kNone:
      return;
    case Reach::kCell:
      return regions.cell(stage);
    case Reach::kRow:
      return is_joint ? regions.row_of_heads(stage) : regions.row(stage);
    case Reach::kKeyRow:
      return regions.row(stage, cell.col);
    case Reach::kColumn:
      return regions.column(stage);
    case Reach::kPair:
      return pair_sources(regions, problem, cell, stage);
    case Reach::kHeadCell:
      return regions.add(stage, {cell.row, cell.col % d_v, 1, 1}, cell.col / d_v);
    case Reach::kWhole:
      return regions.whole(stage);
  }
}

// Adds the parameters and tables that `stage` reads. Without their own table, the keys' positions
// are read from that of the queries.
void matrix_sources(Regions& regions, const Problem& problem, const CellRef& cell, Stage stage) {
  const bool shares_table = stage == Stage::kPositionKv && problem.position_table_kv.empty();
  const Stage reader = shares_table ? Stage::kPosition : stage;
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (info.stage != reader || info.id == MatrixId::kMask || !is_in_use(problem, info.id))
      continue;
    regions.matrix(info, read_matrix(problem, info, cell.head));
  }
}

void embedding_feeds(Regions& regions, const Problem& problem, bool keys) {
  regions.cell(keys ? Stage::kXKv : Stage::kX);
  if (!keys) regions.row(Stage::kQ);
  if (keys != problem.cross()) return;
  regions.row(Stage::kK);
  regions.row(Stage::kV);
}

// A factor of one of the heads whose factors stand side by side.
void joint_factor_feeds(Regions& regions, const Problem& problem, const attention::MatrixInfo& info,
                        Index col) {
  const Index d_k = problem.config.d_k;
  const Index sharing = info.id == MatrixId::kNormK ? heads_per_kv_head(problem.config) : 1;
  regions.add(info.stage, {0, col % d_k, stage_shape(problem, info.stage).rows, 1},
              col / d_k * sharing);
}

}  // namespace

HighlightRegions source_regions(const Problem& problem, const CellRef& cell) {
  Regions regions(problem, cell);
  const auto stage = attention::stage_from_name(cell.matrix);
  if (!stage || is_input(*stage) || !regions.has(*stage)) return {};
  if (is_switched_on(problem, *stage)) {
    for (const attention::StageOperand& operand : attention::stage_info(*stage).operands)
      operand_sources(regions, problem, cell, operand);
  } else if (const auto before = stage_before(problem, *stage)) {
    regions.cell(operand_name(problem, *before));
  }
  matrix_sources(regions, problem, cell, *stage);
  return regions.take();
}

HighlightRegions fed_regions(const Problem& problem, const CellRef& cell) {
  Regions regions(problem, cell);
  const std::string_view name = cell.matrix;
  if (name == "embedding") embedding_feeds(regions, problem, false);
  if (name == "embedding_kv") embedding_feeds(regions, problem, true);
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (cell_name(info) != name) continue;
    if (info.id == MatrixId::kWO) regions.column(Stage::kConcat, cell.row);
    const Axis columns = column_axis(problem.config, info.id);
    const bool of_heads = columns == Axis::kQueryHeads || columns == Axis::kKeyHeads;
    if (of_heads) joint_factor_feeds(regions, problem, info, cell.col);
    if (info.reach == Reach::kWhole)
      regions.whole(info.stage);
    else if (is_parameter(info.id) && !of_heads)
      regions.column(info.stage);
    if (info.id == MatrixId::kScoreBias) regions.cell(info.stage);
  }
  if (name == "position_table" && cell.row < problem.seq_len()) regions.cell(Stage::kPosition);
  const bool serves_keys = problem.cross() && problem.position_table_kv.empty();
  if (name == "position_table" && serves_keys && cell.row < problem.kv_len())
    regions.cell(Stage::kPositionKv);
  if (name == "position_table_kv" && cell.row < problem.kv_len()) regions.cell(Stage::kPositionKv);
  return regions.take();
}

HighlightRegions token_regions(const Problem& problem, Index query, Index head) {
  const CellRef token{stage_name(Stage::kX), head, query, 0};
  Regions regions(problem, token);
  for (const Stage stage : {Stage::kEmbedding, Stage::kX, Stage::kQ, Stage::kWeights})
    regions.row(stage);
  if (problem.cross()) return regions.take();
  for (const Stage stage : {Stage::kK, Stage::kV}) regions.row(stage);
  return regions.take();
}

HighlightRegions key_regions(const Problem& problem, Index key, Index head) {
  const CellRef token{stage_name(Stage::kXKv), head, key, key};
  Regions regions(problem, token);
  for (const Stage stage : {Stage::kEmbeddingKv, Stage::kXKv, Stage::kK, Stage::kV})
    regions.row(stage);
  regions.column(Stage::kWeights);
  return regions.take();
}

CellTokens tokens_of(const CellRef& cell) {
  CellTokens tokens;
  const auto stage = attention::stage_from_name(cell.matrix);
  if (!stage) return tokens;
  (has_key_rows(*stage) ? tokens.key : tokens.query) = cell.row;
  if (has_key_columns(*stage)) tokens.key = cell.col;
  return tokens;
}

}  // namespace lab::view
