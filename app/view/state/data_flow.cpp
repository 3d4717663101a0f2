#include "app/view/state/data_flow.h"

#include "core/layer/positions.h"

namespace lab::view {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Problem;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

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
  // The column of a parameter that makes this column.
  void column(std::string_view name, const SharedMatrix& matrix, Index head) {
    found_.push_back({name, head, {0, cell_.col, matrix->rows(), 1}});
  }
  void bias(std::string_view name, const SharedMatrix& matrix, Index head) {
    if (problem_.config.biases && !matrix.empty()) single(name, matrix, {0, cell_.col}, head);
  }
  void single(std::string_view name, const SharedMatrix& matrix, std::pair<Index, Index> at,
              Index head = 0) {
    if (!matrix.empty()) found_.push_back({name, head, {at.first, at.second, 1, 1}});
  }
  void add(Stage stage, const CellBox& box, Index head) {
    found_.push_back({stage_name(stage), is_per_head(stage) ? head : 0, box});
  }
  Stage step(Stage stage) const { return last_step(problem_, stage); }
  bool has(Stage stage) const { return stage_shape(problem_, stage) != Shape{}; }
  LitRegions take() { return std::move(found_); }

 private:
  void add(Stage stage, const CellBox& box) { add(stage, box, cell_.head); }

  const Problem& problem_;
  const CellRef& cell_;
  LitRegions found_;
};

Stage keys_input(const Problem& problem) { return problem.cross() ? Stage::kXKv : Stage::kX; }

void position_sources(Regions& regions, const Problem& problem, const CellRef& cell, bool keys) {
  if (problem.config.positions != attention::Positions::kLearned) return;
  const bool own_table = keys && !problem.position_table_kv.empty();
  regions.single(own_table ? "position_table_kv" : "position_table",
                 own_table ? problem.position_table_kv : problem.position_table,
                 {cell.row, cell.col});
}

void input_sources(Regions& regions, const Problem& problem, const CellRef& cell, Stage stage) {
  const bool keys = has_key_rows(stage);
  if (stage == Stage::kPosition || stage == Stage::kPositionKv)
    return position_sources(regions, problem, cell, keys);
  if (stage != Stage::kX && stage != Stage::kXKv) return;
  if (keys && !problem.cross()) return regions.cell(Stage::kX);
  regions.cell(keys ? Stage::kEmbeddingKv : Stage::kEmbedding);
  const Stage position = keys ? Stage::kPositionKv : Stage::kPosition;
  if (regions.has(position)) regions.cell(position);
}

void projection_sources(Regions& regions, const Problem& problem, const CellRef& cell,
                        Stage stage) {
  regions.row(stage == Stage::kQ ? Stage::kX : keys_input(problem));
  if (stage == Stage::kQ) {
    const auto& [W_Q, b_Q] = problem.parameters.heads[static_cast<std::size_t>(cell.head)];
    regions.column("W_Q", W_Q, cell.head);
    return regions.bias("b_Q", b_Q, cell.head);
  }
  const auto& [W_K, W_V, b_K, b_V] = problem.kv_parameters(cell.head);
  const bool key = stage == Stage::kK;
  regions.column(key ? "W_K" : "W_V", key ? W_K : W_V, cell.head);
  regions.bias(key ? "b_K" : "b_V", key ? b_K : b_V, cell.head);
}

void rotation_sources(Regions& regions, const Problem& problem, const CellRef& cell, Stage before) {
  const auto& config = problem.config;
  if (config.positions != attention::Positions::kRotary) return regions.cell(before);
  const bool adjacent = config.rotary_pairs == attention::RotaryPairs::kAdjacent;
  const auto [first, second] =
      rotary_columns(config, adjacent ? cell.col / 2 : cell.col % (config.d_k / 2));
  regions.cell(before, first);
  regions.cell(before, second);
}

void score_sources(Regions& regions, const Problem& problem, const CellRef& cell, Stage stage) {
  switch (stage) {
    case Stage::kScores:
      regions.row(regions.step(Stage::kRotatedQ));
      return regions.row(regions.step(Stage::kRotatedK), cell.col);
    case Stage::kScaledScores:
      return regions.cell(Stage::kScores);
    case Stage::kMaskedScores:
      regions.cell(regions.step(Stage::kScaledScores));
      return regions.single("bias", problem.bias, {cell.row, cell.col});
    case Stage::kWeights:
      return regions.row(regions.step(Stage::kMaskedScores));
    default:
      return regions.cell(Stage::kWeights);
  }
}

void norm_sources(Regions& regions, const Problem& problem, const CellRef& cell) {
  const Stage before = regions.step(Stage::kResidual);
  if (!problem.config.layer_norm) return regions.cell(before);
  regions.row(before);
  regions.single("gamma", problem.parameters.gamma, {0, cell.col});
  regions.single("beta", problem.parameters.beta, {0, cell.col});
}

void output_sources(Regions& regions, const Problem& problem, const CellRef& cell, Stage stage) {
  const Index d_v = problem.config.d_v;
  switch (stage) {
    case Stage::kHeadOutput:
      regions.row(regions.step(Stage::kDroppedWeights));
      return regions.column(Stage::kV);
    case Stage::kConcat:
      return regions.add(Stage::kHeadOutput, {cell.row, cell.col % d_v, 1, 1}, cell.col / d_v);
    case Stage::kOutput:
      regions.row(Stage::kConcat);
      regions.column("W_O", problem.parameters.W_O, 0);
      return regions.bias("b_O", problem.parameters.b_O, 0);
    case Stage::kResidual:
      if (problem.config.residual) regions.cell(Stage::kX);
      return regions.cell(Stage::kOutput);
    default:
      return norm_sources(regions, problem, cell);
  }
}

void embedding_feeds(Regions& regions, const Problem& problem, bool keys) {
  regions.cell(keys ? Stage::kXKv : Stage::kX);
  if (!keys) regions.row(Stage::kQ);
  if (keys != problem.cross()) return;
  regions.row(Stage::kK);
  regions.row(Stage::kV);
}

}  // namespace

LitRegions source_regions(const Problem& problem, const CellRef& cell) {
  Regions regions(problem, cell);
  const auto stage = attention::stage_from_name(cell.matrix);
  if (!stage) return {};
  if (*stage < Stage::kQ) {
    input_sources(regions, problem, cell, *stage);
  } else if (*stage <= Stage::kV) {
    projection_sources(regions, problem, cell, *stage);
  } else if (*stage <= Stage::kRotatedK) {
    rotation_sources(regions, problem, cell, *stage == Stage::kRotatedQ ? Stage::kQ : Stage::kK);
  } else if (has_key_columns(*stage)) {
    score_sources(regions, problem, cell, *stage);
  } else {
    output_sources(regions, problem, cell, *stage);
  }
  return regions.take();
}

LitRegions fed_regions(const Problem& problem, const CellRef& cell) {
  Regions regions(problem, cell);
  const std::string_view name = cell.matrix;
  if (name == "embedding") embedding_feeds(regions, problem, false);
  if (name == "embedding_kv") embedding_feeds(regions, problem, true);
  if (name == "W_Q" || name == "b_Q") regions.column(Stage::kQ);
  if (name == "W_K" || name == "b_K") regions.column(Stage::kK);
  if (name == "W_V" || name == "b_V") regions.column(Stage::kV);
  if (name == "W_O") regions.column(Stage::kConcat, cell.row);
  if (name == "W_O" || name == "b_O") regions.column(Stage::kOutput);
  if (name == "bias") regions.cell(Stage::kMaskedScores);
  if (name == "gamma" || name == "beta") regions.column(Stage::kLayerNorm);
  if (name == "position_table" && cell.row < problem.seq_len()) regions.cell(Stage::kPosition);
  const bool serves_keys = problem.cross() && problem.position_table_kv.empty();
  if (name == "position_table" && serves_keys && cell.row < problem.kv_len())
    regions.cell(Stage::kPositionKv);
  if (name == "position_table_kv" && cell.row < problem.kv_len()) regions.cell(Stage::kPositionKv);
  return regions.take();
}

LitRegions token_regions(const Problem& problem, Index query, Index head) {
  const CellRef token{stage_name(Stage::kX), head, query, 0};
  Regions regions(problem, token);
  for (const Stage stage : {Stage::kEmbedding, Stage::kX, Stage::kQ, Stage::kWeights})
    regions.row(stage);
  if (problem.cross()) return regions.take();
  for (const Stage stage : {Stage::kK, Stage::kV}) regions.row(stage);
  return regions.take();
}

LitRegions key_regions(const Problem& problem, Index key, Index head) {
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
