#pragma once

#include <vector>

#include "core/layer/evaluation_report.h"
#include "core/layer/positions.h"
#include "core/layer/trace.h"
#include "core/numerics/thread_pool.h"
#include "core/numerics/work_watch.h"

namespace attention {

/// Computes a Trace, and after an edit only what depends on it.
///
/// What was edited is told by comparing the problem's matrices with those of the last evaluation;
/// matrices of one version are not looked at. A stage all of whose operands kept their numbers
/// keeps its own. Where only rows or columns of an operand changed, only the rows or columns of
/// the result that depend on them are computed, always from the operands and never by adding a
/// difference, so that no error builds up: what is computed whole equals a full computation bit
/// for bit, what is computed in part differs from it by the rounding of one sum.
///
/// The matrices of the last trace that nobody else holds are written over. An evaluator is used
/// by one thread at a time; several of them are independent.
class Evaluator {
 public:
  /// `threads` share the work where there is enough of it; the numbers do not depend on how many.
  /// Throws std::system_error, as std::thread does, when so many cannot be started.
  explicit Evaluator(int threads = 1) : pool_(threads) {}

  /// Brings the trace up to date with `problem` and returns it; the reference holds until the
  /// next call. Throws std::invalid_argument as validate() does; the trace then stays as it was.
  /// Throws std::bad_alloc when memory is short, and WorkStopped when `watch`, which may be
  /// null, was told to stop; the trace is then empty.
  const Trace& evaluate(const Problem& problem, WorkWatch* watch = nullptr);

  /// The trace of the last evaluation; empty before the first.
  const Trace& trace() const { return trace_; }
  /// What the last evaluation computed.
  const EvaluationReport& report() const { return report_; }

 private:
  void update(const Problem& problem, WorkWatch* watch);
  void update_rotary_table(const Problem& problem);
  void reset();

  Problem last_;
  Trace trace_;
  EvaluationReport report_;
  RotaryTable rotary_;
  std::vector<HeadChanges> changes_;  // of the last evaluation; kept for their storage
  std::vector<Matrix> parts_;         // see OutputUpdate
  ThreadPool pool_;
};

}  // namespace attention
