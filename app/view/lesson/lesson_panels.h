#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The cards and dialogs of lessons, and the steps of a frame that follow the open one. Each
// function draws into the given bounds, reads the state, and queues intents.

namespace lab::view {

/// The list of lessons below `anchor`, when it was requested.
void lesson_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that asks before answers are lost.
void leave_lesson_dialog(Ui& ui);
/// The content of the dialog that asks before the answers to a step are removed from it.
void restart_step_dialog(Ui& ui);
/// The content of the dialog that saves the answers, and saving them at the path in its field.
void save_answers_dialog(Ui& ui);
/// Saves at the typed path and closes the dialog; what is wrong with the path is said in it.
void accept_save_answers(Ui& ui);
/// The content of the dialog that makes a worksheet, and making it at the path in its field.
void worksheet_dialog(Ui& ui);
/// Makes it at the typed path, as above.
void accept_worksheet(Ui& ui);

// How a step of a lesson changes the window in each frame: hidden parts, refused edits, highlighted
// widgets.

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
