#pragma once

#include <array>

#include "core/layer/change.h"
#include "core/layer/evaluation_report.h"
#include "core/problem.h"

namespace attention {

/// A bias as the formula reads it: nothing while biases are switched off.
inline const SharedMatrix& bias_in_use(const Problem& problem, const SharedMatrix& bias) {
  static const SharedMatrix none;
  return problem.config.biases ? bias : none;
}

/// A stage that was no step of its own holds the handle of the one before it, which can be written
/// over only when it has no other holder: makes `stage` empty then.
inline void forget_if_same(SharedMatrix& stage, const SharedMatrix& before) {
  if (stage.same_as(before)) stage = {};
}

/// The rows and columns of a product of which `left` changed by rows and `right` by columns.
Change changed_product(const Change& left, const Change& right);

/// What one evaluation goes by: the problem of the last one and the problem now.
class Plan {
 public:
  /// Both problems must outlive the plan.
  Plan(const Problem& before, const Problem& now);

  /// The problem of the last evaluation.
  const Problem& before() const { return before_; }
  /// The problem that is evaluated.
  const Problem& now() const { return now_; }
  /// is_active() of the problem now.
  bool active(Stage stage) const { return active_[static_cast<size_t>(stage)]; }
  /// True when the problems differ in nothing but numbers of embeddings, position tables and
  /// parameters: a stage whose operands kept theirs needs no look.
  bool same_switches() const { return same_switches_; }
  /// True when an override of that matrix came, went or got another value.
  bool overrides_changed(Stage stage, Index head) const;

  /// Brings `matrix`, which holds `stage` of `head`, up to date. `stale` is what its operands
  /// changed of it; all of it is when its shape is another or its overrides changed. Calls
  /// fill(Matrix&, CellBlock) for that part, then sets the overrides. Returns what was written, and
  /// adds that to `log`; does nothing when nothing is stale.
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

  /// The same for a stage that is no step of its own now: makes `matrix` the handle `base` of the
  /// stage before it, which changed by `change`.
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
