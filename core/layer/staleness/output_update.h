#pragma once

#include <span>

#include "core/layer/staleness/head_update.h"
#include "core/numerics/thread_pool.h"
#include "core/numerics/work_watch.h"

namespace attention {

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
