#pragma once

#include "app/view/state/ui.h"

// What a step of a lesson makes of the window in each frame: parts that are hidden, edits that are
// refused, widgets that are pointed out.

namespace lab::view {

/// A step of the frame (main_view.cpp), before the panels: ends a lesson whose document is gone,
/// answers questions that an edit has answered.
void follow_lesson(Ui& ui);
/// Shows a document that a step has just opened as the step asks for.
void show_step(ViewState& state, const Workspace& workspace);
/// A step of the frame, after the panels: notes the cell that was chosen, and draws a frame
/// around each widget that the step points out.
void end_lesson_frame(Ui& ui);
/// A step of the frame, the last one: takes back what edits something that the step keeps as it is,
/// and says so.
void refuse_locked(Ui& ui);

}  // namespace lab::view
