#pragma once

#include "app/view/widgets/rich_flow.h"
#include "app/view/widgets/widgets.h"

// The parts of a lesson's card.

namespace lab::view {

/// A question of the step: its text, the field for the answer, the verdict, and the hints so far.
void lesson_question(Ui& ui, RichFlow& flow, std::size_t question);

/// A button that is cut off `row`. Returns true when it was clicked.
bool row_button(Ui& ui, Rect& row, const std::string& id, const std::string& label,
                ButtonLook look = ButtonLook::kQuiet, bool enabled = true);

/// The text after the last step.
void lesson_end(Ui& ui, RichFlow& flow);

/// The heading of a step, its text and its questions, or the text at the end.
void lesson_step(Ui& ui, RichFlow& flow);

/// One segment per step; a click on one goes there.
void lesson_progress(Ui& ui, Rect row);

/// The step in its own card, for present mode.
void lesson_text(Ui& ui, const Rect& rect);

}  // namespace lab::view
