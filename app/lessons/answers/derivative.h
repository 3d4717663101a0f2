#pragma once

#include "app/lessons/answers/expression.h"

namespace lab::lessons {

/// How fast `of` changes with `by`, per unit: d(of) / d(by) at the numbers of `live`, where both
/// are cells of stages of the layer that it shows; of a row of cells, a row of derivatives. See
/// attention::gradient_of(). Throws BadInput when they are not such cells, or `of` has no
/// derivative, such as a number that is not finite.
Value derivative(const Value& of, const Value& by, const Snapshot& live);

}  // namespace lab::lessons
