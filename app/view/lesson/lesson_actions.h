#pragma once

#include <memory>
#include <string>

#include "app/view/state/ui.h"

// Opening lessons, leaving them, and going from step to step. A lesson suspends the user's own
// work, shows its own document in each step, and restores the work unchanged when it is left.

namespace lab::view {

/// True while a lesson is open.
bool lesson_is_open(const ViewState& state);

/// Opens the lesson `source`, a built-in one or a file, in place of the open one, after a question
/// when that has unsaved answers. A lesson with mistakes is not opened: ui.state.error names the
/// first, with its line. False, without any effect, when `source` is not a lesson.
bool open_lesson_source(Ui& ui, const std::string& source);
/// Opens the lesson again in which a crashed window lost answers, where it was left.
void resume_lesson(Ui& ui, const std::shared_ptr<LostWork>& lost);

/// Continues a built-in lesson in the language of the window at the same step, with the answers
/// given so far; the step begins again. No effect on other lessons.
void translate_lesson(Ui& ui);

/// Leaves the lesson before the next frame is drawn, and continues with `next`. Asks first when it
/// has unsaved answers, unless `sure`.
void leave_lesson(Ui& ui, const Destination& next = destination::OwnWork{}, bool sure = false);
/// Ends a lesson that was left, and restores the window and the user's own work.
void end_lesson(Ui& ui);
/// The same when that work is shown already.
void forget_lesson(ViewState& state);

/// Goes to the next step, after the last one to the end; or to the previous one.
void next_step(Ui& ui);
/// Goes to the step before, if there is one.
void previous_step(Ui& ui);
/// Goes to `step`, counted from 0.
void go_to_step(Ui& ui, std::size_t step);
/// Resets the step to its beginning: the model, and the answers and hints of its questions. Asks
/// first when there are any, unless `sure`.
void restart_step(Ui& ui, bool sure = false);

}  // namespace lab::view
