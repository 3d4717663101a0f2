#pragma once

#include <string>
#include <vector>

#include "core/layer/trace.h"

namespace attention {

/// One thing that must hold of every trace, and how far it is from holding.
struct Invariant {
  std::string name;      ///< in words, for a person
  double error = 0;      ///< the largest error found; NaN where the trace holds NaN
  double tolerance = 0;  ///< the largest error that passes
  /// True when the error is within the tolerance.
  bool holds() const { return error <= tolerance; }
};

/// Checks a trace against its problem, in this order:
///
/// - each row of weights sums to 1, or is 0 throughout where nothing may be attended to; a row with
///   an overridden weight need not, and is left out;
/// - masked weights are exactly 0, but for those whose masked score or weight is overridden;
/// - dropped weights are exactly 0, but for those that are overridden;
/// - every overridden cell holds the number that was put there;
/// - the heads' parts (their columns of concat through their rows of W_O) add up to output − b_O,
///   overridden cells of the output left out;
/// - every value is a finite number, or −∞ where a mask, a bias of −∞ or an override put it; the
///   error counts the cells that are not;
/// - each stage that is a step of its own agrees with the double-precision reference.
///
/// The errors of the last and of the parts are relative to the largest magnitude of the tensor or,
/// if larger, of the terms that are added up to it: cancelling loses digits and is no fault. Two
/// stages make errors grow, and their tolerance with them: a score that is off by δ changes its
/// weight by up to the share δ, so from the weights on the tolerance is that of the scores; and
/// layer_norm divides by the row's deviation, so each of its rows is measured against the largest
/// number of residual over √(variance + epsilon).
///
/// Throws as validate() does. `trace` must have the shapes of `problem`.
std::vector<Invariant> check_invariants(const Problem& problem, const Trace& trace);

}  // namespace attention
