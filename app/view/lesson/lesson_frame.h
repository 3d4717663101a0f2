#pragma once

#include "app/view/state/ui.h"

// What a step of a lesson makes of the window in each frame: parts that are hidden, edits that are
// refused, widgets that are pointed out.

namespace lab::view {

/// To be called at the start of a frame: ends a lesson that is left or whose document is gone,
/// answers questions that an edit has answered.
void follow_lesson(Ui& ui);
/// To be called when a document is shown that a step has opened: shows it as the step asks for.
void show_step(ViewState& state, const Workspace& workspace);
/// To be called after the panels are drawn: notes the cell that was chosen, and draws a frame
/// around each widget that the step points out.
void end_lesson_frame(Ui& ui);
/// To be called last: takes back what edits something that the step keeps as it is, and says so.
void refuse_locked(Ui& ui);

}  // namespace lab::view
