#pragma once

#include "app/figure/colour/palette.h"
#include "core/layer/trace.h"

namespace lab::figure {

/// The palette that suits a stage: blues for weights, red-blue for signed values.
Palette default_palette(attention::Stage stage);

/// Weights use the range 0 … 1 unless none of them reaches this: then 0 … the largest, because a
/// map of many tokens would be blank.
inline constexpr float kSmallWeights = 0.5f;

/// The range of the finite values: symmetric about 0 for signed stages, 0 … 1 for weights, or
/// 0 … the largest below kSmallWeights. A matrix without finite values, or with only zeros, gives
/// −1 … 1, or 0 … 1 for weights.
Range automatic_range(attention::Stage stage, const attention::MatrixView& values);

/// The same for the numbers between the 2nd and the 98th percentile (interpolated linearly, as in
/// NumPy), so that a few outliers do not take up all colours: from 0 for weights, symmetric about 0
/// for signed stages.
Range robust_range(attention::Stage stage, const attention::MatrixView& values);

/// The range of a difference of weights: −1 … 1, or symmetric about 0 to the largest move below
/// kSmallWeights.
Range weights_difference_range(const attention::MatrixView& values);

/// The smallest range centred at `centre` that contains `range`; a spread measures from there.
Range centred(Range range, float centre);

/// The smallest range that contains both, with the spread of `a`.
Range united(Range a, Range b);

}  // namespace lab::figure
