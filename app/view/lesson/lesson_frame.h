#pragma once

#include "app/view/state/ui.h"

// How a step of a lesson changes the window in each frame: hidden parts, refused edits, highlighted
// widgets.

namespace lab::view {

/// A step of the frame (main_view.cpp), before the panels: ends a lesson whose document was closed,
/// and answers questions that an edit has answered.
void follow_lesson(Ui& ui);
/// Shows the document that a step has just opened in the step's view.
void show_step(ViewState& state, const Workspace& workspace);
/// A step of the frame, after the panels: records the cell that was chosen, and draws a frame
/// around each widget that the step highlights.
void end_lesson_frame(Ui& ui);
/// A step of the frame, after the panels: discards edits of what the step has locked, and says so.
void refuse_locked(Ui& ui);

}  // namespace lab::view
