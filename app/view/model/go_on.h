#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// Draws "Go on …" cut off the right of `row`. Its popup says how the model goes on with the text:
/// the tokens are drawn in the background, with the edits in force, and appended as one undo step.
void go_on_button(Ui& ui, Rect& row);

/// The width of that button.
float go_on_width(const Ui& ui);

}  // namespace lab::view
