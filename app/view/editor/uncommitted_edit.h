#pragma once

#include <functional>
#include <string>

#include "app/view/state/ui.h"

// What is typed or dragged and is no edit yet. Whatever else is asked for comes after it.

namespace lab::view {

/// True while cells or the temperature are pressed or dragged.
bool is_dragging(const Ui& ui);

/// Makes the number that is being typed an edit. False when there must not be one now: it is
/// refused (ui.state.error says why, and it stays in its field), or a drag is going on.
bool commit_pending(Ui& ui);

/// Makes the number that is being typed in the Edit card the whole selected block's. False as
/// above.
bool commit_to_block(Ui& ui);

/// Takes back what is being typed or dragged; what the pointer does until it lets go is ignored.
/// True when there was anything.
bool cancel_pending(Ui& ui);

/// A step of the frame (main_view.cpp), after the panels: takes back a drag or a number whose
/// widget is gone, so that nothing is shown that no one can keep.
void end_lost_edits(Ui& ui);

/// Forgets what is being typed or dragged, as it belongs to a document that is gone.
void forget_pending(ViewState& state);

/// True when a sentence's box holds what the document refused, and so something else than it has.
bool has_refused_sentence(const Ui& ui);
/// Puts the document's sentence back into such a box, which is what undo takes back first. False
/// when there is none.
bool take_back_refused_sentence(Ui& ui);

/// Ends typing because of a click elsewhere: a number that is refused is given up, and the message
/// says so.
void leave_field(Ui& ui);

/// The cell that the Edit card's cursor is on, with another value.
Command set_cursor_cell(const Ui& ui, float value);

/// Shows what the number that is being typed would do, as soon as it is one; `make` turns it into a
/// command.
void preview_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make);

/// Queues the edit that `text` is meant as, which `make` turns into a command. False, with
/// ui.state.error set, when the text is no number or the document refuses it.
bool queue_typed(Ui& ui, const std::string& text, const std::function<Command(float)>& make);

}  // namespace lab::view
