#pragma once

#include "core/layer/trace.h"

namespace attention::test {

/// Fails the test where a number of `trace` differs from a full computation of `problem` by more
/// than a millionth of the numbers that it is computed from; with `exactly`, where any bit differs.
/// A score that is off by δ changes its weight by the fraction δ.
void expect_equals_full_computation(const Problem& problem, const Trace& trace,
                                    bool exactly = false);

}  // namespace attention::test
