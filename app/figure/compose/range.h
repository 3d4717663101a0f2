#pragma once

#include "app/figure/colour/palette.h"
#include "core/layer/trace.h"

namespace lab::figure {

/// The palette that suits a stage: blues for weights, red-blue for signed values.
Palette default_palette(attention::Stage stage);

/// Range of the finite values: symmetric about 0 for signed stages, 0 … 1 for weights. A matrix
/// with no finite value, or only zeros, gives −1 … 1.
Range automatic_range(attention::Stage stage, const attention::MatrixView& values);

/// The same of the numbers between the 2nd and the 98th percentile (linear between neighbours, as
/// NumPy's are), so that a few outliers do not take all colours: from 0 for weights, symmetric
/// about 0 for signed stages.
Range robust_range(attention::Stage stage, const attention::MatrixView& values);

/// The smallest range with its middle at `centre` that holds `range`.
Range centred(Range range, float centre);

/// The smallest range that holds both.
Range united(Range a, Range b);

}  // namespace lab::figure
