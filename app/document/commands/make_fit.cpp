#include <algorithm>

#include "app/document/commands/reduce.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::Override;
using attention::Problem;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

namespace {

// Drops a matrix given score by score when the shape of the scores has changed.
void drop_unless(SharedMatrix& matrix, Shape shape) {
  if (matrix.shape() != shape) matrix = {};
}

// Extra rows are kept, because the words may come back.
void grow_table(SharedMatrix& table, Shape wanted) {
  if (table->rows() >= wanted.rows) return;
  Matrix grown = Matrix::Zero(wanted.rows, wanted.cols);
  if (!table.empty()) grown.topRows(table->rows()) = *table;
  table = SharedMatrix(std::move(grown));
}

// Learned positions need a table from the start; an unused one is kept up to date.
void grow_tables(Problem& problem) {
  const Shape wanted{std::max(problem.seq_len(), problem.kv_len()), problem.config.d_model};
  const bool learned = problem.config.positions == attention::Positions::kLearned;
  if (learned || !problem.position_table.empty()) grow_table(problem.position_table, wanted);
  if (!problem.position_table_kv.empty()) grow_table(problem.position_table_kv, wanted);
}

bool has_cell(const Problem& problem, const Override& o) {
  if (o.stage == Stage::kXKv && !problem.cross()) return false;
  const attention::Config& config = problem.config;
  const int sharing = is_per_kv_head(o.stage) ? heads_per_kv_head(config) : 1;
  const Shape shape = stage_shape(problem, o.stage);
  return o.head < config.n_heads && o.head % sharing == 0 && o.row < shape.rows &&
         o.col < shape.cols;
}

}  // namespace

void make_fit(Problem& problem) {
  const Shape pairs{problem.seq_len(), problem.kv_len()};
  drop_unless(problem.allowed, pairs);
  drop_unless(problem.bias, pairs);
  grow_tables(problem);
  std::erase_if(problem.overrides, [&](const Override& o) { return !has_cell(problem, o); });
}

}  // namespace lab
