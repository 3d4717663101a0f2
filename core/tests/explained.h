#pragma once

#include <utility>
#include <vector>

#include "core/explain/explain.h"
#include "core/layer/evaluator.h"

namespace attention::test {

/// A problem that was evaluated, and the arithmetic behind its cells.
class Explained {
 public:
  explicit Explained(Problem problem) : problem_(std::move(problem)) {
    evaluator_.evaluate(problem_);
  }

  const Problem& problem() const { return problem_; }
  const Trace& trace() const { return evaluator_.trace(); }
  const Matrix& matrix(Stage stage, Index head) const {
    return *stage_matrix(problem_, trace(), stage, head);
  }
  Explanation at(Stage stage, Index head, Index row, Index col) const {
    return explain(problem_, trace(), stage, head, row, col);
  }
  /// The number in a cell, without the signs of "sin" and "distance". Throws std::out_of_range when
  /// there is no such cell.
  float value_at(const CellRef& cell) const;

 private:
  Problem problem_;
  Evaluator evaluator_;
};

/// Three heads of d_k 4 and d_v 3 on d_model and d_out 6.
Config small_config();
/// A problem with every parameter that its config allows.
Problem problem_of(const Config& config, Index seq_len = 5, Index kv_len = 0);
/// problem_of(small_config()).
Problem plain_problem();
/// The plain problem evaluated.
Explained plain();
/// The plain problem with one switch of its config set, evaluated.
template <typename Setting>
Explained with(Setting Config::*setting, Setting value) {
  Config config = small_config();
  config.*setting = value;
  return Explained(problem_of(config));
}

using Cells = std::vector<CellRef>;
/// The cells of all operands, term by term.
Cells cells(const Explanation& e);

}  // namespace attention::test
