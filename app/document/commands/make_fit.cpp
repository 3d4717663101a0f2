#include <algorithm>

#include "app/document/commands/reduce.h"
#include "app/document/words/remap_cells.h"

namespace lab {

using attention::Matrix;
using attention::Problem;
using attention::Shape;
using attention::SharedMatrix;

namespace {

// Extra rows are kept, because the words may come back.
void grow_table(SharedMatrix& table, Shape needed) {
  if (table->rows() >= needed.rows) return;
  Matrix grown = Matrix::Zero(needed.rows, needed.cols);
  if (!table.empty()) grown.topRows(table->rows()) = *table;
  table = SharedMatrix(std::move(grown));
}

// Learned positions need a table from the start; an unused one is kept up to date.
void grow_tables(Problem& problem) {
  const Shape needed{std::max(problem.seq_len(), problem.kv_len()), problem.config.d_model};
  const bool learned = problem.config.positions == attention::Positions::kLearned;
  if (learned || !problem.position_table.empty()) grow_table(problem.position_table, needed);
  if (!problem.position_table_kv.empty()) grow_table(problem.position_table_kv, needed);
}

}  // namespace

void make_fit(Document& document) {
  grow_tables(document.problem);
  remap_cells(document);
}

void make_fit(Document& document, const FollowedLines& words) {
  grow_tables(document.problem);
  remap_cells(document, words);
}

}  // namespace lab
