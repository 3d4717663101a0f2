#pragma once

#include <string>
#include <vector>

#include "core/layer/trace.h"

namespace attention {

/// A property that every trace must have, and how far this one is from having it.
struct Invariant {
  std::string name;      ///< a description for people
  double error = 0;      ///< the largest error found; NaN when the trace contains NaN
  double tolerance = 0;  ///< the largest error that passes
  /// True when the error is within the tolerance.
  bool holds() const { return error <= tolerance; }
};

/// Checks a trace against its problem, in this order:
///
/// - each row of weights sums to 1, or to that less the share of its sink, or is all 0 where
/// nothing
///   may be attended to; rows with an overridden weight are skipped, and the name says how many;
/// - masked weights are exactly 0, except where the masked score or the weight is overridden;
/// - dropped weights are exactly 0, except those that are overridden;
/// - every overridden cell holds its override;
/// - the heads' parts (their columns of concat through their rows of W_O) add up to output − b_O,
///   except in overridden cells of the output;
/// - every value is finite, or −∞ because of a mask, a bias of −∞ or an override; the error is the
///   number of cells that are not;
/// - each active stage agrees with the double-precision reference.
///
/// What an override of NaN makes NaN in its row of later stages is no fault.
///
/// The errors of the last check and of the heads' parts are relative to the largest magnitude of
/// the tensor or, if larger, of the terms that are summed: cancellation loses digits and is not a
/// fault. Two stages amplify errors, and their tolerance grows accordingly: a score that is off by
/// δ changes its weight by up to the fraction δ, so from the weights on the tolerance is that of
/// the scores; and layer_norm divides by the row's deviation, so each of its rows is measured
/// against the largest number of residual over √(variance + epsilon).
///
/// Throws as validate() does. `trace` must have the shapes of `problem`.
std::vector<Invariant> check_invariants(const Problem& problem, const Trace& trace);

}  // namespace attention
