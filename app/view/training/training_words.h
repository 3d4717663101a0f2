#pragma once

#include <optional>
#include <vector>

#include "app/document/training/training_curves.h"
#include "app/view/state/training_state.h"

// What the curves of a training say.

namespace lab::view {

/// The numbers of a head that the curves of that kind show.
const std::vector<float>& values_of(const HeadCurves& head, CurveKind kind);

/// The step at which the first head that becomes an induction head is half way to what it scores
/// last; nothing when no head scores at least 0.3.
std::optional<int> birth_of_induction(const TrainingCurves& curves);

}  // namespace lab::view
