#pragma once

#include <string>

#include "app/view/state/ui.h"

// A student's answers to the questions of a lesson's step. Questions count from 0.

namespace lab::view {

/// The numbers that questions refer to: those shown by the workspace.
Snapshot live_numbers(const Ui& ui);

/// What the student chose, typed or clicked for that question of the step.
lessons::AnswerInput& given_of(ViewState& state, std::size_t question);

/// The stage in whose map the step's next open question, or the last one if all are answered, asks
/// for a click; nothing when it asks for none.
std::optional<attention::Stage> stage_to_click(const Ui& ui);

/// Judges the given answer to that question, and scrolls to the verdict.
void check_answer(Ui& ui, std::size_t question);
/// Accepts written answers that were not marked as done, because they would be lost.
void note_written(Ui& ui);
/// Shows the answers to the step's questions, for a class, or hides them again.
void toggle_answers(Ui& ui);
/// Gives the next hint for that question.
void ask_hint(Ui& ui, std::size_t question);

/// The file name that is proposed for the answers: of the lesson, and of the student whose name is
/// typed.
std::string proposed_answers(const Ui& ui);
/// Asks where to save the answers.
void ask_answers_path(Ui& ui);
/// Writes the answers as CSV in the background; then leaves the lesson where the dialog asked for
/// that.
void save_answers(Ui& ui, const std::string& path);

/// After the panels: uses a cell that was clicked, or reached by keys, as the answer to the
/// questions that ask for one.
void note_choice(Ui& ui);
/// Before the panels: answers the questions that an edit has answered.
void answer_by_edits(Ui& ui);
/// Before the panels, after the focus keys: Enter answers the question for which a cell was
/// clicked.
void answer_by_enter(Ui& ui);

}  // namespace lab::view
