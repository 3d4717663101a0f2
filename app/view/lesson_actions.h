#pragma once

#include <string>

#include "app/view/ui.h"

// What a lesson does to the window. A lesson sets the user's own work aside, shows a document of
// its own in each step, and gives the work back untouched when it is left.

namespace lab {

/// The numbers that questions are about: the workspace's, as they are looked at.
LiveNumbers live_numbers(const Ui& ui);

/// True while a lesson is open.
bool lesson_is_open(const ViewState& state);

/// Opens the lesson that `source` names, a built-in one or a file, in place of one that is open. A
/// lesson with mistakes is not opened: ui.state.error names the first, with its line. False, and
/// nothing is done, when `source` is no lesson.
bool open_lesson_source(Ui& ui, const std::string& source);

/// Leaves the lesson and goes on to `next`. Asks first when it is not at its end and there are
/// answers that are in no file, unless it is `sure`.
void leave_lesson(Ui& ui, const Destination& next = destination::OwnWork{}, bool sure = false);

/// What the student has chosen, typed or clicked for that question of the step.
Given& given_of(ViewState& state, std::size_t question);

/// Goes to the next step, behind the last one to what is said at the end; or to the one before.
void next_step(Ui& ui);
void previous_step(Ui& ui);
/// Goes to that step, counted from 0.
void go_to_step(Ui& ui, std::size_t place);
/// Shows the step as it began.
void restart_step(Ui& ui);

/// Judges what was given as the answer to that question of the step.
void check_answer(Ui& ui, std::size_t question);
/// Gives the next hint to it.
void ask_hint(Ui& ui, std::size_t question);

/// Asks where to save the answers that were given; writes them to `path`.
void ask_answers_path(Ui& ui);
void save_answers(Ui& ui, const std::string& path);

/// True when the step hides that part of the window.
bool is_hidden(const ViewState& state, Panel panel);

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

}  // namespace lab
