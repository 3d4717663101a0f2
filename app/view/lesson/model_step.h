#pragma once

#include "app/lessons/lesson_steps.h"
#include "app/view/state/model_state.h"

namespace lab::view {

/// Shows a trained model as a step wants it: what its tiles show, and the answer that they are
/// about. Both last for the step.
void show_model_step(ModelState& model, const lessons::StepView& view);

}  // namespace lab::view
