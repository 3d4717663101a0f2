#pragma once

#include <array>

#include "core/layer/change.h"
#include "core/layer/evaluation_report.h"
#include "core/problem.h"

namespace attention {

/// `bias`, or an empty matrix while biases are switched off.
inline const SharedMatrix& bias_in_use(const Problem& problem, const SharedMatrix& bias) {
  static const SharedMatrix none;
  return problem.config.biases ? bias : none;
}

/// Makes `stage` empty when it is the same handle as the stage before it: that one can be
/// overwritten only while nothing else holds it.
inline void forget_if_same(SharedMatrix& stage, const SharedMatrix& before) {
  if (stage.same_as(before)) stage = {};
}

/// True when the biases of all heads are the same matrices.
bool same_head_bias(const Problem& before, const Problem& now);

/// The part of a product that changes when `left` changes by rows and `right` by columns.
Change changed_product(const Change& left, const Change& right);

/// What an evaluation starts from: the problem of the last one and the current problem.
class Plan {
 public:
  /// Both problems must outlive the plan.
  Plan(const Problem& before, const Problem& now);

  /// The problem of the last evaluation.
  const Problem& before() const { return before_; }
  /// The problem being evaluated.
  const Problem& now() const { return now_; }
  /// is_active() of the current problem.
  bool active(Stage stage) const { return active_[static_cast<size_t>(stage)]; }
  /// True when the problems differ only in the numbers of embeddings, position tables and
  /// parameters: a stage whose operands did not change can be skipped.
  bool same_switches() const { return same_switches_; }
  /// True when an override of that matrix was added, removed or changed.
  bool overrides_changed(Stage stage, Index head) const;

  /// Updates `matrix`, which holds `stage` of `head`. `stale` is the part whose operands changed;
  /// when its shape or overrides changed, all of it is stale. Calls fill(Matrix&, CellBlock) for
  /// that part, then sets the overrides. Returns the part that was written and adds it to `log`;
  /// does nothing when nothing is stale.
  template <typename Fill>
  Change write(Stage stage, Index head, const Change& stale, SharedMatrix& matrix,
               std::vector<Recomputation>& log, Fill fill) const {
    const Shape shape = stage_shape(now_, stage);
    const Change part = stale_part(stage, head, stale, matrix, shape);
    if (part.is_none()) return part;
    Matrix values = part.is_whole() ? matrix.recycle(shape) : matrix.release();
    fill(values, cells_of(part, shape));
    set_overrides(stage, head, values);
    matrix = SharedMatrix(std::move(values));
    log.push_back({stage, head, part});
    return part;
  }

  /// The same for a stage that is inactive now: makes `matrix` the handle `base` of the stage
  /// before it, which changed by `change`.
  static Change share(SharedMatrix& matrix, const SharedMatrix& base, const Change& change);

  /// Writes the overrides of that matrix into it.
  void set_overrides(Stage stage, Index head, Matrix& values) const;

 private:
  Change stale_part(Stage stage, Index head, const Change& stale, const SharedMatrix& matrix,
                    Shape shape) const;

  const Problem& before_;
  const Problem& now_;
  std::array<bool, kAllStages.size()> active_{};
  bool overrides_differ_;
  bool same_switches_;
};

}  // namespace attention
