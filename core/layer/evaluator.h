#pragma once

#include <vector>

#include "core/layer/evaluation_report.h"
#include "core/layer/positions.h"
#include "core/layer/trace.h"
#include "core/numerics/thread_pool.h"
#include "core/numerics/work_watch.h"

namespace attention {

/// Computes a Trace and, after an edit, recomputes only what depends on it.
///
/// Edits are found by comparing the problem's matrices with those of the last evaluation; matrices
/// of the same version are not compared. A stage whose operands did not change is kept. Where only
/// rows or columns of an operand changed, only the rows or columns of the result that depend on
/// them are recomputed, always from the operands and never by adding a difference, so that errors
/// do not accumulate: what is computed whole equals a full computation bit for bit, what is
/// computed in part differs from it by the rounding of one sum.
///
/// Matrices of the last trace that nobody else holds are overwritten. An evaluator must be used by
/// one thread at a time; different evaluators are independent.
class Evaluator {
 public:
  /// Large computations are spread over `threads` threads; the results do not depend on how many.
  /// Throws std::system_error, as std::thread does, when they cannot be started.
  explicit Evaluator(int threads = 1) : pool_(threads) {}

  /// Updates the trace for `problem` and returns it; the reference is valid until the next call.
  /// Throws std::invalid_argument as validate() does; the trace is then unchanged. Throws
  /// std::bad_alloc when memory runs out, and WorkStopped when `watch`, which may be null, was
  /// stopped; the trace is then empty.
  const Trace& evaluate(const Problem& problem, WorkWatch* watch = nullptr);

  /// The trace of the last evaluation; empty before the first.
  const Trace& trace() const { return trace_; }
  /// What the last evaluation recomputed.
  const EvaluationReport& report() const { return report_; }

 private:
  void update(const Problem& problem, WorkWatch* watch);
  void update_rotary_table(const Problem& problem);
  void reset();

  Problem last_;
  Trace trace_;
  EvaluationReport report_;
  RotaryTable rotary_;
  std::vector<HeadChanges> changes_;  // of the last evaluation; kept to reuse their storage
  std::vector<Matrix> parts_;         // see OutputUpdate
  ThreadPool pool_;
};

}  // namespace attention
