#pragma once

#include <string>

#include "app/view/state/ui.h"

// What a student answers to the questions of a lesson's step. Questions count from 0.

namespace lab::view {

/// The numbers that questions are about: the workspace's, as they are looked at.
Snapshot live_numbers(const Ui& ui);

/// What the student has chosen, typed or clicked for that question of the step.
lessons::Given& given_of(ViewState& state, std::size_t question);

/// The stage in whose map the step's next open question, or the last of all that are answered, asks
/// to click; nothing when it does not.
std::optional<attention::Stage> stage_to_click(const Ui& ui);

/// Judges what was given as the answer to that question; what is said to it comes into view.
void check_answer(Ui& ui, std::size_t question);
/// Takes words that were written and not said to be done as they are: they would be lost.
void note_written(Ui& ui);
/// Shows the answers to the step's questions to a class, or hides them again.
void toggle_answers(Ui& ui);
/// Gives the next hint to it.
void ask_hint(Ui& ui, std::size_t question);

/// Asks where to save the answers that were given; writes them to `path`.
void ask_answers_path(Ui& ui);
void save_answers(Ui& ui, const std::string& path);

/// After the panels: takes a cell that was clicked, or gone to by keys, as
/// what is given to the questions that ask for one.
void note_choice(Ui& ui);
/// Before the panels: answers the questions that an edit has answered.
void answer_by_edits(Ui& ui);

}  // namespace lab::view
