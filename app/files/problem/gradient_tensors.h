#pragma once

#include "app/document/document.h"
#include "app/files/tensors/tensors.h"
#include "core/gradient/layer_gradient.h"

namespace lab::files {

/// A gradient as tensors: under the name of each matrix of the problem (X, W_Q, …) a tensor of the
/// same shape, and under "stage." and its name each stage of an answer. What does not move the
/// number is 0. There is no mask, which has no derivative.
TensorFile gradient_tensors(const Document& document, const attention::LayerGradient& gradient);

}  // namespace lab::files
