#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace attention {

/// One thing that must hold of every trace, and how far it is from holding.
struct Invariant {
  std::string name;      ///< in words, for a person
  double error = 0;      ///< the largest error found; NaN where the trace holds NaN
  double tolerance = 0;  ///< the largest error that passes
  /// True when the error is within the tolerance.
  bool holds() const { return error <= tolerance; }
};

/// Checks a trace against its problem: rows of weights sum to 1 (or are 0 throughout where
/// nothing may be attended to), masked weights are exactly 0, the heads' parts through W_O add
/// up to output − b_O, every value is a finite number (−∞ allowed where masked), and every stage
/// agrees with the double-precision reference. Errors are relative to the largest magnitude of
/// the tensor or, if larger, of the terms that are added up to it. Throws as validate() does.
std::vector<Invariant> check_invariants(const Problem& problem, const Trace& trace);

}  // namespace attention
