#pragma once

#include "core/layer/positions.h"
#include "core/layer/staleness/input_update.h"

namespace attention {

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

  /// Q, normed_Q and rotated_Q, from `X`.
  void project_queries(const SharedMatrix& X);
  /// K, normed_K and rotated_K, from `X_kv`, as key and value head number `kv_head`.
  void project_keys(const SharedMatrix& X_kv, Index kv_head);
  /// V, from `X_kv`, as key and value head number `kv_head`.
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
  };

  Change project_and_finish(const Projection& projection, const Finish& finish, Log& log);
  Change update_norm(const Finish& finish, const Change& change, Log& log);
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

}  // namespace attention
