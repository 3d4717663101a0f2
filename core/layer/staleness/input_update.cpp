#include "core/layer/staleness/update.h"

#include "core/layer/stages.h"

namespace attention {
namespace {

// One side of the input: the queries' sentence, or the keys'.
struct Side {
  Stage position_stage, stage;
  const SharedMatrix &embedding_before, &embedding, &table_before, &table;
};

// The rows of a learned table that are read.
Change changed_table(const Side& side, Index rows) {
  const Change change = changed_rows(side.table_before, side.table);
  if (!change.is_rows()) return change;
  const Index end = std::min(rows, change.first + change.count);
  return end > change.first ? Change::rows(change.first, end - change.first) : Change{};
}

void fill_positions(const Config& config, const Side& side, Matrix& values) {
  if (config.positions == Positions::kLearned) {
    values = side.table->topRows(values.rows());
  } else {
    values = sinusoidal_positions(values.rows(), values.cols());
  }
}

Change update_position(const Plan& plan, const Side& side, SharedMatrix& position,
                       std::vector<Recomputation>& log) {
  const Config &before = plan.before().config, &now = plan.now().config;
  if (!plan.active(side.position_stage)) {
    const bool was_there = !position.empty();
    position = {};
    return was_there ? Change::whole() : Change{};
  }
  Change stale;
  if (now.positions == Positions::kLearned) stale = changed_table(side, side.embedding->rows());
  if (now.positions != before.positions) stale = Change::whole();
  return plan.write(side.position_stage, 0, stale, position, log,
                    [&](Matrix& values, const CellBlock&) { fill_positions(now, side, values); });
}

void fill_input(const Side& side, const SharedMatrix& position, const CellBlock& box,
                Matrix& values) {
  const auto embedding = side.embedding->middleRows(box.row, box.rows);
  auto result = values.middleRows(box.row, box.rows);
  if (position.empty()) {
    result = embedding;
  } else {
    add_positions(embedding, position->middleRows(box.row, box.rows), result);
  }
}

Change update_side(const Plan& plan, const Side& side, SharedMatrix& position, SharedMatrix& X,
                   std::vector<Recomputation>& log) {
  const Change positions = update_position(plan, side, position, log);
  const Change rows = changed_rows(side.embedding_before, side.embedding);
  if (!plan.active(side.stage)) return Plan::share(X, side.embedding, either(rows, positions));
  return plan.write(
      side.stage, 0, either(rows, positions), X, log,
      [&](Matrix& values, const CellBlock& box) { fill_input(side, position, box, values); });
}

}  // namespace

InputChanges update_inputs(const Plan& plan, Trace& trace, std::vector<Recomputation>& log) {
  const Problem &before = plan.before(), &now = plan.now();
  forget_if_same(trace.X_kv, trace.X);
  forget_if_same(trace.X_kv, before.embedding_kv);
  forget_if_same(trace.X, before.embedding);
  InputChanges changes;
  changes.X = update_side(plan,
                          {Stage::kPosition, Stage::kX, before.embedding, now.embedding,
                           before.position_table, now.position_table},
                          trace.position, trace.X, log);
  if (now.cross()) {
    changes.X_kv =
        update_side(plan,
                    {Stage::kPositionKv, Stage::kXKv, before.embedding_kv, now.embedding_kv,
                     before.kv_position_table(), now.kv_position_table()},
                    trace.position_kv, trace.X_kv, log);
  } else {
    trace.position_kv = {};
    const Change shared = Plan::share(trace.X_kv, trace.X, changes.X);
    changes.X_kv = before.cross() ? Change::whole() : shared;
  }
  return changes;
}

}  // namespace attention
