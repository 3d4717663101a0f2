#pragma once

#include "app/figure/palette.h"
#include "core/trace.h"

namespace lab {

/// The palette that suits a stage: blues for weights, red-blue for signed values.
Palette default_palette(attention::Stage stage);

/// Range of the finite values: symmetric about 0 for signed stages, 0 … 1 for weights. A matrix
/// with no finite value, or only zeros, gives −1 … 1.
Range automatic_range(attention::Stage stage, const attention::MatrixView& values);

/// The smallest range that holds both.
Range united(Range a, Range b);

}  // namespace lab
