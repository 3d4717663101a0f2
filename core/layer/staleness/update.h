#pragma once

#include <span>

#include "core/layer/positions.h"
#include "core/layer/staleness/plan.h"
#include "core/layer/trace.h"
#include "core/numerics/thread_pool.h"
#include "core/numerics/work_watch.h"

namespace attention {

/// What changed in the inputs of both sides.
struct InputChanges {
  Change X, X_kv;
};

/// The queries, or the keys, of all heads, where they are normalised together
/// (Config::head_norm_joint).
struct RowsOfHeads {
  Change change;                 ///< what changed in that of any head
  Eigen::VectorXd mean_squares;  ///< of each row, over all heads
};

/// True when the heads of `config` cannot be normalised one by one.
inline bool normalises_jointly(const Config& config) {
  return config.head_norm && config.head_norm_joint;
}

/// Updates position, X, position_kv and X_kv; returns what changed.
InputChanges update_inputs(const Plan& plan, Trace& trace, std::vector<Recomputation>& log);

/// Updates the stages of one head, in the order of the formula. The projections of all heads are
/// independent of each other; attend() reads those of its own head.
class HeadUpdate {
 public:
  /// `head` counts from 0; all references must outlive the update. `rotary` is only read with
  /// rotary positions.
  HeadUpdate(const Plan& plan, const InputChanges& inputs, const RotaryTable& rotary, Index head,
             HeadTrace& trace, HeadChanges& changes)
      : plan_(plan),
        inputs_(inputs),
        rotary_(rotary),
        head_(head),
        trace_(trace),
        changes_(changes) {}

  /// Q, normed_Q and rotated_Q, from `X`. Where all heads are normalised together, Q only:
  /// finish_queries() gives the others once all heads have theirs, and until then
  /// HeadChanges::queries is what changed in Q.
  void project_queries(const SharedMatrix& X);
  /// normed_Q and rotated_Q, where all heads are normalised together.
  void finish_queries(const RowsOfHeads& all);
  /// K, normed_K and rotated_K, from `X_kv`, as key and value head number `kv_head`; likewise.
  void project_keys(const SharedMatrix& X_kv, Index kv_head);
  /// normed_K and rotated_K, likewise.
  void finish_keys(const RowsOfHeads& all, Index kv_head);
  /// V and normed_V, from `X_kv`, as key and value head number `kv_head`.
  void project_values(const SharedMatrix& X_kv, Index kv_head);
  /// Scores to head_output.
  void attend();

 private:
  struct Projection;
  using Log = std::vector<Recomputation>;

  Change update_projection(const Projection& projection, SharedMatrix& matrix, Log& log);
  // What follows a projection: the norm of each row, whose weight it was and is, and the rotation.
  struct Finish {
    Stage norm, rotation;
    const SharedMatrix &weight_before, &weight;
    Index number;                      // of the query head, or of the key and value head
    const RowsOfHeads* all = nullptr;  // null: the rows are normalised by themselves

    /// True when the norm has the weight that it had.
    bool same_weight() const { return weight.same_as(weight_before); }
    // What multiplies the rows of this head, of d_k features.
    MatrixView factors(Index d_k) const {
      if (all == nullptr || weight.empty()) return *weight;
      return weight->middleCols(number * d_k, d_k);
    }
  };

  Finish query_finish() const;
  Finish key_finish(Index kv_head) const;
  Change project_and_finish(const Projection& projection, const Finish& finish, Log& log);
  Change finish_together(Finish finish, const RowsOfHeads& all, Log& log);
  Change update_norm(const Finish& finish, const Change& change, Log& log);
  Change update_value_norm(const Change& change);
  Change update_rotation(Stage stage, const Change& change, Log& log);
  SharedMatrix& own(Stage stage) { return stage_matrix(trace_, stage); }
  const SharedMatrix& before(Stage stage) { return own(*stage_info(stage).repeats); }

  const Plan& plan_;
  const InputChanges& inputs_;
  const RotaryTable& rotary_;
  Index head_;
  HeadTrace& trace_;
  HeadChanges& changes_;
};

/// Updates concat, output, residual and layer_norm.
///
/// The output is the sum of one part for each head: its columns of concat times its rows of W_O.
/// When few heads changed, only their parts are recomputed and all parts are summed again, so the
/// parts are kept from the first such edit on; when most heads changed, the whole output is
/// computed, summed in the same order, and the parts are discarded.
class OutputUpdate {
 public:
  /// `heads` are the results of the heads' updates. `parts` is empty, or one [seq_len × d_out]
  /// matrix for each head that matches the trace of the last evaluation. `watch` may be null. All
  /// must outlive the update.
  OutputUpdate(const Plan& plan, std::span<const HeadChanges> heads, Trace& trace,
               std::vector<Matrix>& parts, ThreadPool& pool, std::vector<Recomputation>& log,
               WorkWatch* watch)
      : plan_(plan),
        heads_(heads),
        trace_(trace),
        parts_(parts),
        pool_(pool),
        log_(log),
        watch_(watch) {}

  /// `X` is the change of the queries' input, for the residual. Returns what changed in the output.
  Change run(const Change& X);

 private:
  void update_concat();
  void change_block(Index head, bool all);
  Change stale_output() const;
  bool few_heads_changed() const;
  Change update_output();
  void add_product(Index head, const CellBlock& box, Matrix& sum) const;
  void sum_products(Matrix& output, const CellBlock& box);
  void compute_part(Index head, const CellBlock& box);
  void update_parts(const CellBlock& box, const Change& W_O);
  void sum_parts(Matrix& output, const CellBlock& box) const;
  Change update_residual(const Change& X, const Change& output);
  void update_layer_norm(const Change& residual);

  const Plan& plan_;
  std::span<const HeadChanges> heads_;
  Trace& trace_;
  std::vector<Matrix>& parts_;
  ThreadPool& pool_;
  std::vector<Recomputation>& log_;
  WorkWatch* watch_;
  std::vector<Change> blocks_;  // what changed in each head's columns of concat
};

}  // namespace attention
