#pragma once

#include "core/layer/trace.h"

namespace attention::test {

/// Fails the test where a number of `trace` is farther from a full computation from `problem` than
/// a millionth of the numbers that it is computed from; with `exactly`, where it has other bits. A
/// score that is off by δ changes its weight by the share δ.
void expect_equals_full_computation(const Problem& problem, const Trace& trace,
                                    bool exactly = false);

}  // namespace attention::test
