#pragma once

#include <vector>

#include "core/trace.h"

namespace attention {

/// What one evaluation computed anew.
struct Recomputed {
  int stages = 0;          ///< number of stage matrices computed, over all heads
  std::vector<int> heads;  ///< the heads of which anything was computed, from 0, ascending
  bool output = false;     ///< whether the output was computed
};

/// Computes a Trace, and after an edit only the stages that depend on it.
///
/// What depends is told from the identity of the problem's matrices: a stage is computed anew
/// when one of its operands has another identity than in the last evaluation. The results equal
/// a full computation bit for bit.
class Evaluator {
 public:
  /// Brings the trace up to date with `problem` and returns it; the reference holds until the
  /// next call. Throws std::invalid_argument as validate() does; the trace then stays as it was.
  const Trace& evaluate(const Problem& problem);

  /// The trace of the last evaluation; empty before the first.
  const Trace& trace() const { return trace_; }
  /// What the last evaluation computed.
  const Recomputed& recomputed() const { return recomputed_; }

 private:
  HeadTrace evaluate_head(const Problem& problem, size_t head, Recomputed& done) const;
  void join_heads(const Problem& problem, Trace& next, Recomputed& done) const;

  Problem last_;
  Trace trace_;
  Recomputed recomputed_;
};

}  // namespace attention
