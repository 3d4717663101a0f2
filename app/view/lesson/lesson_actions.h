#pragma once

#include <string>

#include "app/view/state/ui.h"

// Opening lessons, leaving them, and going from step to step. A lesson sets the user's own work
// aside, shows a document of its own in each step, and gives the work back untouched when it is
// left.

namespace lab::view {

/// True while a lesson is open.
bool lesson_is_open(const ViewState& state);

/// Opens the lesson that `source` names, a built-in one or a file, in place of one that is open. A
/// lesson with mistakes is not opened: ui.state.error names the first, with its line. False, and
/// nothing is done, when `source` is no lesson.
bool open_lesson_source(Ui& ui, const std::string& source);

/// Leaves the lesson, before the next frame is drawn, and goes on to `next`. Asks first when it is
/// not at its end and there are answers that are in no file, unless it is `sure`.
void leave_lesson(Ui& ui, const Destination& next = destination::OwnWork{}, bool sure = false);
/// Ends a lesson that was left: the window comes back as it was before, with the user's own work.
void end_lesson(Ui& ui);
/// The same where that work is shown already.
void forget_lesson(ViewState& state);

/// Goes to the next step, behind the last one to what is said at the end; or to the one before.
void next_step(Ui& ui);
void previous_step(Ui& ui);
/// Goes to that step, counted from 0.
void go_to_step(Ui& ui, std::size_t place);
/// Shows the step as it began.
void restart_step(Ui& ui);

}  // namespace lab::view
