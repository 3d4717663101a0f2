#pragma once

#include "app/view/widgets/rich_flow.h"
#include "app/view/widgets/widgets.h"

// What the card of a lesson is made of.

namespace lab::view {

/// A question of the step: what is asked, where the answer is given, what was said to it, and the
/// hints that were given.
void lesson_question(Ui& ui, RichFlow& flow, std::size_t question);

/// A button in `row`, which its width is cut off from. Returns true when it was clicked.
bool row_button(Ui& ui, Rect& row, const std::string& id, const std::string& label,
                ButtonLook look = ButtonLook::kQuiet, bool enabled = true);

/// What is said behind the last step.
void lesson_end(Ui& ui, RichFlow& flow);

/// The heading of a step, its text and its questions, or what is said at the end.
void lesson_step(Ui& ui, RichFlow& flow);

/// One segment a step; a click on one goes there.
void lesson_progress(Ui& ui, Rect row);

/// The step in a card of its own, for present mode.
void lesson_text(Ui& ui, const Rect& rect);

}  // namespace lab::view
