#pragma once

#include "app/figure/animation/animation.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// The shown layer, at kept steps of the branch of training that is shown, from the
/// first to the last; of many, evenly chosen ones. Together they last `seconds`. Each moment is
/// computed when it is asked for. Precondition: a model that is trained here is shown.
figure::Animation training_animation(const Ui& ui, const figure::FigureOptions& options,
                                     double seconds);

}  // namespace lab::view
