#pragma once

#include <cstdint>

#include "app/document/training/training_document.h"
#include "app/view/state/ui.h"

// Training in the window. Steps are taken in the background; the window follows them as a preview,
// like a drag, so that the whole way until it pauses is one undo step.

namespace lab::view {

/// Begins a training with the default options of a task, at step 0 and pausing, after the question
/// what becomes of unsaved work. What is wrong with the options goes to ui.state.error.
void open_training(Ui& ui, const attention::training::TrainingOptions& options);
/// The same with the options that were chosen, or else those of the run.
void start_over(Ui& ui);

/// Goes on, or pauses.
void toggle_training(Ui& ui);
/// Takes one step.
void take_training_step(Ui& ui);
/// Shows the kept state nearest to `step`, as a preview until end_scrub().
void scrub_to(Ui& ui, std::uint64_t step);
/// Commits the state that scrub_to() showed last, as one step.
void end_scrub(Ui& ui);
/// Shows the kept state before or after the one that is shown.
void go_to_next_kept(Ui& ui, bool after);
/// Puts another example of the task in the place of the text.
void another_example(Ui& ui);

/// The options that Start over would use; the learning rate is that of the steps that come.
attention::training::TrainingOptions next_options(const Ui& ui);

/// Begins with these options at once while nothing was learned, else with the next Start over; the
/// learning rate counts from the next step on.
void use_training_options(Ui& ui, const attention::training::TrainingOptions& options);

/// A step of the frame (main_view.cpp), before the panels: shows the newest step, gives edits to
/// the trainer, and pauses when the user goes elsewhere.
void follow_training(Ui& ui);

/// Inserts what keeps the steps that were only previewed before the intents of the frame that would
/// replace them.
void keep_followed_steps(Ui& ui);

}  // namespace lab::view
